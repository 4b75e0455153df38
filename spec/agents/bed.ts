/**
 * A real agent in mux, with a model server that stands for the real one: no account and no network is needed. Agents are
 * found in the folder that MUX_AGENTS names, as NAME/node_modules/.bin/NAME.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';
import { Model } from './model.ts';
import type { ToolCall } from './wire-formats.ts';

/** What differs between agents. */
export interface AgentUnderTest {
  readonly name: string;
  /** The tool call that makes the file `made` where it works. */
  readonly call: ToolCall;
  readonly env: (port: number) => Readonly<Record<string, string>>;
  /** Files below its HOME by which it asks nothing at its start. */
  readonly files: (port: number, work: string) => Readonly<Record<string, string>>;
  readonly model?: string;
  /** The row at which it takes words. */
  readonly prompt: RegExp;
  /** Its question before it runs a tool, and the keys that allow and refuse it; undefined: it asks nothing. */
  readonly dialog?: { readonly shows: RegExp; readonly yes: string; readonly no: string };
  /** Whether the question can be answered in mux too. */
  readonly asksByHook: boolean;
}

export interface Change {
  /** ms since the epoch. */
  readonly at: number;
  readonly status: string;
  readonly need: string | null;
}

/**
 * A state is shown within a second of what it follows from, on a machine that has time for it: the time is printed. Far
 * beyond that something waits for what never comes, however busy the machine is.
 */
const LATE_MS = 10_000;

/** Agents take keys that come faster than this as pasted. */
const STILL_MS = 300;
/** Agents load for seconds, and for many on a machine that does other things too. */
const START_MS = 60_000;
export const SESSION = 'it';

/** Whether the agent is there; tells where it is not. */
export function isInstalled(name: string): boolean {
  const folder = process.env['MUX_AGENTS'] ?? '';
  if (folder !== '' && existsSync(join(binOf(name), name))) return true;
  console.log(`skipped: ${name}: ${folder === '' ? 'MUX_AGENTS is not set' : 'not in MUX_AGENTS'}`);
  return false;
}

function binOf(name: string): string {
  return join(process.env['MUX_AGENTS'] ?? '', name, 'node_modules/.bin');
}

export class Bed {
  readonly agent: AgentUnderTest;
  readonly home = new MuxHome({ config: 'screen: { hints: off }\n' });
  readonly model: Model;
  mux!: OuterTerminal;

  constructor(agent: AgentUnderTest) {
    this.agent = agent;
    this.model = new Model(agent.call);
  }

  /** The file that its tool makes. */
  get made(): string {
    return join(this.home.work, 'made');
  }

  /** Starts model, mux and agent; resolves when the agent takes words. */
  async start(): Promise<void> {
    const { name, env, files, model, prompt } = this.agent;
    const port = await this.model.listen();
    for (const [path, text] of Object.entries(files(port, this.home.work))) {
      const file = join(this.home.dir, 'home', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    await this.attach();
    const variables = { ...env(port), PATH: `${binOf(name)}:${this.home.env['PATH']}` };
    const words = Object.entries(variables).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const more = model ? ['--model', model] : [];
    await this.home.ok('new', SESSION, '--agent', name, ...more, ...words);
    await this.mux.waitFor('its prompt', prompt, START_MS);
    await this.becomes('ready');
  }

  async attach(): Promise<void> {
    const size = { cols: 100, rows: 32 };
    // The shell's prompt is waited for at the first time alone: later the agent is in front.
    if (this.mux) this.mux = this.home.start(size);
    else ({ mux: this.mux } = await startMux({ home: this.home, ...size }));
  }

  async end(): Promise<void> {
    this.model.close();
    await this.home.end();
  }

  /** Types words, and Enter once they are seen. */
  async say(words: string): Promise<void> {
    this.mux.type(words);
    await this.mux.waitFor('what was typed', words);
    await this.standsStill();
    this.mux.type('\r');
  }

  /** Waits until nothing has changed on the screen for a moment: right after text agents take Enter as part of a paste. */
  async standsStill(): Promise<void> {
    let last = '';
    let since = performance.now();
    await this.mux.waitFor('the screen stands still', () => {
      const text = this.mux.text();
      if (text !== last) since = performance.now();
      last = text;
      return performance.now() - since > STILL_MS;
    });
  }

  /** What it shows now: its state, or its need where it has one. */
  async state(): Promise<string> {
    const text = await this.home.ask('status', '-t', SESSION, '--json');
    const { status, need } = JSON.parse(text) as { status: string; need: string | null };
    return need ?? status;
  }

  async becomes(state: string): Promise<void> {
    let last = '';
    await until(`it is ${state}`, async () => (last = await this.state()) === state, {
      deadlineMs: START_MS,
      describe: () => `it is ${last}\n${this.mux.describe()}`,
    });
  }

  /** Its changes of state since `since`, from the events. */
  async changes(since: number): Promise<readonly Change[]> {
    const lines = (await this.home.cli('events')).stdout.trimEnd().split('\n');
    return lines
      .map(line => JSON.parse(line) as Omit<Change, 'at'> & { type: string; name: string; at: string })
      .filter(event => event.type === 'status' && event.name === SESSION)
      .map(({ at, status, need }) => ({ at: Date.parse(at), status, need }))
      .filter(({ at }) => at >= since);
  }

  /** Waits until the state has come after `cause`, tells how soon, and fails where it was late. `since`: where the search begins. */
  async cameSoon(state: string, cause: number, since = cause): Promise<void> {
    let changes: readonly Change[] = [];
    const change = await until(
      `it became ${state}`,
      async () => {
        changes = await this.changes(since);
        return changes.find(({ status, need }) => (need ?? status) === state);
      },
      {
        deadlineMs: START_MS,
        describe: () => changes.map(({ at, status, need }) => `${at - cause} ${need ?? status}`).join(', '),
      },
    );
    const ms = change.at - cause;
    console.log(`${this.agent.name}: ${state} ${ms} ms after its cause`);
    assert.ok(ms <= LATE_MS, `${state} comes within ${LATE_MS} ms, not ${ms}`);
  }

  /** Waits until the model was asked with these words, and gives what it was asked. */
  asked(words: string): Promise<NonNullable<Model['last']>> {
    return until(
      `the model is asked: ${words.slice(0, 60)}`,
      () => (this.model.turns.at(-1)?.prompt.includes(words) ? this.model.last : undefined),
      { deadlineMs: START_MS, describe: () => `${this.model.last?.prompt}\n${this.mux.describe()}` },
    );
  }
}
