/** Tries, time-outs, turns and cancelling, by a clock that is moved by hand. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProviderFailure } from '../../../lib/ai/failure.ts';
import type { ProviderEvent, ProviderRequest } from '../../../lib/ai/provider.ts';
import { NO_USAGE } from '../../../lib/ai/providers/answers.ts';
import { guarded, type VendorWire } from '../../../lib/ai/providers/attempts.ts';
import type { Line } from '../../../lib/ai/providers/watch.ts';
import { ManualClock } from '../../../lib/base/clock.ts';
import { until } from '../../support/until.ts';

const TEXT: ProviderEvent = { type: 'text', index: 0, text: 'yes' };
const STOP: ProviderEvent = { type: 'stop', reason: 'end_turn' };
const USAGE: ProviderEvent = { type: 'usage', usage: { ...NO_USAGE, input: 3 } };
const SECRET = 'a-secret-of-sixteen';

type Try = readonly (ProviderEvent | Error | 'silence')[];

/** A wire whose tries go as they are told. */
class ToldWire implements VendorWire {
  readonly name = 'told';
  readonly lines: Line[] = [];
  readonly #tries: Try[];

  constructor(...tries: readonly Try[]) {
    this.#tries = [...tries];
  }

  key(): Promise<string> {
    return Promise.resolve(SECRET);
  }

  async *open(_: ProviderRequest, __: string, line: Line): AsyncGenerator<ProviderEvent> {
    this.lines.push(line);
    for (const step of this.#tries.shift() ?? []) {
      if (step instanceof Error) throw step;
      if (step === 'silence') await new Promise(() => undefined);
      else yield step;
    }
  }
}

function vendorError(status: number, headers: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(`status ${status} for ${SECRET}`), {
    status,
    headers: new Headers(headers),
  });
}

interface Run {
  readonly clock: ManualClock;
  readonly events: ProviderEvent[];
  readonly over: Promise<unknown>;
  readonly stop: AbortController;
}

/** Reads on and on; `over` is the error, or undefined. */
function run(wire: VendorWire, random = 1): Run {
  const clock = new ManualClock(1_000_000);
  const provider = guarded(wire, { clock, random: () => random });
  const events: ProviderEvent[] = [];
  const stop = new AbortController();
  const read = async (): Promise<void> => {
    for await (const event of provider.generate({} as ProviderRequest, stop.signal)) events.push(event);
  };
  const over = read().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { clock, events, over, stop };
}

