/**
 * The calls of one answer: each is looked at the moment it is complete, while the rest of the answer still comes; after it they
 * run in order. What only reads may run beside others of its kind, but nothing overtakes a call that waits for a verdict.
 */
import { CodedError, toCoded } from '../base/errors.ts';
import type { ToolCall } from '../ai/wire.ts';
import type { Decision } from '../permissions/policy.ts';
import type { CallState, CallView } from './events.ts';
import { onlyReads, showsSame, WORD, type Verdict } from './review.ts';
import { NEVER_RAN, refusal, type Ended } from './results.ts';
import type { Arguments, CallContext, Outcome, Preview, Tool, ToolBox } from './tool.ts';

/** Calls that only read run beside each other, so many: more would only fight for the disk. */
const PARALLEL_MAX = 8;
/** A person is asked again where things change under the eyes: not without end. */
const REVIEWS_MAX = 5;

/** What calls need from the conversation that they are part of. */
export interface CallPorts {
  readonly tools: ToolBox;
  readonly decide: (tool: string, preview: Preview) => Decision;
  /** While plans are made nothing runs that changes something. */
  readonly onlyPlans: () => boolean;
  /** Whether there is somebody who gives verdicts. */
  readonly hasReviewer: boolean;
  /** Asked before a call runs, after it was allowed; a text: it must not, and why. */
  readonly before?: (name: string, args: Arguments, signal: AbortSignal) => Promise<string | undefined>;
  readonly after?: (name: string, args: Arguments, outcome: Outcome, signal: AbortSignal) => Promise<void>;
  /** For as long as the conversation is open, calls like this one are allowed. */
  readonly grant: (tool: string, preview: Preview) => void;
  readonly changed: (call: CallView) => void;
  readonly progress: (id: string, text: string) => void;
}

const ACCEPT: Verdict = { type: 'accept' };

/** A call with everything that becomes of it. */
interface Entry {
  readonly call: ToolCall;
  /** Of its block in the answer. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** As the model gave them, or the person in their place. */
  args: Arguments;
  readonly tool: Tool | undefined;
  state: CallState;
  preview: Preview | undefined;
  decision: Decision | undefined;
  outcome: Outcome | undefined;
  /** It was not to run. */
  isDenied: boolean;
  /** The arguments are the person's. */
  isEdited: boolean;
  /** Settled once it has been looked at. */
  looked: Promise<void>;
  /** Called when a verdict is there, while one is waited for. */
  answered: (() => void) | undefined;
}

export class Calls {
  readonly #ports: CallPorts;
  readonly #signal: AbortSignal;
  readonly #entries: Entry[] = [];
  #acceptsAll = false;
  /** Calls that needed a verdict and had nobody to give it. */
  unanswered = 0;

