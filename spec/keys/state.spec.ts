import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatKey, parseKey } from '../../lib/input/keyname.ts';
import { DEFAULT_KEYS } from '../../lib/keys/defaults.ts';
import { isPrefixHeld, press, startKeys, withBase } from '../../lib/keys/state.ts';
import type { KeyState, Press } from '../../lib/keys/state.ts';
import { KeyTables, bindRows } from '../../lib/keys/tables.ts';

const test = suite('key state');

const REPEAT_MS = 500;

function tables(): KeyTables {
  const made = new KeyTables();
  bindRows(made, DEFAULT_KEYS);
  return made;
}

/** One press in words: its command, `type KEY`, `unbound KEY`, or `-` for the prefix itself. */
function inWords(pressed: Press, key: string): string {
  if (pressed.command !== undefined) return pressed.command;
  if (pressed.passthrough) return `type ${key}`;
  return pressed.unbound ? `unbound ${formatKey(pressed.unbound)}` : '-';
}

/** Presses keys, each `KEY` or `KEY@MS` (time since the one before), and tells what each did. */
function play(keys: string, prefix = 'C-b', start: KeyState = startKeys(), bound = tables()): string[] {
  let state = start;
  let now = 1000;
  return keys.split(' ').map(word => {
    const [key = '', wait = '0'] = word.split('@');
    now += Number(wait);
    const pressed = press(state, parseKey(key), now, bound, {
      prefix: parseKey(prefix),
      repeatMs: REPEAT_MS,
    });
    state = pressed.state;
    return inWords(pressed, key);
  });
}

test('keys without the prefix are typed', () => {
  assert.equal(play('l s Enter'), ['type l', 'type s', 'type Enter']);
});

test('a key behind the prefix is a command, and the next one is typed', () => {
  assert.equal(play('C-b c c'), ['-', 'new-window', 'type c']);
  assert.equal(play('C-b@0 %@60000'), ['-', 'split-window -h']);
});

test('the held prefix is visible in the state', () => {
  const options = { prefix: parseKey('C-b'), repeatMs: REPEAT_MS };
  const held = press(startKeys(), parseKey('C-b'), 0, tables(), options).state;
  assert.is(isPrefixHeld(held, 10_000), true);
  assert.is(isPrefixHeld(startKeys(), 0), false);
  const repeating = press(held, parseKey('Up'), 0, tables(), options).state;
  assert.is(isPrefixHeld(repeating, REPEAT_MS - 1), true);
  assert.is(isPrefixHeld(repeating, REPEAT_MS), false);
});

test('an unknown key behind the prefix is swallowed and named', () => {
  assert.equal(play('C-b F20 x'), ['-', 'unbound F20', 'type x']);
});

test('repeating keys work without the prefix for a moment', () => {
  assert.equal(play('C-b C-Up C-Up@499 C-Up@499 C-Up@500'), [
    '-',
    'resize-pane -U',
    'resize-pane -U',
    'resize-pane -U',
    'type C-Up',
  ]);
});

test('a key that does not repeat is typed in that moment, and ends it', () => {
  assert.equal(play('C-b Up c Up'), ['-', 'select-pane -U', 'type c', 'type Up']);
  assert.equal(play('C-b Up F20'), ['-', 'select-pane -U', 'type F20']);
});

test('the prefix while keys repeat is the prefix', () => {
  assert.equal(play('C-b Up C-b c'), ['-', 'select-pane -U', '-', 'new-window']);
});

test('the prefix twice sends the prefix, whichever it is', () => {
  assert.equal(play('C-b C-b x'), ['-', 'send-prefix', 'type x']);
  assert.equal(play('C-a C-a x', 'C-a'), ['-', 'send-prefix', 'type x']);
  assert.equal(play('C-b', 'C-a'), ['type C-b']);
});

test('a prefix that is bound behind itself does that', () => {
  const bound = tables();
  bindRows(bound, [{ table: 'prefix', key: 'C-a', command: 'last-window', note: '' }]);
  assert.equal(play('C-a C-a', 'C-a', startKeys(), bound), ['-', 'last-window']);
});

test('a prefix that terminals spell in two ways works in both', () => {
  assert.equal(play('C-_ c', 'C-/'), ['-', 'new-window']);
});

test('a root binding needs no prefix, but the prefix comes before it', () => {
  const bound = tables();
  const row = (key: string) => ({ table: 'root', key, command: `root ${key}`, note: '' });
  bindRows(bound, [row('M-Left'), row('C-b')]);
  assert.equal(play('M-Left C-b c', 'C-b', startKeys(), bound), ['root M-Left', '-', 'new-window']);
});

test('in a mode its keys are commands, the rest is for the mode, and the prefix still works', () => {
  const start = startKeys('copy-mode-vi');
  assert.equal(play('k x C-b c j', 'C-b', start), [
    'send-keys -X cursor-up',
    'type x',
    '-',
    'new-window',
    'send-keys -X cursor-down',
  ]);
});

test('both Escape and C-[ end copy mode', () => {
  assert.equal(play('Escape C-[', 'C-b', startKeys('copy-mode')), [
    'send-keys -X cancel',
    'send-keys -X cancel',
  ]);
});

test('the prefix twice in a mode is what the key does there', () => {
  assert.equal(play('C-b C-b k', 'C-b', startKeys('copy-mode-vi')), [
    '-',
    'send-keys -X page-up',
    'send-keys -X cursor-up',
  ]);
  assert.equal(play('C-b C-b', 'C-b', startKeys('picker')), ['-', 'type C-b']);
});

test('a mode that begins keeps a held prefix and is returned to', () => {
  const options = { prefix: parseKey('C-b'), repeatMs: REPEAT_MS };
  const held = press(startKeys(), parseKey('C-b'), 0, tables(), options).state;
  assert.equal(withBase(held, 'copy-mode'), { table: 'prefix', base: 'copy-mode', repeatUntil: 0 });
  assert.equal(withBase(startKeys(), 'picker'), startKeys('picker'));
  assert.equal(withBase(startKeys('picker'), 'root'), startKeys());
});

test('every press does exactly one thing, and no sequence of keys gets stuck', () => {
  const bound = tables();
  const options = { prefix: parseKey('C-b'), repeatMs: REPEAT_MS };
  const keys = fc.constantFrom('C-b', 'Up', 'C-Up', 'c', 'F20', 'Escape', 'x').map(parseKey);
  const presses = fc.array(fc.tuple(keys, fc.integer({ min: 0, max: 700 })), { maxLength: 20 });
  fc.assert(
    fc.property(presses, fc.constantFrom('root', 'copy-mode'), (list, base) => {
      let state = startKeys(base);
      let now = 0;
      for (const [key, wait] of list) {
        now += wait;
        const { state: next, ...did } = press(state, key, now, bound, options);
        assert.ok(Object.keys(did).length === (next.table === 'prefix' && next.repeatUntil === 0 ? 0 : 1));
        assert.is(next.base, base);
        state = next;
      }
      now += REPEAT_MS;
      const last = press(
        press(state, parseKey('F20'), now, bound, options).state,
        parseKey('z'),
        now,
        bound,
        options,
      );
      assert.is(last.passthrough, true);
    }),
    { numRuns: 1000 },
  );
});

test.run();
