/**
 * `wait`: blocks a script until a session is as far as it needs it. What is there already counts.
 */
import { parseDuration } from '../base/duration.ts';
import { CodedError } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/event.ts';
import { runs } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';
import type { SessionStatus } from '../status/types.ts';
import type { Anchor, TextView } from '../term/screen-view.ts';
import type { CommandContext, ParsedArgs } from './spec.ts';
import { findSession } from './target.ts';

/** Output is looked at this often at most: sooner than a script notices, and not for every piece of a flood. */
const LOOK_MS = 100;
/** Lines above the screen that count as being there already. */
const OLD_LINES = 500;
/** Lines that are matched in one step: what a harmless pattern does in a millisecond. */
const STEP = 1000;
/** Longest pattern: nobody writes more, and compiling grows with it. */
const MAX_PATTERN = 1000;
/** Longest timer, in ms: that of Node. */
const TIMER_MAX_MS = 0x7fffffff;

const STATUSES: readonly SessionStatus[] = ['starting', 'working', 'ready', 'needs-you', 'stopped', 'failed'];

/** What is waited for. */
interface Condition {
  /** Facts for the answer once it is met; undefined before. Throws CodedError where it cannot be told. */
  met(): Record<string, unknown> | undefined;
  /** When time alone may meet it. */
  dueAt?(): number;
  /** A program that has ended can meet it still. */
  readonly outlivesProgram: boolean;
}

/** Answers once the condition is met. Throws CodedError: `timeout`, or what makes waiting useless. */
export async function waitCommand(context: CommandContext, args: ParsedArgs): Promise<void> {
  const session = findSession(context, args.rest[0]);
  const condition = conditionOf(context, session, args);
  const timeout = args.value('timeout');
  const deadline = timeout === undefined ? Infinity : context.clock.now() + seconds('timeout', timeout);
  const facts = await new Waiter(context, session, condition, deadline).done();
  const { id, name } = session;
  if (context.caller.json)
    context.json({ id, name, status: context.model.sessions.status(session), ...facts });
}

function conditionOf(context: CommandContext, session: SessionRecord, args: ParsedArgs): Condition {
  const given = (['contains', 'status', 'idle', 'exit'] as const).filter(flag => args.has(flag));
  if (given.length !== 1)
    throw new CodedError(
      'usage',
      given.length === 0
        ? 'wait: say for what'
        : `wait: ${given.map(f => `--${f}`).join(' and ')} exclude each other`,
      'one of --contains RE, --status ST, --idle SEC and --exit',
    );
  const value = args.value(given[0]!) ?? '';
  const make: Readonly<Record<(typeof given)[number], () => Condition>> = {
    contains: () => containing(context, session, compile(value)),
    status: () => inStatus(context, session, value),
    idle: () => idleFor(context, session, seconds('idle', value)),
    exit: () => ({ met: () => (runs(session) ? undefined : exitFacts(session)), outlivesProgram: true }),
  };
  return make[given[0]!]();
}

function exitFacts({ exit }: SessionRecord): Record<string, unknown> {
  return { exit_code: exit ? (exit.signal ? 128 + exit.signal : exit.code) : null };
}

function inStatus({ model }: CommandContext, session: SessionRecord, given: string): Condition {
  const wanted = given.replaceAll('_', '-');
  if (!STATUSES.some(status => status === wanted))
    throw new CodedError(
      'usage',
      `wait: '${given}' is no state of a session`,
      `one of ${STATUSES.join(', ')}`,
    );
  return {
    met: () => (model.sessions.status(session) === wanted ? {} : undefined),
    dueAt: () => model.sessions.decision(session).until,
    outlivesProgram: wanted === 'stopped' || wanted === 'failed',
  };
}

function idleFor({ clock }: CommandContext, session: SessionRecord, ms: number): Condition {
  const dueAt = (): number => (session.lastOutputAt ?? session.createdAt) + ms;
  // A program that has ended is silent for good.
  return {
    met: () => (!runs(session) || dueAt() <= clock.now() ? {} : undefined),
    dueAt,
    outlivesProgram: true,
  };
}

function containing({ host }: CommandContext, session: SessionRecord, pattern: RegExp): Condition {
  let looked: { view: TextView; from: Anchor } | undefined;
  const matchIn = (lines: readonly string[]): string => {
    const found = host.drive.match(pattern, lines);
    if (found !== undefined) return found;
    throw new CodedError(
      'usage',
      'wait: the pattern takes too long on a line',
      'avoid repetitions within repetitions, as in (a+)+',
    );
  };
  const met = (): Record<string, unknown> | undefined => {
    const view = session.terminal?.view;
    if (!view) return undefined;
    const known = looked?.view === view ? view.locate(looked.from) : { y: -OLD_LINES };
    // Everything there is, where what was looked at last has left history meanwhile.
    const first = Math.max(-view.historySize, Math.min(0, known?.y ?? -Infinity));
    let lines: string[] = [];
    for (const line of view.logicalLines(first, 1)) {
      lines.push(line.text);
      if (lines.length < STEP) continue;
      const found = matchIn(lines);
      if (found) return { match: found };
      lines = [];
    }
    looked = { view, from: view.anchor(0, 0) };
    const found = matchIn(lines);
    return found ? { match: found } : undefined;
  };
  return { met, outlivesProgram: false };
}

