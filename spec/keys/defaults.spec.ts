import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatKey, parseKey } from '../../lib/input/keyname.ts';
import { KEY_GROUPS } from '../../lib/keys/default-key.ts';
import { DEFAULT_KEYS } from '../../lib/keys/defaults.ts';
import { KeyTables, bindRows } from '../../lib/keys/tables.ts';

const test = suite('default keys');

function command(table: string, key: string): string | undefined {
  const tables = new KeyTables();
  bindRows(tables, DEFAULT_KEYS);
  return tables.lookup(table, parseKey(key))?.command;
}

test('every default key is written as it is formatted', () => {
  for (const { key } of DEFAULT_KEYS) assert.is(formatKey(parseKey(key)), key);
});

test('no key stands twice in a table', () => {
  assert.equal(bindRows(new KeyTables(), DEFAULT_KEYS), []);
});

test('every default key has a note, a heading and a command', () => {
  for (const row of DEFAULT_KEYS) {
    assert.match(row.note, /^[A-Z].*[^.\s]$/, row.key);
    assert.ok(row.note.length <= 60, row.note);
    assert.ok(KEY_GROUPS.includes(row.group), row.key);
    assert.match(row.command, /^[a-z]/, row.key);
  }
});

test('every heading has keys', () => {
  for (const group of KEY_GROUPS)
    assert.ok(
      DEFAULT_KEYS.some(row => row.group === group),
      group,
    );
});

test('modes are left with Escape and never repeat', () => {
  for (const table of ['copy-mode', 'sidebar', 'picker', 'browser'])
    assert.is(command(table, 'Escape'), 'send-keys -X cancel', table);
  assert.equal(
    DEFAULT_KEYS.filter(row => row.repeat && row.table !== 'prefix'),
    [],
  );
});

test('no characters are bound where they belong to the filter line', () => {
  for (const row of DEFAULT_KEYS.filter(({ table }) => ['picker', 'browser-line', 'prompt'].includes(table)))
    assert.ok(row.key.length > 1 && row.key !== 'Space', `${row.table} ${row.key}`);
});

/** The keys that a hand coming from tmux expects behind the prefix, and those of mux. */
const EXPECTED: readonly (readonly [key: string, command: string])[] = [
  ['%', 'split-window -h'],
  ['"', 'split-window -v'],
  ['o', 'select-pane -t :.+'],
  [';', 'select-pane -l'],
  ['Left', 'select-pane -L'],
  ['C-Right', 'resize-pane -R'],
  ['M-Down', 'resize-pane -D 5'],
  ['z', 'resize-pane -Z'],
  ['!', 'break-pane'],
  ['Space', 'next-layout'],
  ['M-5', 'select-layout tiled'],
  ['{', 'swap-pane -U'],
  ['}', 'swap-pane -D'],
  ['c', 'new-window'],
  ['n', 'next-window'],
  ['p', 'previous-window'],
  ['l', 'last-window'],
  ['0', 'select-window -t 0'],
  ['9', 'select-window -t 9'],
  ['w', 'navigator'],
  ['b', 'switch-client -l'],
  [')', 'switch-client -n'],
  ['(', 'switch-client -p'],
  ['S', 'shell-mode'],
  ['s', 'choose-tree -s'],
  ['=', 'choose-buffer'],
  ['F12', 'pass-keys'],
  ['d', 'detach-client'],
  ['[', 'copy-mode'],
  ['PPage', 'copy-mode -u'],
  [']', 'paste-buffer -p'],
  [':', 'command-prompt'],
  ['?', 'show-help'],
  ['q', 'display-panes'],
  ['C-o', 'rotate-window'],
  ['E', 'select-layout -E'],
  ['C-b', 'send-prefix'],
  ['Tab', 'toggle-sidebar'],
  ['L', 'choose-lore'],
  ['P', 'command-palette'],
  ['a', 'next-attention'],
];

for (const [key, expected] of EXPECTED)
  test(`prefix ${key} is ${expected}`, () => assert.is(command('prefix', key), expected));

test('killing asks first and names what is lost', () => {
  assert.match(command('prefix', 'x')!, /^confirm-before -p ".*pane_.*" kill-pane$/);
  assert.match(command('prefix', '&')!, /^confirm-before -p ".*window_.*" kill-window$/);
});

test('only moving and resizing repeat', () => {
  for (const row of DEFAULT_KEYS.filter(({ repeat }) => repeat))
    assert.match(row.command, /^(select|resize)-pane -[LRUD]/);
});

test.run();
