/**
 * Commands of the person that are asked before and told after tools and turns. They can only restrict: nothing that a hook says
 * makes a call run that would not.
 */
import { visible } from '../base/visible.ts';
import type { HookEvent } from '../config/schema-hooks.ts';
import { isWord } from '../permissions/policy.ts';
import { fencedText, plainText } from './material.ts';
import type { Arguments, Outcome } from './tool.ts';

/** A command that is run at an event. What comes before something can block it, what comes after is only told. */
export interface Hook {
  readonly event: HookEvent;
  /** Names of tools, `|` between them, `*` for any characters. '': every tool, and every turn. */
  readonly match: string;
  /** A line of shell. */
  readonly command: string;
  /** ms */
  readonly timeoutMs: number;
  /** Whose it is, for people: `config.yaml`, `.mux.yaml`. */
  readonly origin: string;
  /** Where it is run, absolute. */
  readonly cwd: string;
}

/** What a hook is told, as JSON. */
export type HookInput = Readonly<Record<string, unknown>> & { readonly event: HookEvent };

/** What one run of a hook came to. */
export type HookAnswer =
  | { readonly kind: 'passed'; readonly context?: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  /** It did not answer as hooks do: failed, late, gone. */
  | { readonly kind: 'broken'; readonly why: string };

/** Runs hooks. */
export interface HookPort {
  /** Runs one to its end. Never rejects. When the signal says so it is ended, and what it came to does not count. */
  run(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookAnswer>;
}

/** Whether a turn may begin. */
export type TurnGate =
  { readonly kind: 'go'; readonly context: string } | { readonly kind: 'blocked'; readonly reason: string };

/** UTF-16 units of what a hook says to a model. More is a document. */
const REASON_MAX = 2000;
const CONTEXT_MAX = 16_000;

type Input = Readonly<Record<string, unknown>>;

/** The hooks of one conversation. Their methods are what the engine's calls ask. */
export class Hooks {
  readonly #hooks: readonly Hook[];
  readonly #port: HookPort;
  readonly #tell: (notice: string) => void;
  readonly #facts: Readonly<Record<string, string>>;
  /** Broken ones that were told of. */
  readonly #told = new Set<Hook>();
  /** Those that are told of something, and that nobody may wait for. */
  readonly #running = new Set<Promise<void>>();

  /**
   * @param facts told to every hook beside what the event is about: the working directory, the chat
   * @param tell notices for the person, a line each
   */
  constructor(
    hooks: readonly Hook[],
    port: HookPort,
    {
      facts,
      tell,
    }: { readonly facts: Readonly<Record<string, string>>; readonly tell: (notice: string) => void },
  ) {
    this.#hooks = hooks;
    this.#port = port;
    this.#facts = facts;
    this.#tell = tell;
  }

  /** Why a call must not run; undefined where it may. A broken hook blocks: it may have been there to forbid just this. */
  async before(tool: string, args: Arguments, signal: AbortSignal): Promise<string | undefined> {
    for (const hook of this.#of('before_tool', tool)) {
      const answer = await this.#run(hook, { tool, arguments: args }, signal);
      if (signal.aborted) return undefined;
      if (answer.kind === 'blocked') return reasonOf(hook, answer.reason);
      if (answer.kind === 'broken') return `${nameOf(hook)} is broken, so nothing runs that it may forbid`;
    }
    return undefined;
  }

  /**
   * Tells that a call has run. What hooks say to it is told to the person: it cannot be undone. Who cancels does not wait for
   * them, but they are told all the same: what has run has run.
   */
  async after(tool: string, args: Arguments, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const { content, isError } = outcome;
    const input = { tool, arguments: args, output: content, is_error: isError };
    await this.#tellAll('after_tool', tool, input, signal);
  }

  /** Whether what the person has said is sent, and what hooks add to it: material, in fences. */
  async beforeTurn(text: string, signal: AbortSignal): Promise<TurnGate> {
    const contexts: string[] = [];
    for (const hook of this.#of('before_turn', '')) {
      const answer = await this.#run(hook, { text }, signal);
      if (signal.aborted) break;
      // A turn does nothing by itself, and its calls are asked about: only a hook that says so holds it up.
      if (answer.kind === 'blocked') return { kind: 'blocked', reason: reasonOf(hook, answer.reason) };
      const context = answer.kind === 'passed' ? (answer.context ?? '') : '';
      if (context.trim() !== '')
        contexts.push(`${nameOf(hook)} adds:\n\n${fencedText(context.slice(0, CONTEXT_MAX))}`);
    }
    return { kind: 'go', context: contexts.join('\n\n') };
  }

  /** Tells that a turn has ended: how, and with which words. */
  async afterTurn(reason: string, text: string, signal: AbortSignal): Promise<void> {
    await this.#tellAll('after_turn', '', { reason, text }, signal);
  }

  /** Resolves when no hook runs any more; each is bounded by its time-out. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #tellAll(event: HookEvent, tool: string, input: Input, signal: AbortSignal): Promise<void> {
    const all = this.#each(this.#of(event, tool), input).finally(() => this.#running.delete(all));
    this.#running.add(all);
    let forget = (): void => undefined;
    const cancelled = new Promise<void>(resolve => {
      const leave = (): void => resolve();
      signal.addEventListener('abort', leave, { once: true });
      forget = () => signal.removeEventListener('abort', leave);
      if (signal.aborted) resolve();
    });
    await Promise.race([all, cancelled]);
    forget();
  }

  async #each(hooks: readonly Hook[], input: Input): Promise<void> {
    const { signal } = new AbortController();
    for (const hook of hooks) {
      const answer = await this.#run(hook, input, signal);
      if (answer.kind === 'blocked') this.#tell(reasonOf(hook, answer.reason));
    }
  }

  #of(event: HookEvent, tool: string): readonly Hook[] {
    return this.#hooks.filter(hook => hook.event === event && (tool === '' || matchesTool(hook.match, tool)));
  }

  async #run(hook: Hook, input: Input, signal: AbortSignal): Promise<HookAnswer> {
    const answer = await this.#port.run(hook, { ...this.#facts, ...input, event: hook.event }, signal);
    if (answer.kind === 'broken' && !signal.aborted && !this.#told.has(hook)) {
      this.#told.add(hook);
      this.#tell(`${nameOf(hook)} is broken: ${visible(answer.why)}`);
    }
    return answer;
  }
}

/** Whether a hook is about a tool. */
export function matchesTool(match: string, tool: string): boolean {
  return match.trim() === '' || match.split('|').some(pattern => isWord(pattern.trim(), tool));
}

/** Characters of a command in a line about it: by the beginning it is known again. */
const COMMAND_SHOWN = 60;

function nameOf({ event, command, origin }: Hook): string {
  const line = visible(command);
  const shown = line.length > COMMAND_SHOWN ? `${line.slice(0, COMMAND_SHOWN - 1)}…` : line;
  return `the ${event} hook '${shown}' of ${visible(origin)}`;
}

function reasonOf(hook: Hook, reason: string): string {
  const text = plainText(reason).trim().slice(0, REASON_MAX);
  return text === '' ? `${nameOf(hook)} gives no reason` : text;
}

/** Bytes of the answer of a hook that are looked at; more is no answer. */
export const ANSWER_MAX = 64 * 1024;

/** What a hook that has ended by itself has said. */
export interface HookOutput {
  /** Exit status, as shells count. */
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Exit status by which a hook blocks without a word of JSON; its reason is what it wrote to stderr. */
const BLOCKS = 2;

/**
 * The answer in what a hook has said: status 2 blocks, status 0 with `{"decision":"block","reason":…}` does, too. Text that is no
 * JSON is for people who run it by hand; JSON that is wrong, and every other status, is a broken hook.
 */
export function answerOf({ status, out, err }: HookOutput): HookAnswer {
  if (status === BLOCKS) return { kind: 'blocked', reason: err.trim() || out.trim() };
  if (status !== 0) return { kind: 'broken', why: `exit status ${status}${lastLine(err)}` };
  const text = out.trim();
  if (!text.startsWith('{')) return { kind: 'passed' };
  try {
    return decisionOf(JSON.parse(text) as Readonly<Record<string, unknown>>);
  } catch {
    // SyntaxError: cut off, or never JSON.
    return { kind: 'broken', why: 'its answer is no valid JSON' };
  }
}

const PASSING: readonly unknown[] = [undefined, 'pass', 'allow'];

function decisionOf({ decision, reason, context }: Readonly<Record<string, unknown>>): HookAnswer {
  if (decision === 'block') return { kind: 'blocked', reason: typeof reason === 'string' ? reason : '' };
  // What asks for something that hooks cannot do must not be taken for a yes.
  if (!PASSING.includes(decision)) return { kind: 'broken', why: 'its decision is neither block nor pass' };
  return typeof context === 'string' ? { kind: 'passed', context } : { kind: 'passed' };
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${visible(line).slice(0, 200)}`;
}
