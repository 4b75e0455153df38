/**
 * Which program has set a terminal's modes, so that they can be taken back when it has died without doing so itself:
 * each is noted for the process group in the foreground when it was turned on. Left over it is once that group is gone
 * and an older one, a shell, is in the foreground again.
 */
import { foregroundGroup, startTime } from '../../pty/foreground.ts';
import type { ModeSet } from '../../term/leftovers.ts';

function isGone(group: number): boolean {
  try {
    process.kill(-group, 0);
    return false;
  } catch (error) {
    // EPERM: it is there and another user's.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** A process group that modes were set by. */
interface Owner {
  readonly group: number;
  /** When its leader was started; undefined if that had ended already. */
  readonly startedAt: number | undefined;
  modes: ModeSet;
}

/** Owners that are remembered: programs that have one another's modes on at a time; more are none. */
const MAX_OWNERS = 32;

/** The owners of one terminal's modes. */
export class ModeOwners {
  /** Pid of the session's first process, whose group is the shell's. */
  readonly #leader: () => number;
  #owners: Owner[] = [];
  #noted: ModeSet = 0;

  constructor(leader: () => number) {
    this.#leader = leader;
  }

  /** What is on now, after some output: what has come is that of the group in the foreground. */
  note(set: ModeSet): void {
    if (set === this.#noted) return;
    const added = set & ~this.#noted;
    this.#noted = set;
    this.#keep(set & ~added);
    if (added === 0) return;
    const group = foregroundGroup(this.#leader());
    // The shell's own are nobody's left over: it takes them back itself.
    if (group === undefined || group === this.#leader()) return;
    const known = this.#owners.find(owner => owner.group === group);
    if (known) known.modes |= added;
    else if (this.#owners.length < MAX_OWNERS)
      this.#owners.push({ group, startedAt: startTime(group), modes: added });
  }

  /** Modes of groups that are gone, while a shell that was there before them is in the foreground; they count as dropped. */
  takeLeft(which: ModeSet): ModeSet {
    const gone = this.#owners.filter(({ modes, group }) => (modes & which) !== 0 && isGone(group));
    if (gone.length === 0) return 0;
    const group = foregroundGroup(this.#leader());
    if (group === undefined) return 0;
    const left = gone.filter(owner => this.#isOlder(group, owner)).reduce((set, { modes }) => set | modes, 0);
    this.#keep(~(left & which));
    this.#noted &= ~(left & which);
    return left & which;
  }

  #isOlder(group: number, { group: other, startedAt }: Owner): boolean {
    if (group === this.#leader()) return true;
    const started = startTime(group);
    return group !== other && started !== undefined && startedAt !== undefined && started < startedAt;
  }

  #keep(set: ModeSet): void {
    for (const owner of this.#owners) owner.modes &= set;
    this.#owners = this.#owners.filter(owner => owner.modes !== 0);
  }
}
