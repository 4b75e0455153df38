/** Messages of foreign types: every value that goes in comes out, and bytes of any kind end in a value or in a coded error. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { decodeMessage } from '../../lib/tools/engines/decode.ts';
import { FileReader, TypeTable } from '../../lib/tools/engines/descriptors.ts';
import { encodeMessage } from '../../lib/tools/engines/encode.ts';
import { masked } from '../../lib/tools/engines/read-mask.ts';
import { LineReader } from '../../lib/tools/mcp/lines.ts';
import { serverPrefixes, toolName } from '../../lib/tools/mcp/names.ts';
import { wireSchema } from '../../lib/tools/mcp/schema.ts';
import { compiled } from '../support/engine-host.ts';

const test = suite('Messages of foreign types');
const reader = new FileReader();
const types = new TypeTable([...compiled().values()].map(bytes => reader.read(bytes)));
const BOOK = 'spec.library.v1.Book';

const some = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const json = fc.jsonValue({ maxDepth: 4 });
const book = fc
  .record({
    name: some(fc.string({ unit: 'grapheme' })),
    pages: some(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
    code: some(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)),
    floor: some(fc.integer()),
    number: some(fc.nat(2 ** 32 - 1)),
    lent: some(fc.boolean()),
    ratings: some(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 })),
    copies: some(
      fc.dictionary(
        fc.string().filter(key => key !== '__proto__'),
        fc.integer(),
        { minKeys: 1 },
      ),
    ),
    cover: some(fc.uint8Array().map(bytes => Buffer.from(bytes).toString('base64'))),
    binding: some(fc.constantFrom('BINDING_PAPER', 'BINDING_CLOTH')),
    published: some(
      fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map(at => at.toISOString().replace(/\.?0*Z$/, 'Z')),
    ),
    extra: some(
      fc.dictionary(
        fc.string().filter(key => key !== '__proto__'),
        json,
      ),
    ),
    note: some(json.filter(value => value !== null)),
  })
  .map(
    value =>
      JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"')) as Record<string, unknown>,
  );

/** -0 is 0 in JSON. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('what is written is read', () => {
  fc.assert(
    fc.property(book, value => {
      assert.equal(plain(decodeMessage(types, BOOK, encodeMessage(types, BOOK, value))), plain(value));
    }),
  );
});

test('bytes of any kind are a message or a coded error', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(book, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const made = encodeMessage(types, BOOK, value);
      if (made.length > 0) made[at % made.length] = byte;
      return made;
    }),
  );
  fc.assert(
    fc.property(bytes, given => {
      try {
        JSON.stringify(decodeMessage(types, BOOK, given));
      } catch (error) {
        assert.instance(error, CodedError);
      }
    }),
  );
});

test('JSON of any kind is written or refused', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...types.message(BOOK).byName.keys()), json), value => {
      try {
        encodeMessage(types, BOOK, value);
      } catch (error) {
        assert.instance(error, CodedError);
      }
    }),
  );
});

test('messages within messages and many values end', () => {
  let deep = Buffer.alloc(0);
  const length = (size: number): Buffer => {
    const out: number[] = [];
    for (let left = size; ; left >>>= 7) {
      out.push(left > 127 ? (left & 127) | 128 : left);
      if (left <= 127) return Buffer.from(out);
    }
  };
  for (let at = 0; at < 5000; at++) deep = Buffer.concat([Buffer.from([0x7a]), length(deep.length), deep]);
  assert.throws(() => decodeMessage(types, BOOK, deep), /nested too deep/);
  const many = Buffer.alloc(2_000_000, Buffer.from([0x90, 0x01, 0x01]));
  assert.throws(() => decodeMessage(types, BOOK, many), /more than 200000 values/);
  const packed = Buffer.concat([Buffer.from([0x92, 0x01]), length(1_000_000), Buffer.alloc(1_000_000, 1)]);
  assert.throws(() => decodeMessage(types, BOOK, packed), /more than 200000 values/);
});

test('names of a host do not reach into ours', () => {
  const hostile = new TypeTable([
    {
      package: 'x',
      message_type: [
        {
          name: '__proto__',
          field: [
            { name: '__proto__', number: 1, type: 9 },
            { name: 'constructor', number: 2, type: 11, type_name: '.x.__proto__' },
            { name: 'constructor', number: 2, type: 99 },
            { name: '', number: 3, type: 9 },
            { name: 'a', number: -1, type: 9 },
          ],
        },
      ],
    },
  ]);
  const bytes = Buffer.from([0x0a, 1, 0x61, 0x12, 0, 0x12, 1, 0]);
  const value = decodeMessage(hostile, 'x.__proto__', bytes) as Record<string, unknown>;
  assert.is(Object.getPrototypeOf(value), null);
  assert.is(({} as Record<string, unknown>).a, undefined);
});

test('a mask takes what it names, through lists', () => {
  const value = { a: 1, b: [{ c: 1, d: 2 }, { c: 3 }], e: { f: { g: 1 }, h: 2 } };
  assert.equal(masked(value, ['b.c', 'e.f']), { b: [{ c: 1 }, { c: 3 }], e: { f: { g: 1 } } });
  assert.equal(masked(value, []), value);
  assert.equal(masked(value, ['e', 'e.h']), { e: value.e });
});

test('schemas of MCP servers, whatever they are, become schemas that can be sent', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything({ maxDepth: 5 }), json), given => {
      const schema = wireSchema(given);
      assert.is(schema.type, 'object');
      JSON.stringify(schema);
    }),
  );
});

test('names for tools are short, sayable, different and always the same', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ maxLength: 80 }), { maxLength: 20 }),
      fc.uniqueArray(fc.string({ maxLength: 300 })),
      (servers, tools) => {
        const prefixes = serverPrefixes(servers);
        assert.is(new Set(prefixes.values()).size, servers.length);
        for (const prefix of prefixes.values()) {
          assert.match(prefix, /^mcp__[A-Za-z0-9-](?:_?[A-Za-z0-9-])*_?[A-Za-z0-9-]*__$/);
          const taken = new Set<string>();
          for (const tool of tools) {
            const name = toolName(prefix, tool, taken);
            assert.not.ok(taken.has(name));
            taken.add(name);
            assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
          }
        }
      },
    ),
  );
});

test('lines are the same however they come', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary-ascii' }).map(line => line.replace(/[\r\n]/g, ''))),
      fc.array(fc.nat(50)),
      (lines, cuts) => {
        const whole = Buffer.from(lines.map(line => `${line}\n`).join(''));
        const lineReader = new LineReader(1e6);
        const found: string[] = [];
        let at = 0;
        for (const cut of [...cuts, whole.length]) {
          for (const line of lineReader.push(whole.subarray(at, at + cut))!) found.push(line.toString());
          at = Math.min(whole.length, at + cut);
        }
        assert.equal(found, lines);
      },
    ),
  );
});

test.run();
