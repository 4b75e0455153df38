import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../../lib/base/clock.ts';
import { formatKey, parseKey } from '../../../lib/input/keyname.ts';
import { DEFAULT_KEYS } from '../../../lib/keys/defaults.ts';
import { bindRows, KeyTables } from '../../../lib/keys/tables.ts';
import { OPTIONS } from '../../../lib/options/table.ts';
import { ClientInput, type InputSink } from '../../../lib/server/client/input.ts';

const test = suite('input of a client');

/** A client's input with what came of it, in words. */
function input(escapeMs: number = OPTIONS['escape-time'].default): {
  readonly heard: string[];
  readonly clock: ManualClock;
  type(latin1: string): void;
} {
  const clock = new ManualClock(1_000_000);
  const heard: string[] = [];
  const keys = new KeyTables();
  bindRows(keys, DEFAULT_KEYS);
  const hex = (bytes: Uint8Array): string => JSON.stringify(Buffer.from(bytes).toString('latin1'));
  const sink: InputSink = {
    baseTable: () => 'root',
    command: line => heard.push(`run ${line}`),
    key: key => heard.push(formatKey(key)),
    keyReport: () => heard.push('report'),
    unknown: raw => heard.push(`unknown ${hex(raw)}`),
    reply: () => heard.push('reply'),
    unbound: key => heard.push(`unbound ${formatKey(key)}`),
    mouse: event => heard.push(`${event.action} ${event.x},${event.y}`),
    paste: (data, first, last) => heard.push(`paste ${first ? '[' : ''}${hex(data)}${last ? ']' : ''}`),
    focus: focused => heard.push(`focus ${focused}`),
    prefixChanged: () => undefined,
  };
  const client = new ClientInput(clock, sink, keys, () => ({
    prefix: parseKey('C-b'),
    repeatMs: 500,
    escapeMs,
  }));
  return { heard, clock, type: latin1 => client.bytes(Buffer.from(latin1, 'latin1')) };
}

test('split input over a slow line prints no garbage: every sequence byte by byte, 30 ms apart', () => {
  const sequences = [
    ['\x1b[13;2u', 'S-Enter'],
    ['\x1b[27;5;49~', 'C-1'],
    ['\x1b[1;5C', 'C-Right'],
    ['\x1bOP', 'F1'],
    ['\x1b[25~', 'F13'],
    ['\x1b[<35;72;12M', 'move 71,11'],
    ['\x1b[M !"', 'press 0,1'],
    ['\x1b[I', 'focus true'],
    ['\x1b[200~ab\x1b[201~', 'paste'],
    ['\x1b]11;rgb:0000/0000/0000\x1b\\', 'reply'],
    ['\x1b[?62;22c', 'reply'],
    ['\x1bx', 'M-x'],
    ['\xf0\x9f\x8d\x8c', '🍌'],
  ] as const;
  for (const [sequence, word] of sequences) {
    const { heard, clock, type } = input();
    for (const byte of sequence) {
      type(byte);
      clock.advance(30);
    }
    const got = heard.map(text => (text.startsWith('paste') ? 'paste' : text));
    assert.equal(Array.from(new Set(got)), [word], JSON.stringify(sequence));
  }
});

test('a lone ESC and a key 60 ms later are two keys, and one key when they come together', () => {
  const { heard, clock, type } = input();
  type('\x1b');
  clock.advance(60);
  type('x');
  type('\x1bx');
  assert.equal(heard, ['Escape', 'x', 'M-x']);
});

test('the option says how long Escape waits', () => {
  const { heard, clock, type } = input(300);
  type('\x1b');
  clock.advance(299);
  assert.equal(heard, []);
  clock.advance(1);
  assert.equal(heard, ['Escape']);
});

test('a mouse report that stalls half a second at every byte is one report', () => {
  const { heard, clock, type } = input();
  type('\x1b[<');
  for (const byte of '35;72;12M') {
    clock.advance(500);
    type(byte);
  }
  assert.equal(heard, ['move 71,11']);
});

test('a sequence that never ends holds up what follows for a second at most', () => {
  const { heard, clock, type } = input();
  type('\x1b]11;rgb:');
  clock.advance(1100);
  type('ls');
  assert.equal(heard, ['unknown "\\u001b]11;rgb:"', 'l', 's']);
});

test('half a paste is ended after a silence, so that keys are keys again', () => {
  const { heard, clock, type } = input();
  type('\x1b[200~rm -rf');
  clock.advance(4900);
  type(' x\x1b[20');
  clock.advance(4900);
  assert.equal(heard, ['paste ["rm -rf"', 'paste " x"']);
  clock.advance(100);
  type('\x02d');
  assert.equal(heard.slice(2), ['paste "\\u001b[20"]', 'run detach-client']);
});

test('key releases and modifiers alone are never keys, not even behind the prefix', () => {
  const { heard, type } = input();
  type('\x1b[98;5u\x1b[98;5:3u\x1b[57442;5:3u\x1b[100u\x1b[100;1:3u');
  assert.equal(heard, ['report', 'report', 'run detach-client', 'report']);
});

test.run();
