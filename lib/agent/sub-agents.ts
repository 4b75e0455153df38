/**
 * Agents that an agent starts: several at once within limits, each with no more than its starter may do. What one is made of
 * and how it works, the port knows.
 */
import type { Clock } from '../base/clock.ts';
import { CodedError, errorText, toCoded } from '../base/errors.ts';
import { visible } from '../base/visible.ts';
import { layersOfChild, type Layer, type Rule } from '../permissions/policy.ts';
import type { CallContext } from './tool.ts';
import { Place, type WorkSlots } from './work-slots.ts';

/** What another agent is to do. */
export interface SubTask {
  /** For people: one line. */
  readonly title: string;
  /** With what all of a batch need to know in front. */
  readonly query: string;
  readonly files: readonly string[];
  /** Names of tools; undefined: all that the starter has. */
  readonly tools: readonly string[] | undefined;
  /** '' for the starter's. */
  readonly model: string;
  /** Rules that can only tighten. */
  readonly rules: readonly Rule[];
}

/** An agent that is to be started. */
export interface Child {
  readonly task: SubTask;
  /** 1 for those that a person's own conversation starts. */
  readonly depth: number;
  /** Names of the tools that it gets: none that its starter does not have. */
  readonly tools: readonly string[];
  /** Rules as they are when it is started: all of its starter's, and its own behind them. */
  readonly layers: readonly Layer[];
  /** Aborted when its starter is cancelled. */
  readonly signal: AbortSignal;
  /** What it does, for people: hostile text. */
  readonly progress: (text: string) => void;
  /** By which it starts others. */
  readonly agents: SubAgents;
}

/** What an agent came to. */
export interface Report {
  /** Its last words. */
  readonly response: string;
  /** The chat that it was. */
  readonly chat: string;
}

/** What became of one task of a batch. */
export interface TaskEnd {
  readonly title: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What is common to all agents of one conversation of a person. */
export interface SubAgentPorts {
  readonly slots: WorkSlots;
  readonly maxConcurrent: number;
  readonly maxDepth: number;
  readonly clock: Clock;
  /** Works until the agent has ended. Ends soon once the child's signal is aborted. Throws CodedError. */
  readonly start: (child: Child) => Promise<Report>;
}

/** What an agent that may start others has and may. */
export interface Starter {
  /** Tools that it has now. */
  readonly tools: () => readonly string[];
  /** Rules that hold for it now, with what was granted since it began. */
  readonly layers: () => readonly Layer[];
}

/** Name of the tool that starts agents: those that may start none do not have it. */
export const AGENT_TOOL = 'agent';

/** Tasks of one batch: a model that wants more has lost the thread. */
export const TASKS_MAX = 16;

/** After a cancellation, ms, until an agent that does not end is given up: processes that it ended get two seconds. */
const GRACE_MS = 5000;

/** The agents that one agent starts. */
export class SubAgents {
  readonly #ports: SubAgentPorts;
  readonly #starter: Starter;
  readonly #depth: number;
  readonly #place: Place | undefined;

  /**
   * @param depth of the starter: 0 for the conversation of a person
   * @param place of the starter, which it gives back while it waits; a person's conversation has none
   */
  constructor(ports: SubAgentPorts, starter: Starter, depth = 0, place?: Place) {
    this.#ports = ports;
    this.#starter = starter;
    this.#depth = depth;
    this.#place = place;
  }

  /** How many work at the same time; 0: none can be started from here. */
  get maxConcurrent(): number {
    const { maxConcurrent, maxDepth } = this.#ports;
    return this.#depth < maxDepth ? Math.max(0, maxConcurrent) : 0;
  }

  /** Names of the tools that one may have at most. */
  tools(): readonly string[] {
    const own = this.#starter.tools();
    return this.#depth + 1 < this.#ports.maxDepth ? own : own.filter(name => name !== AGENT_TOOL);
  }

