import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pasteBytes } from '../../lib/cmd/buffer-commands.ts';
import { Buffers, MAX_BUFFER_BYTES, MAX_NAMED, MAX_TOTAL_BYTES } from '../../lib/cmd/buffers.ts';

const test = suite('cmd/buffers');
const bytes = (text: string): Uint8Array => Buffer.from(text);
const names = (buffers: Buffers): string[] => buffers.all().map(buffer => buffer.name);

test('numbered buffers beyond the limit go, the oldest first; a named one stays', () => {
  const buffers = new Buffers(() => 3);
  buffers.set(bytes('kept'), 0, 'mine');
  for (let n = 0; n < 5; n++) buffers.set(bytes(String(n)), n);
  assert.equal(names(buffers), ['buffer4', 'buffer3', 'buffer2', 'mine']);
});

test('the newest is the one copied last, not one that somebody named', () => {
  const buffers = new Buffers(() => 3);
  buffers.set(bytes('copied'), 0);
  buffers.set(bytes('named'), 1, 'mine');
  assert.is(buffers.get()!.name, 'buffer0');
  buffers.delete('buffer0');
  assert.is(buffers.get()!.name, 'mine');
});

test('a renamed buffer stays, and takes the place of one that had the name', () => {
  const buffers = new Buffers(() => 1);
  buffers.set(bytes('old'), 0, 'mine');
  buffers.set(bytes('new'), 1);
  buffers.rename('buffer0', 'mine');
  buffers.set(bytes('next'), 2);
  assert.equal(names(buffers), ['buffer1', 'mine']);
  assert.is(Buffer.from(buffers.get('mine')!.data).toString(), 'new');
});

test('a number that somebody has used as a name is not given again', () => {
  const buffers = new Buffers(() => 9);
  buffers.set(bytes('a'), 0, 'buffer0');
  assert.is(buffers.set(bytes('b'), 1).name, 'buffer1');
});

test('however much is copied, no buffer and not all together are larger than their bounds', () => {
  const buffers = new Buffers(() => 1000);
  for (let n = 0; n < 6; n++) buffers.set(new Uint8Array(MAX_BUFFER_BYTES + 1), n);
  assert.is(buffers.all()[0]!.data.length, MAX_BUFFER_BYTES);
  assert.ok(buffers.all().reduce((sum, { data }) => sum + data.length, 0) <= MAX_TOTAL_BYTES);
});

test('names that cannot be seen, and more named buffers than anybody needs, are refused', () => {
  const buffers = new Buffers(() => 1);
  for (const name of ['', 'a\nb', '\u202e', 'x'.repeat(101)])
    assert.throws(() => buffers.set(bytes(''), 0, name), /buffer name/);
  for (let n = 0; n < MAX_NAMED; n++) buffers.set(bytes(''), 0, `b${n}`);
  assert.throws(() => buffers.set(bytes(''), 0, 'more'), /500 named buffers/);
  buffers.set(bytes('still'), 1, 'b0');
});

test('line feeds become what Enter sends, or what was asked for, or stay', () => {
  const text = (separator: string | undefined): string =>
    Buffer.from(pasteBytes(bytes('é\nb\n'), { bracketed: false, separator })).toString();
  assert.is(text(undefined), 'é\rb\r');
  assert.is(text('\n'), 'é\nb\n');
  assert.is(text(' ⏎ '), 'é ⏎ b ⏎ ');
});

test('whatever a buffer holds, a bracketed paste ends at its end', () => {
  const piece = fc.constantFrom('\x1b[201~', '\x1b', '[201~', '\x9b201~', 'é', '\n', 'x', '\x1b[20', '1~');
  const separator = fc.option(fc.constantFrom('\n', '\x1b', '', 'é'), { nil: undefined });
  fc.assert(
    fc.property(fc.array(piece), separator, (pieces, chosen) => {
      const data = Buffer.from(pieces.join(''), 'latin1');
      const sent = Buffer.from(pasteBytes(data, { bracketed: true, separator: chosen })).toString('latin1');
      assert.is(sent.indexOf('\x1b[200~'), 0);
      assert.is(sent.indexOf('\x1b[201~'), sent.length - 6);
    }),
  );
});

test.run();