function compile(text: string): RegExp {
  const fail = (why: string): CodedError => new CodedError('usage', `wait: '${text.slice(0, 100)}' ${why}`);
  if (text === '') throw fail('matches nothing');
  if (text.length > MAX_PATTERN) throw fail(`is longer than ${MAX_PATTERN} characters`);
  try {
    return new RegExp(text, 'gu');
  } catch {
    // Escapes that the flag u does not know are harmless: what other languages' expressions have.
    try {
      return new RegExp(text, 'g');
    } catch (error) {
      throw fail(`is no regular expression: ${(error as Error).message.replace(/^.*\/[a-z]*: /s, '')}`);
    }
  }
}

/** Seconds, with a fraction, or a duration like 5m; in ms. */
function seconds(flag: string, text: string): number {
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new CodedError('usage', `wait: --${flag} ${error.message}`, 'seconds, or a duration like 5m');
  }
}

class Waiter {
  readonly #context: CommandContext;
  readonly #session: SessionRecord;
  readonly #condition: Condition;
  readonly #deadline: number;
  readonly #owned = new DisposableStore();
  #terminal: SessionRecord['terminal'];
  #output: Disposable | undefined;
  #look: Disposable | undefined;
  #due: Disposable | undefined;
  #lookedAt = -Infinity;
  #settle: (result: Record<string, unknown> | CodedError) => void = () => undefined;

  constructor(context: CommandContext, session: SessionRecord, condition: Condition, deadline: number) {
    this.#context = context;
    this.#session = session;
    this.#condition = condition;
    this.#deadline = deadline;
  }

  async done(): Promise<Record<string, unknown>> {
    const { model, gone } = this.#context;
    const cancel = (): void =>
      this.#settle(new CodedError('cancelled', `wait: ${this.#session.name}: the caller is gone`));
    const result = await new Promise<Record<string, unknown> | CodedError>(resolve => {
      this.#settle = resolve;
      this.#owned.add(
        model.onEvent(event => 'session' in event && event.session === this.#session && this.#check()),
      );
      gone.addEventListener('abort', cancel);
      this.#check();
    });
    gone.removeEventListener('abort', cancel);
    for (const one of [this.#owned, this.#output, this.#look, this.#due]) one?.dispose();
    if (result instanceof CodedError) throw result;
    return result;
  }

  #check(): void {
    const { clock, model } = this.#context;
    const { name } = this.#session;
    this.#look?.dispose();
    this.#look = undefined;
    this.#lookedAt = clock.now();
    this.#follow();
    try {
      const facts = this.#condition.met();
      if (facts) return this.#settle(facts);
    } catch (error) {
      return this.#settle(error as CodedError);
    }
    if (model.sessions.get(this.#session.id) !== this.#session)
      return this.#settle(new CodedError('not_found', `wait: session ${name} is gone`));
    if (!this.#condition.outlivesProgram && !runs(this.#session))
      return this.#settle(
        new CodedError(
          'failed',
          `wait: the program of ${name} has ended, and what was waited for has not come`,
          `start it again with 'mux resume ${name}'`,
        ),
      );
    if (clock.now() >= this.#deadline)
      return this.#settle(
        new CodedError('timeout', `wait: ${name}: what was waited for has not come in time`),
      );
    this.#checkLater();
  }

  /** At the deadline, and when time alone may meet the condition. */
  #checkLater(): void {
    const { clock } = this.#context;
    this.#due?.dispose();
    const wait = Math.min(this.#deadline, this.#condition.dueAt?.() ?? Infinity) - clock.now();
    this.#due = clock.after(Math.min(TIMER_MAX_MS, Math.max(1, wait)), () => this.#check());
  }

  /** Looks at what the program writes: at once, and after a while at all that has come meanwhile. */
  #follow(): void {
    const { terminal } = this.#session;
    if (terminal === this.#terminal) return;
    this.#terminal = terminal;
    this.#output?.dispose();
    this.#output = terminal?.onOutput(() => {
      const { clock } = this.#context;
      const wait = this.#lookedAt + LOOK_MS - clock.now();
      this.#look ??= clock.after(Math.max(0, wait), () => this.#check());
    });
  }
}
