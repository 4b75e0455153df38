/**
 * What every provider has in common: as many at once as are allowed, tries again before anything was said, ends where nothing
 * comes any more, and closes the connection when nobody listens.
 */
import type { Clock } from '../../base/clock.ts';
import { ProviderFailure } from '../failure.ts';
import type { Provider, ProviderEvent, ProviderRequest } from '../provider.ts';
import { askedDelay, failureOf, mayTryAgain } from './failures.ts';
import { Turns } from './turns.ts';
import { Watch, type Line } from './watch.ts';

/** One vendor's wire: throws whatever its library throws. */
export interface VendorWire {
  readonly name: string;
  /** The secret that must not be told. Throws ProviderFailure. */
  key(): Promise<string>;
  /** One try. A stream that ends without `stop` has been cut. */
  open(request: ProviderRequest, key: string, line: Line): AsyncIterable<ProviderEvent>;
}

export interface AttemptOptions {
  readonly clock: Clock;
  /** 0 to 1: spreads tries of many clients. */
  readonly random: () => number;
}

const TRIES = 4;
/** The second try is within this, and the time doubles up to the cap, in ms. */
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 30_000;
/** A provider that wants to be left alone for longer is given up, in ms. */
const ASKED_MAX_MS = 60_000;
/** Streams of one provider at once; the next one waits for its turn. */
const STREAMS_MAX = 64;

/** A provider over a wire. */
export function guarded(wire: VendorWire, options: AttemptOptions): Provider {
  const turns = new Turns(STREAMS_MAX);
  return {
    name: wire.name,
    async *generate(request, signal) {
      const leave = await turns.enter(signal, wire.name);
      try {
        yield* attempts(wire, options, request, signal);
      } finally {
        leave();
      }
    },
  };
}

async function* attempts(
  wire: VendorWire,
  { clock, random }: AttemptOptions,
  request: ProviderRequest,
  signal: AbortSignal,
): AsyncGenerator<ProviderEvent> {
  const key = await keyOf(wire, clock, signal);
  for (let attempt = 0; ; attempt++) {
    let hasBegun = false;
    try {
      for await (const event of whole(wire.name, watched(wire, request, key, clock, signal))) {
        // Counts are no answer yet: vendors send them, and then that they are too busy.
        hasBegun ||= event.type !== 'usage';
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) throw new ProviderFailure('cancelled', `${wire.name}: cancelled`);
      const failure = failureOf(wire.name, error, key);
      const asked = askedDelay(failure);
      // A connection that was cut before it brought anything may be made again.
      const again = mayTryAgain(failure) || failure.kind === 'cut_off';
      if (hasBegun || attempt + 1 >= TRIES || !again) throw failure;
      if (asked !== undefined && asked > ASKED_MAX_MS) throw later(failure, asked);
      await pause(clock, asked ?? random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt), signal);
      if (signal.aborted) throw new ProviderFailure('cancelled', `${wire.name}: cancelled`);
    }
  }
}

/** The key, which a command may take its time to print. */
async function keyOf(wire: VendorWire, clock: Clock, signal: AbortSignal): Promise<string> {
  const watch = new Watch(clock, wire.name, signal);
  try {
    return await watch.wait(wire.key());
  } finally {
    watch.end();
  }
}

function later(failure: ProviderFailure, ms: number): ProviderFailure {
  return new ProviderFailure(
    failure.kind,
    failure.message,
    `it wants to be asked again in ${Math.ceil(ms / 1000)} seconds`,
  );
}

/** Keeps `stop` for the end, once; a stream without one, and one that says nothing at all, is no answer. */
async function* whole(name: string, events: AsyncIterable<ProviderEvent>): AsyncGenerator<ProviderEvent> {
  let stop: Extract<ProviderEvent, { type: 'stop' }> | undefined;
  let hasContent = false;
  let output = 0;
  for await (const event of events) {
    if (event.type === 'stop') {
      stop ??= event;
      continue;
    }
    if (event.type === 'usage') output = event.usage.output + event.usage.outputReasoning;
    else hasContent = true;
    yield event;
  }
  if (!stop && hasContent) throw new ProviderFailure('cut_off', `${name}: the answer ended in the middle`);
  // A model may end its turn without a word, which its vendor counts all the same.
  if (!stop || (!hasContent && output === 0 && stop.reason === 'end_turn'))
    throw new ProviderFailure('not_an_answer', `${name}: the answer is empty`, 'try again');
  yield stop;
}

/** The wire's events, given up where none comes. */
async function* watched(
  wire: VendorWire,
  request: ProviderRequest,
  key: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ProviderEvent> {
  const watch = new Watch(clock, wire.name, signal);
  const events = wire.open(request, key, watch)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await watch.wait(events.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    watch.end();
    void Promise.resolve(events.return?.()).catch(() => undefined);
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = clock.after(ms, done);
    function done(): void {
      timer.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