/** What happens without time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(done => setImmediate(done));
}

async function kindOf({ over }: Run): Promise<string> {
  const error = await over;
  assert.instance(error, ProviderFailure);
  assert.not.match((error as Error).message, SECRET);
  return (error as ProviderFailure).kind;
}

const test = suite('attempts');

test('a try that failed is made again within a time that doubles, four times in all', async () => {
  const wire = new ToldWire(...Array.from({ length: 9 }, () => [vendorError(503)]));
  const going = run(wire);
  const counts: number[] = [];
  for (const ms of [499, 1, 999, 1, 1999, 1, 60_000]) {
    await settle();
    going.clock.advance(ms);
    await settle();
    counts.push(wire.lines.length);
  }
  assert.equal(counts, [1, 2, 2, 3, 3, 4, 4]);
  assert.is(await kindOf(going), 'overloaded');
});

for (const [what, headers] of [
  ['in seconds', { 'retry-after': '7' }],
  ['in milliseconds', { 'retry-after-ms': '7000', 'retry-after': '9' }],
  [
    "by a date of the server's clock",
    { 'retry-after': 'Wed, 21 Oct 2015 07:28:07 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' },
  ],
] as const)
  test(`a provider that names a time ${what} is left alone for so long`, async () => {
    const wire = new ToldWire([vendorError(429, headers)], [TEXT, STOP]);
    const { clock, events, over } = run(wire);
    await settle();
    clock.advance(6999);
    await settle();
    assert.is(wire.lines.length, 1);
    clock.advance(1);
    assert.is(await over, undefined);
    assert.equal(events, [TEXT, STOP]);
  });

test('a provider that wants to be left alone for an hour is given up, and the time is told', async () => {
  const going = run(new ToldWire([vendorError(429, { 'retry-after': '3600' })]));
  assert.is(await kindOf(going), 'rate_limit');
  assert.match(((await going.over) as ProviderFailure).hint ?? '', '3600 seconds');
});

test('counts alone are no beginning: what fails behind them is tried again, what fails behind a word is not', async () => {
  const again = run(new ToldWire([USAGE, vendorError(529)], [USAGE, TEXT, STOP]), 0);
  await settle();
  again.clock.advance(0);
  assert.is(await again.over, undefined);
  const once = new ToldWire([TEXT, vendorError(529)], [TEXT, STOP]);
  assert.is(await kindOf(run(once, 0)), 'overloaded');
  assert.is(once.lines.length, 1);
});

test('an answer without an end is cut, one without anything is empty, and one end is told of several', async () => {
  assert.is(await kindOf(run(new ToldWire([TEXT]))), 'cut_off');
  assert.is(await kindOf(run(new ToldWire([]))), 'not_an_answer');
  assert.is(await kindOf(run(new ToldWire([STOP]))), 'not_an_answer');
  const { events, over } = run(new ToldWire([TEXT, STOP, USAGE, STOP]));
  assert.is(await over, undefined);
  assert.equal(events, [TEXT, USAGE, STOP]);
});

test('silence ends a try: five minutes before the first byte, two behind it, ten with nothing but pings', async () => {
  for (const [before, ping, limit] of [
    [[], false, 300],
    [[TEXT], false, 120],
    [[TEXT], true, 600],
  ] as const) {
    const wire = new ToldWire([...before, 'silence']);
    const going = run(wire);
    await settle();
    if (before.length > 0) wire.lines[0]!.alive();
    let isOver = false;
    void going.over.then(() => (isOver = true));
    for (let second = 0; second < limit - 1; second++) {
      if (ping) wire.lines[0]!.alive();
      going.clock.advance(1000);
    }
    await settle();
    assert.is(isOver, false, `${limit} s are not over`);
    going.clock.advance(2000);
    assert.is(await kindOf(going), 'timeout');
    assert.ok(wire.lines[0]!.signal.aborted, 'the connection is closed');
  }
});

test('who reads slowly is not taken for a provider that is silent', async () => {
  const clock = new ManualClock();
  const wire = new ToldWire([TEXT, TEXT, STOP]);
  const stream = guarded(wire, { clock, random: () => 0 }).generate(
    {} as ProviderRequest,
    new AbortController().signal,
  );
  let count = 0;
  for await (const event of stream) {
    wire.lines[0]!.alive();
    clock.advance(3_600_000);
    if (event.type === 'text') count++;
  }
  assert.is(count, 2);
});

test('what is cancelled before it begins asks nobody; what is cancelled later closes its connection at once', async () => {
  const idle = new ToldWire([TEXT, STOP]);
  const stopped = new AbortController();
  stopped.abort();
  const stream = guarded(idle, { clock: new ManualClock(), random: () => 0 });
  const error = await (async () => {
    for await (const event of stream.generate({} as ProviderRequest, stopped.signal)) return event;
    return undefined;
  })().catch((thrown: unknown) => thrown);
  assert.is((error as ProviderFailure).kind, 'cancelled');
  assert.is(idle.lines.length, 0);
  for (const steps of [['silence'], [TEXT, 'silence'], [vendorError(503)]] as Try[]) {
    const wire = new ToldWire(steps, [TEXT, STOP]);
    const going = run(wire);
    await settle();
    going.stop.abort();
    assert.is(await kindOf(going), 'cancelled');
    assert.is(wire.lines.length, 1);
    assert.ok(wire.lines[0]!.signal.aborted);
  }
});

test('leaving in the middle closes the connection', async () => {
  const wire = new ToldWire([TEXT, 'silence']);
  const stream = guarded(wire, { clock: new ManualClock(), random: () => 0 });
  for await (const event of stream.generate({} as ProviderRequest, new AbortController().signal)) {
    assert.equal(event, TEXT);
    break;
  }
  assert.ok(wire.lines[0]!.signal.aborted);
});

test('64 speak at once, the others wait in line, and one that gives up loses only its own turn', async () => {
  const wire = new ToldWire(...Array.from({ length: 70 }, (): Try => [TEXT, 'silence']));
  const provider = guarded(wire, { clock: new ManualClock(), random: () => 0 });
  const stops = Array.from({ length: 67 }, () => new AbortController());
  const ends: number[] = [];
  const all = stops.map(async (stop, at) => {
    try {
      for await (const event of provider.generate({} as ProviderRequest, stop.signal)) void event;
    } catch {
      ends.push(at);
    }
  });
  await until('64 have begun', () => wire.lines.length === 64);
  await settle();
  assert.is(wire.lines.length, 64);
  stops[64]!.abort();
  await until('one that waited is gone', () => ends.includes(64));
  assert.is(wire.lines.length, 64);
  stops[3]!.abort();
  await until('its turn is the next one', () => wire.lines.length === 65);
  await settle();
  assert.is(wire.lines.length, 65);
  for (const stop of stops) stop.abort();
  await Promise.all(all);
});

test.run();
