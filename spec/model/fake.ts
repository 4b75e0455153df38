/**
 * A model over programs that do nothing but what a spec makes them do.
 */
import { ManualClock } from '../../lib/base/clock.ts';
import { Emitter } from '../../lib/base/event.ts';
import type { Size } from '../../lib/base/geometry.ts';
import { Model } from '../../lib/model/model.ts';
import type { NewSession } from '../../lib/model/sessions.ts';
import type { ExitStatus, ModelEvent, SessionRecord, Terminal } from '../../lib/model/types.ts';
import type { TextView } from '../../lib/term/screen-view.ts';

/** A program that only notes what it is told. */
export class FakeTerminal implements Terminal {
  readonly view: TextView;
  readonly pid = 1;
  readonly started = Promise.resolve();
  readonly output = new Emitter<void>();
  readonly exit = new Emitter<ExitStatus>();
  readonly onOutput = this.output.event;
  readonly onExit = this.exit.event;
  readonly onRelease = new Emitter<void>().event;
  readonly onSignal = new Emitter<never>().event;
  readonly killed: string[] = [];
  /** Input, and resets, in order. */
  readonly done: string[] = [];
  size: Size;
  isDisposed = false;

  constructor(size: Size) {
    this.size = size;
    this.view = { title: '', modes: {} } as TextView;
  }

  write(bytes: Uint8Array): boolean {
    this.done.push(Buffer.from(bytes).toString());
    return true;
  }
  resize(size: Size): void {
    this.size = size;
  }
  kill(signal: string): void {
    this.killed.push(signal);
  }
  foreground(): string {
    return '';
  }
  cwd(): string {
    return '';
  }
  setHistoryLines(): void {}
  setPalette(): void {}
  dropLeftModes(): void {}
  clearHistory(): void {}
  reset(): void {
    this.done.push('reset');
  }
  dispose(): void {
    this.isDisposed = true;
  }
}

/** A model, what it told, and the programs it started. */
export interface Fake {
  readonly model: Model;
  readonly clock: ManualClock;
  readonly events: ModelEvent[];
  remain: 'on' | 'off' | 'failed';
  renumber: boolean;
  /** Set to make the next start fail. */
  failure: Error | undefined;
  terminal(session: SessionRecord): FakeTerminal;
}

/** Ids are s0, s1, …: told apart by a prefix as little as possible. */
export function fakeModel(): Fake {
  const clock = new ManualClock(1_000_000);
  const events: ModelEvent[] = [];
  let next = 0;
  const fake: Fake = {
    clock,
    events,
    remain: 'on',
    renumber: false,
    failure: undefined,
    model: new Model({
      clock,
      newId: () => `s${next++}`,
      start: (_, size) => {
        if (fake.failure) throw fake.failure;
        return new FakeTerminal(size);
      },
      baseIndex: () => 1,
      renumber: () => fake.renumber,
      remainOnExit: () => fake.remain,
    }),
    terminal: session => session.terminal as FakeTerminal,
  };
  fake.model.onEvent(event => events.push(event));
  return fake;
}

/** What a session that nobody named is started from. */
export function program(changes: Partial<NewSession> = {}): NewSession {
  return {
    name: '',
    agent: 'cat',
    isAi: false,
    durable: false,
    launch: { argv: ['cat'], cwd: '/', env: {} },
    ...changes,
  };
}