  constructor(ports: CallPorts, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  /** In the order in which they came. */
  get views(): readonly CallView[] {
    return this.#entries.map(viewOf);
  }

  /** Calls that wait for a verdict. */
  get waiting(): readonly CallView[] {
    return this.#entries.filter(({ state }) => state === 'waiting').map(viewOf);
  }

  get isRunning(): boolean {
    return this.#entries.some(({ state }) => state === 'running');
  }

  /** What the call of a block came to, with what was shown of it. */
  endOf(index: number, call: ToolCall): Ended | undefined {
    const { outcome, isDenied, preview } = this.#at(index, call) ?? {};
    return outcome && { outcome, isDenied: isDenied === true, preview };
  }

  /**
   * A call that is whole, at a block of the answer; the same block again is nothing new.
   *
   * @param args its arguments, taken out of the wire's form
   */
  add(index: number, call: ToolCall, args: Arguments): void {
    if (this.#entries.some(entry => entry.index === index)) return;
    const name = call.name ?? '';
    const given = call.id || `call-${index}`;
    const entry: Entry = {
      call,
      index,
      // Models have been seen to use one twice.
      id: this.#find(given) ? `${given}-${index}` : given,
      name,
      args,
      tool: this.#ports.tools.find(name),
      state: 'complete',
      preview: undefined,
      decision: undefined,
      outcome: undefined,
      isDenied: false,
      isEdited: false,
      looked: Promise.resolve(),
      answered: undefined,
    };
    this.#entries.push(entry);
    this.#tell(entry);
    entry.looked = this.#look(entry);
  }

  /** A verdict. Throws CodedError `not_found` where nothing waits, `refused` where the word is missing. */
  answer(id: string, verdict: Verdict): void {
    const entry = this.#find(id);
    if (!entry || entry.state !== 'waiting')
      throw new CodedError('not_found', `call ${id}: it does not wait for a verdict`);
    if (verdict.type === 'edit') {
      entry.looked = this.#edit(entry, verdict.args);
      return;
    }
    if (entry.decision?.wantsWord && verdict.type !== 'reject' && !hasWord(verdict))
      throw new CodedError('refused', `call ${id}: it cannot be undone`, `type ${WORD} to let it run`);
    if (verdict.type === 'always' && entry.preview) this.#ports.grant(entry.name, entry.preview);
    if (verdict.type === 'accept-all') this.#acceptsAll = true;
    this.#apply(entry, verdict);
    for (const other of this.#entries) if (this.#isCovered(other, verdict)) this.#apply(other, ACCEPT);
  }

  /** Runs them in order; resolves when each has an outcome. Never rejects. */
  async run(): Promise<void> {
    const reading = new Set<Promise<void>>();
    for (const entry of this.#entries) {
      if (!(await this.#mayRun(entry))) continue;
      if (entry.tool!.isReadOnly) {
        const one = this.#run(entry).finally(() => reading.delete(one));
        reading.add(one);
        if (reading.size >= PARALLEL_MAX) await Promise.race(reading);
      } else {
        await Promise.all(reading);
        await this.#run(entry);
      }
    }
    await Promise.all(reading);
  }

  /** Everything that has no outcome yet never ran. */
  abandon(): void {
    for (const entry of this.#entries) {
      if (entry.outcome || entry.state === 'running') continue;
      this.#end(entry, NEVER_RAN);
      entry.answered?.();
    }
  }

  #find(id: string): Entry | undefined {
    return this.#entries.find(entry => entry.id === id);
  }

  /** Ids of models may come twice, and services may number blocks anew. */
  #at(index: number, { id = '' }: ToolCall): Entry | undefined {
    const same = this.#entries.filter(({ call }) => (call.id ?? '') === id);
    return same.find(entry => entry.index === index) ?? (id === '' ? undefined : same[0]);
  }

  #tell(entry: Entry): void {
    this.#ports.changed(viewOf(entry));
  }

  #end(entry: Entry, outcome: Outcome, isDenied = false): void {
    entry.outcome = outcome;
    entry.isDenied = isDenied;
    entry.state = 'done';
    this.#tell(entry);
  }

  #context({ id }: Entry): CallContext {
    return { id, signal: this.#signal, progress: text => this.#ports.progress(id, text) };
  }

  /** Looks at what a call would do, and decides on it as far as that needs nobody. */
  async #look(entry: Entry): Promise<void> {
    const { tool, name, args } = entry;
    const known = entry.call.result;
    // The service has answered it itself.
    if (known)
      return this.#end(entry, {
        content: known.content ?? known.error?.message ?? '',
        isError: known.error !== undefined,
      });
    if (!tool) return this.#end(entry, refusal(unknownTool(name, this.#ports.tools)));
    try {
      const preview = await tool.preview(args, this.#context(entry));
      if (entry.outcome) return;
      entry.preview = preview;
      this.#decide(entry, preview);
    } catch (error) {
      if (entry.outcome) return;
      const { message, hint } = toCoded(error);
      this.#end(entry, refusal(hint === undefined ? message : `${message} (${hint})`));
    }
  }

  /** Looks at the person's arguments as at the model's. That they want them run is said; what cannot be undone is asked about. */
  async #edit(entry: Entry, args: Arguments): Promise<void> {
    entry.args = args;
    entry.isEdited = true;
    entry.preview = undefined;
    this.#become(entry, 'complete');
    await this.#look(entry);
    if (entry.state === 'waiting' && !entry.decision?.wantsWord) this.#become(entry, 'allowed');
    if (entry.state !== 'waiting') entry.answered?.();
  }

  #decide(entry: Entry, preview: Preview): void {
    const { name } = entry;
    const decision = this.#ports.decide(name, preview);
    entry.decision = decision;
    const [first] = decision.opinions;
    if (decision.mode === 'deny')
      return this.#end(entry, refusal(`denied by ${first?.why ?? 'a rule'}`), true);
    if (this.#ports.onlyPlans() && !onlyReads(preview))
      return this.#end(entry, refusal('not run: only a plan is made now. Say what you would do.'), true);
    if (decision.mode === 'allow') return this.#become(entry, 'allowed');
    if (!this.#ports.hasReviewer) {
      this.unanswered++;
      const why = first ? `: ${first.why}` : '';
      return this.#end(
        entry,
        refusal(`not run: it needs a person's yes, and there is nobody to ask${why}`),
        true,
      );
    }
    this.#become(entry, this.#acceptsAll && !decision.wantsWord ? 'allowed' : 'waiting');
  }

  #become(entry: Entry, state: CallState): void {
    entry.state = state;
    this.#tell(entry);
  }

  #apply(entry: Entry, verdict: Verdict): void {
    if (verdict.type !== 'reject') this.#become(entry, 'allowed');
    else {
      const reason = verdict.reason.trim();
      this.#end(entry, refusal(`rejected by the person${reason === '' ? '' : `: ${reason}`}`), true);
    }
    entry.answered?.();
  }

  /** Whether what was said of another call goes for this one too: not what cannot be undone. */
  #isCovered({ state, name, preview, decision }: Entry, { type }: Verdict): boolean {
    if (state !== 'waiting' || !preview || decision?.wantsWord) return false;
    return type === 'accept-all' || (type === 'always' && this.#ports.decide(name, preview).mode === 'allow');
  }

  /** Waits until it is decided. Whether it may run now. */
  async #mayRun(entry: Entry): Promise<boolean> {
    for (let round = 0; round < REVIEWS_MAX; round++) {
      // Anew, where a person has changed what it is called with.
      await entry.looked;
      await this.#verdict(entry);
      if (entry.outcome) return false;
      if (!(await this.#hasChanged(entry))) return this.#hooksAllow(entry);
    }
    this.#end(entry, refusal('not run: what it would change does not stand still'));
    return false;
  }

  /** Resolves once a call does not wait any more. */
  async #verdict(entry: Entry): Promise<void> {
    if (entry.state !== 'waiting') return;
    if (!this.#signal.aborted)
      await new Promise<void>(resolve => {
        entry.answered = resolve;
        this.#signal.addEventListener('abort', () => resolve(), { once: true });
      });
    entry.answered = undefined;
    if (this.#signal.aborted && !entry.outcome) this.#end(entry, NEVER_RAN);
  }

  /** Whether what it would do is not what was decided on any more: then it is decided anew. */
  async #hasChanged(entry: Entry): Promise<boolean> {
    const { tool, preview, args } = entry;
    if (this.#signal.aborted) {
      this.#end(entry, NEVER_RAN);
      return false;
    }
    if (preview?.basis === undefined || !tool) return false;
    try {
      const now = await tool.preview(args, this.#context(entry));
      entry.preview = now;
      // Further down, but the same: what was said yes to.
      if (now.basis === preview.basis || showsSame(now, preview)) return false;
      this.#decide(entry, now);
      return true;
    } catch (error) {
      this.#end(entry, refusal(toCoded(error).message));
      return false;
    }
  }

  async #hooksAllow(entry: Entry): Promise<boolean> {
    if (entry.outcome) return false;
    const why = await this.#ports.before?.(entry.name, entry.args, this.#signal);
    if (why === undefined) return !this.#signal.aborted || (this.#end(entry, NEVER_RAN), false);
    this.#end(entry, refusal(`blocked by a hook: ${why}`), true);
    return false;
  }

  async #run(entry: Entry): Promise<void> {
    this.#become(entry, 'running');
    const { tool, args, preview, name } = entry;
    const outcome = await tool!
      .run(args, preview!, this.#context(entry))
      .catch((error: unknown): Outcome => refusal(toCoded(error).message));
    // The model is to know what has run in place of what it asked for.
    const content = `the person ran it with other arguments: ${JSON.stringify(args)}\n\n${outcome.content}`;
    this.#end(entry, entry.isEdited ? { ...outcome, content } : outcome);
    await this.#ports.after?.(name, args, outcome, this.#signal);
  }
}

function hasWord(verdict: Verdict): boolean {
  return verdict.type === 'accept' && verdict.word === WORD;
}

function viewOf({ id, name, args, state, preview, decision, outcome }: Entry): CallView {
  return {
    id,
    name,
    args,
    state,
    ...(preview && { preview }),
    ...(decision && { decision }),
    ...(outcome && { outcome }),
  };
}

function unknownTool(name: string, tools: ToolBox): string {
  const names = tools.list().map(({ wire }) => wire.name ?? '');
  return `there is no tool ${name}; there are ${names.join(', ') || 'none'}`;
}
