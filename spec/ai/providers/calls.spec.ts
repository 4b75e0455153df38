/** Tool calls out of deltas, in the variants in which servers send them. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProviderEvent } from '../../../lib/ai/provider.ts';
import { Places } from '../../../lib/ai/providers/answers.ts';
import { CallParts, type CallDelta } from '../../../lib/ai/providers/openai-calls.ts';

type Partial = Extract<ProviderEvent, { type: 'partial_call' }>;

function read(deltas: readonly CallDelta[]): { partials: Partial[]; calls: (readonly [string, object])[] } {
  const parts = new CallParts(new Places());
  const partials = deltas.flatMap(delta => [...parts.take(delta)]) as Partial[];
  const whole = [...parts.complete()].flatMap(event => (event.type === 'call' ? [event.call] : []));
  assert.is(new Set(whole.map(({ id }) => id)).size, whole.length, 'every call has an id of its own');
  assert.ok(whole.every(({ id }) => /^[\w-]+$/.test(id)));
  return { partials, calls: whole.map(one => [one.name, one.arguments] as const) };
}

const one = (name?: string | null, given?: string | object | null) => ({
  ...(name === undefined ? {} : { name }),
  ...(given === undefined ? {} : { arguments: given }),
});

/** Each comes to `one({"x":1})` and `two({})`. */
const VARIANTS: Readonly<Record<string, readonly CallDelta[]>> = {
  'another id in every delta': [
    { index: 0, id: 'a1', function: one('one', '') },
    { index: 0, id: 'a2', function: one(null, '{"x":') },
    { index: 0, id: 'a3', function: one('', '1}') },
    { index: 1, id: 'b1', function: one('two', '{') },
    { index: 1, id: 'b2', function: one(undefined, '}') },
  ],
  'index 0 for all, and no id': [
    { index: 0, function: one('one', '{"x":1}') },
    { index: 0, function: one('two', '{}') },
  ],
  'neither number nor id, the name with every delta': [
    { function: one('one', '{"x"') },
    { function: one('one', ':1}') },
    { function: one('two', '{}') },
  ],
  'name and id with every delta': [
    { index: 0, id: 'a', function: one('one', '{"x"') },
    { index: 0, id: 'a', function: one('one', ':1}') },
    { index: 1, id: 'b', function: one('two', '') },
  ],
  'a name that grows': [
    { index: 0, id: 'a', function: one('o') },
    { index: 0, id: 'a', function: one('on') },
    { index: 0, id: 'a', function: one('one', '{"x":1}') },
    { index: 1, id: 'b', function: one('two', null) },
  ],
  'a name in pieces': [
    { index: 0, id: 'a', function: one('o') },
    { index: 0, function: one('ne') },
    { index: 0, function: one('', '{"x":1}') },
    { index: 1, id: 'b', function: one('tw') },
    { index: 1, function: one('o', '{}') },
  ],
  'all of it once more at the end': [
    { index: 0, id: 'a', function: one('one', '{"x":') },
    { index: 0, function: one(null, '1}') },
    { index: 1, id: 'b', function: one('two', '{}') },
    { index: 0, id: 'a', function: one('one', '{"x":1}') },
    { index: 1, id: 'b', function: one('two', '{}') },
  ],
  'objects, and the same ones again': [
    { index: 0, id: 'a', function: one('one', { x: 1 }) },
    { index: 1, id: 'b', function: one('two', {}) },
    { index: 1, id: 'b', function: one('two', {}) },
  ],
  'the id behind the name': [
    { index: 0, function: one('one', '') },
    { index: 0, id: 'a', function: one(null, '{"x":1}') },
    { index: 1, function: one('two') },
    { index: 1, id: 'b' },
  ],
  'two calls whose deltas are mixed': [
    { index: 0, id: 'a', function: one('one', '') },
    { index: 1, id: 'b', function: one('two', '{') },
    { index: 0, function: one(null, '{"x":1}') },
    { index: 1, function: one(null, '}') },
  ],
  'an object that was packed as text twice, and null': [
    { index: 0, id: 'a', function: one('one', '"{\\"x\\":1}"') },
    { index: 1, id: 'b', function: one('two', 'null') },
  ],
  'numbers that do not begin at 0': [
    { index: 1, id: 'a', function: one('one', '{"x":1}') },
    { index: 7, id: 'b', function: one('two', '{}') },
  ],
};

const test = suite('calls');

for (const [how, deltas] of Object.entries(VARIANTS))
  test(`calls with ${how} are the same two`, () => {
    assert.equal(read(deltas).calls, [
      ['one', { x: 1 }],
      ['two', {}],
    ]);
  });

test('the same tool called twice is two calls, also under one number and without ids', () => {
  for (const more of [{ index: 0 }, {}]) {
    const deltas = ['{"x":1}', '{"x":2}'].map(given => ({ ...more, function: one('one', given) }));
    assert.equal(read(deltas).calls, [
      ['one', { x: 1 }],
      ['one', { x: 2 }],
    ]);
  }
});

test('arguments cut anywhere come to the same object', () => {
  const cuts = fc.array(fc.nat(40), { maxLength: 12 });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), cuts, (given, sizes) => {
      const text = JSON.stringify(given);
      const pieces: string[] = [];
      let at = 0;
      for (const size of sizes) pieces.push(text.slice(at, (at += size)));
      pieces.push(text.slice(at));
      const deltas = pieces.map((piece, n) => ({
        index: 0,
        id: 'a',
        function: one(n === 0 ? 'one' : null, piece),
      }));
      const [call] = read(deltas).calls;
      assert.is(JSON.stringify(call![1]), JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('whatever comes, nothing is thrown, and calls have an end', () => {
  const name = fc.option(fc.string({ maxLength: 3 }));
  const delta = fc.record(
    {
      index: fc.option(fc.integer()),
      id: fc.option(fc.string({ maxLength: 2 })),
      function: fc.option(fc.record({ name, arguments: fc.option(fc.oneof(fc.string(), fc.object())) })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(delta), deltas => {
      const parts = new CallParts(new Places());
      for (const one of deltas) assert.ok(Array.from(parts.take(one)).length <= 1);
      assert.ok(Array.from(parts.complete()).length <= deltas.length);
    }),
  );
  const many = Array.from({ length: 10_000 }, (_, index) => ({ index, function: one('one', '{}') }));
  assert.ok(read(many).calls.length <= 256);
});

test('arguments that come in 100,000 pieces are told a few hundred times', () => {
  const deltas = Array.from({ length: 100_000 }, () => ({ index: 0, function: one(null, 'abc') }));
  const { partials } = read([{ index: 0, id: 'a', function: one('one', '{"x":"') }, ...deltas]);
  assert.ok(partials.length > 50 && partials.length < 400, String(partials.length));
});

test.run();