  /** Runs one to its end, when there is room. Throws CodedError: what went wrong in it, or why it was not started. */
  async run(task: SubTask, context: Pick<CallContext, 'signal' | 'progress'>): Promise<Report> {
    this.#check(task);
    this.#place?.rest();
    try {
      return await this.#inPlace(task, context);
    } finally {
      // Cancelled: it ends anyway, and needs no place for that.
      await this.#place?.resume(context.signal).catch(() => undefined);
    }
  }

  /** Runs some beside each other; one that fails costs no other. Ends in their order. Throws CodedError `usage`. */
  async runAll(
    tasks: readonly SubTask[],
    context: Pick<CallContext, 'signal' | 'progress'>,
  ): Promise<TaskEnd[]> {
    if (tasks.length === 0 || tasks.length > TASKS_MAX)
      throw new CodedError('usage', `sub-agents: ${tasks.length} tasks`, `from 1 to ${TASKS_MAX}`);
    return Promise.all(
      tasks.map(async task => {
        try {
          const { response } = await this.run(task, context);
          return { title: task.title, text: response, isError: false };
        } catch (error) {
          return { title: task.title, text: errorText(toCoded(error)), isError: true };
        }
      }),
    );
  }

  async #inPlace(
    task: SubTask,
    { signal, progress }: Pick<CallContext, 'signal' | 'progress'>,
  ): Promise<Report> {
    const { slots, start } = this.#ports;
    await slots.take(signal);
    const place = new Place(slots);
    const stop = new AbortController();
    const cancel = (): void => stop.abort();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) stop.abort();
    const work = this.#begin(start, this.#childOf(task, place, stop.signal, progress)).finally(() => {
      signal.removeEventListener('abort', cancel);
      // Whatever it has started and left behind ends with it.
      stop.abort();
      place.leave();
    });
    return await Promise.race([work, this.#givenUp(signal, work)]);
  }

  /** What `start` throws before it waits counts like what it rejects with. */
  async #begin(start: SubAgentPorts['start'], child: Child): Promise<Report> {
    return await start(child);
  }

  #childOf(task: SubTask, place: Place, signal: AbortSignal, progress: (text: string) => void): Child {
    const tools = task.tools ? this.tools().filter(name => task.tools!.includes(name)) : this.tools();
    const layers = layersOfChild(this.#starter.layers(), [
      { name: `task ${visible(task.title)}`, rules: task.rules, mayAllow: false },
    ]);
    const depth = this.#depth + 1;
    // Its own are asked for again when it starts others: what was granted to it since counts for it alone.
    const starter = { tools: () => tools, layers: () => layers };
    const agents = new SubAgents(this.#ports, starter, depth, place);
    return { task, depth, tools, layers, signal, progress, agents };
  }

  /** Rejects some time after a cancellation, so that nobody waits for ever for an agent that does not end. */
  async #givenUp(signal: AbortSignal, work: Promise<unknown>): Promise<never> {
    return new Promise((_, reject) => {
      const late = (): void => {
        const error = new CodedError('cancelled', 'cancelled, and it does not end');
        const timer = this.#ports.clock.after(GRACE_MS, () => reject(error));
        const dispose = (): void => timer.dispose();
        void work.then(dispose, dispose);
      };
      const forget = (): void => signal.removeEventListener('abort', late);
      if (signal.aborted) late();
      else signal.addEventListener('abort', late, { once: true });
      void work.then(forget, forget);
    });
  }

  /** Throws CodedError for what cannot be started from here. */
  #check({ title, tools }: SubTask): void {
    const what = `sub-agent ${visible(title)}`;
    const { maxConcurrent, maxDepth } = this.#ports;
    if (this.maxConcurrent === 0)
      throw new CodedError(
        'refused',
        maxConcurrent <= 0
          ? `${what}: sub-agents are switched off`
          : `${what}: sub-agents start others no deeper than ${maxDepth}`,
      );
    const own = new Set(this.#starter.tools());
    const more = tools?.find(name => !own.has(name));
    if (more === undefined) return;
    const hint = 'none gets a tool that its starter does not have';
    throw new CodedError('usage', `${what}: you have no tool ${visible(more)}`, hint);
  }
}
