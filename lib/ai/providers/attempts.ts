/**
 * What every provider has in common: as many at once as are allowed, tries again before anything was said, ends where nothing
 * comes any more, and closes the connection when nobody listens.
 */
import type { Clock } from '../../base/clock.ts';
import { ProviderFailure } from '../failure.ts';
import type { Provider, ProviderEvent, ProviderRequest } from '../provider.ts';
import { askedDelay, failureOf, mayTryAgain } from './failures.ts';

/** One vendor's wire: throws whatever its library throws. */
export interface VendorWire {
  readonly name: string;
  /** The secret that must not be told. Throws ProviderFailure. */
  key(): Promise<string>;
  open(request: ProviderRequest, key: string, signal: AbortSignal): AsyncIterable<ProviderEvent>;
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
/** Long prompts are read for a minute before the first word; a model that thinks in silence takes longer, in ms. */
const FIRST_MS = 300_000;
/** Between two events vendors send pings; silence of this length is a connection that has died, in ms. */
const IDLE_MS = 120_000;
/** Streams of one provider at once; the next one waits for its turn. */
const STREAMS_MAX = 64;

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
  const key = await wire.key();
  for (let attempt = 0; ; attempt++) {
    let hasBegun = false;
    try {
      for await (const event of watched(wire, request, key, clock, signal)) {
        hasBegun = true;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) throw new ProviderFailure('cancelled', `${wire.name}: cancelled`);
      const failure = failureOf(wire.name, error, key);
      const asked = askedDelay(failure);
      const isLast = attempt + 1 >= TRIES || (asked !== undefined && asked > ASKED_MAX_MS);
      if (hasBegun || isLast || !mayTryAgain(failure)) throw failure;
      await pause(clock, asked ?? random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt), signal);
    }
  }
}

/** The wire's events, given up where none comes. */
async function* watched(
  wire: VendorWire,
  request: ProviderRequest,
  key: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ProviderEvent> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener('abort', stop, { once: true });
  const events = wire.open(request, key, own.signal)[Symbol.asyncIterator]();
  let limit = FIRST_MS;
  try {
    for (;;) {
      const next = await within(clock, limit, own, wire.name, events.next());
      if (next.done) return;
      limit = IDLE_MS;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Closes the connection, also where nobody reads on.
    own.abort();
    void Promise.resolve(events.return?.()).catch(() => undefined);
  }
}

function within<T>(
  clock: Clock,
  ms: number,
  stop: AbortController,
  name: string,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => {
      reject(new ProviderFailure('timeout', `${name}: nothing came for ${ms / 1000} seconds`, 'try again'));
      stop.abort();
    });
    const aborted = (): void => reject(new ProviderFailure('cancelled', `${name}: cancelled`));
    stop.signal.addEventListener('abort', aborted, { once: true });
    work.then(resolve, reject).finally(() => {
      timer.dispose();
      stop.signal.removeEventListener('abort', aborted);
    });
  });
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

/** Lets so many in at a time, the others in the order in which they came. */
class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves with what leaves again. Throws ProviderFailure `cancelled`. */
  async enter(signal: AbortSignal, name: string): Promise<() => void> {
    if (this.#inside >= this.#most)
      await new Promise<void>((resolve, reject) => {
        const go = (): void => resolve();
        this.#waiting.push(go);
        signal.addEventListener(
          'abort',
          () => {
            const at = this.#waiting.indexOf(go);
            if (at < 0) return;
            this.#waiting.splice(at, 1);
            reject(new ProviderFailure('cancelled', `${name}: cancelled`));
          },
          { once: true },
        );
      });
    this.#inside++;
    return () => {
      this.#inside--;
      this.#waiting.shift()?.();
    };
  }
}
