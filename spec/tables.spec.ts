/**
 * Rules that rows of the big tables follow, so that help, manual, palette and completion read well everywhere.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWN_COMMANDS } from '../lib/app/own-commands.ts';
import { parseCommands } from '../lib/cmd/parse.ts';
import { checkCommand, COMMANDS } from '../lib/cmd/registry.ts';
import { VARIABLES } from '../lib/cmd/variables.ts';
import { VARIABLE_TEXTS } from '../lib/cmd/variable-texts.ts';
import { configKeys } from '../lib/config/explain.ts';
import { expandFormat } from '../lib/format/format.ts';
import { DEFAULT_KEYS } from '../lib/keys/defaults.ts';
import { formatOption, OPTIONS, OPTION_NAMES, parseOption, type OptionRow } from '../lib/options/table.ts';

const test = suite('tables');
const ALL = [...OWN_COMMANDS, ...COMMANDS];

test('no two commands have a name or alias in common', () => {
  const names = ALL.flatMap(spec => [spec.name, ...(spec.aliases ?? [])]);
  assert.equal(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
});

test('a command says what it does in one line that begins with a capital and has no full stop', () => {
  for (const { name, text } of ALL) {
    assert.match(text, /^[A-Z][^\n]*[^.\s]$/, name);
    assert.ok(text.length <= 110, name);
  }
});

test('a flag is one letter or a long name, stands once, and has a text that begins small and has no full stop', () => {
  for (const spec of ALL) {
    const names = spec.flags.flatMap(flag => [flag.name, ...(flag.alias ? [flag.alias] : [])]);
    assert.is(new Set(names).size, names.length, spec.name);
    for (const flag of spec.flags) {
      assert.match(flag.name, /^([A-Za-z0-9]|[a-z][a-z-]+)$/, spec.name);
      assert.match(flag.text, /^[a-z][^\n]*[^.\s]$/, `${spec.name} ${flag.name}`);
      if (flag.value !== undefined) assert.match(flag.value, /^[A-Z]/, `${spec.name} ${flag.name}`);
    }
  }
});

test('a command that takes arguments says which, and one that takes none says nothing', () => {
  for (const spec of COMMANDS) {
    assert.is(spec.args !== '', spec.maxArgs > 0, spec.name);
    assert.is(spec.minArgs > 0, spec.args !== '' && !spec.args.startsWith('['), spec.name);
    if (spec.wordsFrom !== undefined) assert.match(spec.args, /…/, spec.name);
  }
});

test('a command line of every default key is right', () => {
  for (const { table, key, command } of DEFAULT_KEYS) {
    const lines = parseCommands(command);
    assert.ok(lines.length > 0, `${table} ${key}`);
    for (const line of lines) checkCommand(line);
  }
});

test('every format variable has its text, and every text its variable', () => {
  assert.equal(Object.keys(VARIABLE_TEXTS).toSorted(), Object.keys(VARIABLES).toSorted());
});

test('every one-letter format stands for a variable', () => {
  const asked: string[] = [];
  const look = (name: string): string => (asked.push(name), '');
  const measure = { cellWidth: (text: string) => text.length, graphemes: (text: string) => text };
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
    expandFormat(`#${letter}`, look, measure);
  assert.ok(asked.length > 5);
  assert.equal(
    asked.filter(name => !Object.hasOwn(VARIABLES, name)),
    [],
  );
});

test('options stand in the order of their names, and their defaults are what may be written', () => {
  assert.equal([...OPTION_NAMES], OPTION_NAMES.toSorted());
  for (const name of OPTION_NAMES) {
    const row: OptionRow = OPTIONS[name];
    const text = formatOption(name, row.default as never);
    assert.equal(parseOption(name, text), row.default, name);
  }
});

test('an option that starts from a setting has the same default and text', () => {
  const keys = new Map(configKeys().map(row => [row.path, row]));
  for (const name of OPTION_NAMES) {
    const row: OptionRow = OPTIONS[name];
    if (row.config === undefined) continue;
    const key = keys.get(row.config);
    assert.ok(key, `${name}: ${row.config} is no setting`);
    assert.is(String(key!.default), formatOption(name, row.default as never), name);
  }
});

test('every setting says what it is for', () => {
  for (const { path, description } of configKeys()) assert.match(description, /\S.*[^.]$/, path);
});

test.run();
