/**
 * What a pane shows whose session was stopped before this server began: the screen that its program has left, and below
 * it why it is stopped and what can be done.
 */
import type { Size } from '../../base/geometry.ts';
import { truncate } from '../../base/text.ts';
import { visible } from '../../base/visible.ts';
import type { SessionRecord } from '../../model/types.ts';
import { Emulator } from '../../term/emulator.ts';
import { readText } from '../../term/logical-lines.ts';
import type { ScreenView } from '../../term/screen-view.ts';

/** A screen as it is shown now, for `key`. */
interface Shown {
  readonly key: string;
  readonly emulator: Emulator;
}

export class StoppedScreens {
  readonly #lastScreen: (session: SessionRecord) => Emulator | undefined;
  /** What programs have left, as checkpoints: undefined where they left nothing. */
  readonly #left = new WeakMap<SessionRecord, Uint8Array | undefined>();
  readonly #shown = new WeakMap<SessionRecord, Shown>();

  /** `lastScreen`: what a session's program has left; asked once for each session. */
  constructor(lastScreen: (session: SessionRecord) => Emulator | undefined) {
    this.#lastScreen = lastScreen;
  }

  /** The screen of a session that has no terminal, in its pane's size. */
  of(session: SessionRecord): ScreenView {
    const { size } = session;
    const lines = stoppedLines(session).map(line => truncate(line, size.cols));
    const key = `${size.cols} ${size.rows} ${lines.join('\n')}`;
    const known = this.#shown.get(session);
    if (known?.key === key) return known.emulator;
    known?.emulator.dispose();
    const emulator = this.#screen(session, size);
    writeBelow(emulator, size, lines);
    this.#shown.set(session, { key, emulator });
    return emulator;
  }

  /** What the program has left, in that size; an empty screen where it left nothing. */
  #screen(session: SessionRecord, { cols, rows }: Size): Emulator {
    if (!this.#left.has(session)) this.#left.set(session, this.#takeLast(session));
    const left = this.#left.get(session);
    if (!left) return new Emulator({ cols, rows, historyLines: 0 });
    const emulator = Emulator.restore(left, { historyLines: 0 });
    emulator.resize(cols, rows);
    return emulator;
  }

  #takeLast(session: SessionRecord): Uint8Array | undefined {
    const last = this.#lastScreen(session);
    // A sequence that was cut off is given up: nothing more comes.
    last?.replay(Buffer.from(CANCEL));
    const left = last && usedRows(last) === 0 ? undefined : last?.checkpoint();
    last?.dispose();
    return left;
  }
}

/** CAN (ECMA-48) ends any sequence. */
const CANCEL = '\x18';
/**
 * What programs set that would change how words are drawn or what is typed: margins and their modes, insertion, wrapping,
 * character sets, protection, colours, and (xterm's ctlseqs) reports of keys, mouse and focus. And no cursor.
 */
const PLAIN =
  '\x1b[?6;69l\x1b[r\x1b[4l\x1b[?7h\x0f\x1b(B\x1b[0"q\x1b[m\x1b[?5l' +
  '\x1b[?1;9;1000;1002;1003;1004;1006;2004;2026l\x1b>\x1b[>4m\x1b[=0u\x1b[?25l';

/** Writes lines below the last row that has something, moving up what is there; dim, as no program wrote them. */
function writeBelow(emulator: Emulator, { rows }: Size, lines: readonly string[]): void {
  const used = usedRows(emulator);
  const shown = lines.slice(0, rows);
  // One row between is enough to tell them apart.
  const gap = used > 0 && shown.length < rows ? 1 : 0;
  const up = Math.max(0, used + gap + shown.length - rows);
  const begin = used - up + gap + 1;
  const text = shown.join('\r\n');
  emulator.replay(
    Buffer.from(`${PLAIN}\x1b[${rows};1H${'\n'.repeat(up)}\x1b[${Math.max(1, begin)};1H\x1b[2m${text}\x1b[m`),
  );
}

/** Rows down to the last one with text. */
function usedRows(emulator: Emulator): number {
  for (let y = emulator.rows - 1; y >= 0; y--) {
    const line = emulator.line(y);
    if (line && readText([line], emulator.cols).text.trim() !== '') return y + 1;
  }
  return 0;
}

/** Why it stopped, where that is worth a word. */
const REASONS: Readonly<Partial<Record<SessionRecord['stopReason'], string>>> = {
  shutdown: 'ended with the server',
  lost: 'lost with the server or the machine',
  idle: 'ended since it was idle',
  user: 'ended by you',
  watchdog: 'given up: it never showed anything',
  interrupted: 'the server ended while it was being made: purge it',
};

function stoppedLines(session: SessionRecord): string[] {
  const why = REASONS[session.stopReason];
  return [
    `${session.name} is stopped`,
    ...(why ? [why] : []),
    '',
    visible(session.launch.argv.join(' ')),
    visible(session.launch.cwd),
    '',
    'r runs it again, Enter closes the pane',
  ];
}
