import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveCaps } from '../../../lib/render/caps.ts';
import { OuterTerminalModes, type WantedModes } from '../../../lib/server/client/outer.ts';

const test = suite("what a client's terminal is asked to report");

const NOTHING: WantedModes = { mouse: 'drag', kittyFlags: 0, applicationKeypad: false };

function outer(term = 'xterm-256color'): {
  readonly modes: OuterTerminalModes;
  answer(text: string): boolean;
  change(wanted?: Partial<WantedModes>): string;
} {
  const modes = new OuterTerminalModes(deriveCaps({ term }), 'drag');
  modes.enter();
  return {
    modes,
    answer: text => modes.reply(Buffer.from(text, 'latin1')),
    change: wanted => modes.change({ ...NOTHING, ...wanted }),
  };
}

test('a terminal is asked for the kitty keyboard, with a question behind it that all answer', () => {
  const enter = (term: string): string => new OuterTerminalModes(deriveCaps({ term }), 'drag').enter();
  assert.match(enter('xterm-256color'), /\x1b\[\?u\x1b\[c$/);
  assert.not.match(enter('linux'), /\x1b\[\?u/);
  assert.not.match(enter('vt220'), /\x1b\[c/);
});

test('one that answers gets the flags pushed once, and then changed', () => {
  const { answer, change } = outer();
  assert.is(change(), '');
  assert.ok(answer('\x1b[?0u'));
  assert.is(change(), '\x1b[>5u');
  assert.is(change(), '');
  assert.is(change({ kittyFlags: 1 }), '');
  assert.is(change({ kittyFlags: 3 }), '\x1b[=7;1u');
  // All keys as sequences: their text too, or mux could not type them elsewhere.
  assert.is(change({ kittyFlags: 9 }), '\x1b[=29;1u');
  assert.is(change(), '\x1b[=5;1u');
  assert.not.ok(answer('\x1b[?62;22c'), 'DA1 changes nothing then');
  assert.is(change(), '');
});

test('one that only answers DA1 gets modifyOtherKeys', () => {
  const { answer, change } = outer();
  assert.ok(answer('\x1b[?62;22c'));
  assert.is(change({ kittyFlags: 31 }), '\x1b[>4;2m');
  assert.is(change(), '');
});

test('an answer that comes late is heeded once, and answers for nobody never', () => {
  const { answer, change } = outer();
  answer('\x1b[?6c');
  change();
  assert.not.ok(answer('\x1b[?6c'));
  assert.ok(answer('\x1b[?1u'));
  assert.is(change(), '\x1b[>4;0m\x1b[>5u');
  for (const text of [
    '\x1b[?0u',
    '\x1b[?6c',
    '\x1b]11;rgb:0/0/0\x07',
    '\x1b[5;5R',
    `\x1b[?${'1'.repeat(200)}u`,
  ])
    assert.not.ok(answer(text), text);
  assert.is(change(), '');
});

test('answers to a terminal that was not asked do nothing', () => {
  const { answer, change } = outer('linux');
  assert.not.ok(answer('\x1b[?1u'));
  assert.is(change({ kittyFlags: 31 }), '');
});

test('all movement is reported while a program that is shown wants it, and the keypad while it is typed in', () => {
  const { change } = outer();
  assert.match(change({ mouse: 'any' }), /\x1b\[\?1003h\x1b\[\?1006h$/);
  assert.match(change(), /\x1b\[\?1002h\x1b\[\?1006h$/);
  assert.match(change({ mouse: 'off' }), /\x1b\[\?1003l(\x1b\[\?\d+l)*$/);
  change();
  assert.is(change({ applicationKeypad: true }), '\x1b=');
  assert.is(change(), '\x1b>');
});

test('a terminal that was reset is told everything again', () => {
  const { modes, answer, change } = outer();
  answer('\x1b[?0u');
  change({ kittyFlags: 3, mouse: 'any' });
  const again = modes.again();
  for (const part of ['\x1b[?1003h', '\x1b[?1006h', '\x1b[?2004h', '\x1b[?1004h', '\x1b[=7;1u'])
    assert.ok(again.includes(part), JSON.stringify(part));
});

test.run();
