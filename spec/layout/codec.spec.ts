import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { CodedError } from '../../lib/base/errors.ts';
import { formatLayout, parseLayout } from '../../lib/layout/codec.ts';
import { single } from '../../lib/layout/tree.ts';
import { tree } from './arbitrary.ts';

const test = suite('layout text');

test('text and tree are the same thing', () => {
  fc.assert(
    fc.property(tree, node => {
      assert.equal(parseLayout(formatLayout(node)), node);
    }),
  );
});

test('text written by tmux 3.3a comes back byte for byte', () => {
  for (const text of [
    '602b,83x29,0,0{41x29,0,0,0,41x29,42,0,1}',
    'f474,83x29,0,0[83x24,0,0,0,83x4,0,25{41x4,0,25,1,41x4,42,25,2}]',
    '4d51,83x29,0,0[83x14,0,0{41x14,0,0,0,41x14,42,0,1},83x14,0,15{41x14,0,15,2,41x14,42,15,3}]',
    '83cd,83x29,0,0{47x29,0,0,3,15x29,48,0[15x5,48,0,5,15x23,48,6,4],19x29,64,0,1}',
  ]) {
    assert.is(formatLayout(parseLayout(text)), text);
  }
});

/** Body with its checksum, to get past the first check. */
function summed(body: string): string {
  let sum = 0;
  for (const char of body) sum = ((sum >> 1) + ((sum & 1) << 15) + char.charCodeAt(0)) & 0xffff;
  return `${sum.toString(16).padStart(4, '0')},${body}`;
}

test('what is wrong with a text is said in one line', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /does not begin with a checksum/],
    ['0000,80x24,0,0,1', /the checksum is wrong/],
    [summed('80x24,0,0'), /cannot be read at character 15/],
    [summed('0x24,0,0,1'), /0x24 is no size/],
    [summed('80x24,0,0{40x24,0,0,1,40x24,41,0,2}'), /the parts of 80x24 do not fill it/],
    [summed('81x24,0,0{40x24,0,0,1,40x23,41,0,2}'), /the parts of 81x24 do not fill it/],
    [summed('81x24,0,0{40x24,0,0,1,40x24,41,0,1}'), /a pane is named twice/],
    [summed('81x24,0,0{40x24,0,0,1,40x24,41,0,2]'), /expected \} at character/],
    [summed('80x24,0,0,1,'), /text behind the end/],
    [summed('1x1,0,0{'.repeat(200)), /nested deeper/],
    [summed('1x1,0,0{'.repeat(20_000)), /longer than/],
  ];
  for (const [text, why] of cases) {
    assert.throws(
      () => parseLayout(text),
      (error: unknown) => error instanceof CodedError && error.code === 'usage' && why.test(error.message),
    );
  }
});

test('no text makes it fail in another way', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789x,{}[]') }), body => {
      try {
        parseLayout(summed(body));
      } catch (error) {
        assert.instance(error, CodedError);
      }
    }),
  );
});

test('a lone pane is the shortest text', () => {
  assert.is(formatLayout(single(7, { cols: 80, rows: 24 })).slice(5), '80x24,0,0,7');
});

test.run();
