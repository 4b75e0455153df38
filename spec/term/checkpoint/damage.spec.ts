/**
 * A file that a crash has cut, that rotted, or that another version wrote makes no emulator: it makes a CheckpointError.
 */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CheckpointError, type CheckpointFault } from '../../../lib/term/checkpoint/error.ts';
import { ENVELOPE_BYTES, FORMAT, seal, sumOf } from '../../../lib/term/checkpoint/envelope.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import { captureLines } from '../../../lib/term/text-dump.ts';
import { bytes } from '../terminal.ts';

const test = suite('a damaged checkpoint');

/** Of everything a little: a saved cursor, links, clusters, history, both screens. */
function sample(): Buffer {
  const emulator = new Emulator({ cols: 20, rows: 5, historyLines: 50 });
  emulator.write(
    bytes(
      '\x1b]8;id=1;http://a/\x07link\x1b]8;;\x07\x1b[4:3m漢字 e\u0301\x1b[m\x1b7\r\n'.repeat(20) +
        '\x1b]4;1;red\x07\x1b]2;title\x07\x1b[22;0t\x1b[>5u\x1b[?1049h\x1b(0above\x1b7',
    ),
  );
  return Buffer.from(emulator.checkpoint()!);
}

/** The fault that these bytes are refused for; undefined where they make an emulator. */
function faultOf(checkpoint: Uint8Array): CheckpointFault | undefined {
  try {
    Emulator.restore(checkpoint).dispose();
    return undefined;
  } catch (error) {
    assert.instance(error, CheckpointError);
    return (error as CheckpointError).fault;
  }
}

test('cut anywhere', () => {
  const whole = sample();
  assert.is(faultOf(whole), undefined);
  for (let length = 0; length < whole.length; length++)
    assert.is(faultOf(whole.subarray(0, length)), 'damaged', `cut at ${length}`);
});

test('cut anywhere, and filled up with zeros as some file systems do', () => {
  const whole = sample();
  for (let length = ENVELOPE_BYTES; length < whole.length - 1; length += 7) {
    const zeroed = Buffer.from(whole).fill(0, length);
    if (!zeroed.equals(whole)) assert.is(faultOf(zeroed), 'damaged', `zeros from ${length}`);
  }
});

test('with one bit turned round', () => {
  const whole = sample();
  for (let bit = 0; bit < whole.length * 8; bit++) {
    whole[bit >> 3]! ^= 1 << (bit & 7);
    assert.ok(faultOf(whole) !== undefined, `bit ${bit}`);
    whole[bit >> 3]! ^= 1 << (bit & 7);
  }
});

test('with something behind it', () => {
  assert.is(faultOf(Buffer.concat([sample(), Buffer.alloc(1)])), 'damaged');
});

test('of no bytes, of any bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), data => assert.is(faultOf(data), 'damaged')));
});

test('of another format or package says so', () => {
  for (const [at, value] of [
    [4, FORMAT + 1],
    [8, 0x050500],
  ] as const) {
    const other = sample();
    other.writeUInt32LE(value, at);
    assert.is(faultOf(other), 'version');
  }
});

test('that lies in memory at any address is read', () => {
  const whole = sample();
  for (let shift = 0; shift < 8; shift++) {
    const moved = Buffer.alloc(whole.length + shift).subarray(shift);
    whole.copy(moved);
    assert.is(faultOf(moved), undefined, `at ${shift}`);
  }
});

test('is not needed any more once it is read', () => {
  const whole = sample();
  const emulator = Emulator.restore(whole);
  whole.fill(0xff);
  assert.ok(sample().equals(emulator.checkpoint()!));
});

/** Changes with which the sum is right again, as no accident makes them. */
const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });

test('whose sum was made right makes an emulator that works, or none', () => {
  const whole = sample();
  let refused = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.nat(40), (changes, cut) => {
      const forged = Buffer.from(cut === 0 ? whole.subarray(0, whole.length - (changes[0]!.at % 99)) : whole);
      for (const { at, value } of changes)
        forged[ENVELOPE_BYTES + (at % (forged.length - ENVELOPE_BYTES))] = value;
      seal(forged);
      let emulator: Emulator;
      try {
        emulator = Emulator.restore(forged);
      } catch (error) {
        assert.instance(error, CheckpointError);
        refused++;
        return;
      }
      captureLines(emulator, { start: -Infinity, escapes: true });
      emulator.write(bytes('more\r\n\x1b8\x1b[?1049lmore'));
      emulator.resize(9, 3);
      emulator.dispose();
    }),
    { numRuns: 500, seed: 1 },
  );
  assert.ok(refused > 0);
});

test('the sum depends on every byte and on their number', () => {
  const seen = new Set<number>();
  for (let length = 0; length < 50; length++) seen.add(sumOf(new Uint8Array(length)));
  assert.is(seen.size, 50);
});

test.run();
