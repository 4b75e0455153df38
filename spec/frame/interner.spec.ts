import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FrameTables, isHarmless, isPrintable } from '../../lib/frame/interner.ts';
import { CONTENT } from '../../lib/term/cell.ts';

const test = suite('side tables of frames');

test('a cluster has one id, and the id gives it back', () => {
  const tables = new FrameTables();
  const content = tables.cluster('e\u0301');
  assert.is(content & CONTENT.isCluster, CONTENT.isCluster);
  assert.is(tables.cluster('e\u0301'), content);
  assert.is(tables.clusterText(content), 'e\u0301');
});

test('what is left of a cluster is printable, harmless and short, whatever it was', () => {
  const tables = new FrameTables();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 90 }), text => {
      const content = tables.cluster(text);
      if (!(content & CONTENT.isCluster)) return content === 0 || isPrintable(content);
      const shown = tables.clusterText(content);
      const [first, ...rest] = Array.from(shown, one => one.codePointAt(0)!);
      return shown.length <= 62 && isPrintable(first!) && rest.every(isHarmless);
    }),
  );
});

test('a table that a program fills stops growing, and is emptied before the next frame', () => {
  const tables = new FrameTables();
  for (let n = 0; n < 70_000; n++)
    tables.cluster(`${String.fromCodePoint(0x4e00 + (n % 20_000))}${'\u0301'.repeat(1 + n / 20_000)}`);
  assert.is(tables.cluster('z\u0301'), 'z'.codePointAt(0));
  assert.is(tables.tidy(), true);
  assert.is(tables.generation, 1);
  assert.ok(tables.cluster('z\u0301') & CONTENT.isCluster);
  assert.is(tables.tidy(), false);
});

test('links are bounded by their text', () => {
  const tables = new FrameTables();
  let kept = 0;
  for (let n = 0; n < 5000; n++) if (tables.extended(0, 0, `https://x/${n}/${'y'.repeat(2000)}`, '')) kept++;
  assert.ok(kept > 2000 && kept < 2200, String(kept));
  assert.is(tables.tidy(), true);
});

test('a record that says nothing has id 0, also when its link cannot be used', () => {
  const tables = new FrameTables();
  assert.is(tables.extended(0, 0, '', ''), 0);
  assert.is(tables.extended(0, 0, 'https://x/\u0007', ''), 0);
  assert.is(tables.extended(0, 0, 'y'.repeat(2084), ''), 0);
  assert.is(tables.extended(0, 0, '', 'id'), 0);
});

test('records differ by each of their parts', () => {
  const tables = new FrameTables();
  const ids = [
    tables.extended(1, 0, 'a', ''),
    tables.extended(2, 0, 'a', ''),
    tables.extended(1, 5, 'a', ''),
    tables.extended(1, 0, 'b', ''),
    tables.extended(1, 0, 'a', 'i'),
    tables.extended(1, 0, 'a', ''),
  ];
  assert.is(new Set(ids).size, 5);
  assert.is(ids[5], ids[0]);
  assert.is(tables.extendedOf(ids[4]!).linkId, 'i');
});

test.run();
