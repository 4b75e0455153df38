import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { formatKey, parseKey } from '../../lib/input/keyname.ts';
import { KeyTables, MAX_BINDINGS, bindRows, isKey } from '../../lib/keys/tables.ts';
import type { Binding } from '../../lib/keys/tables.ts';

const test = suite('key tables');

function binding(command: string): Binding {
  return { command, note: '', repeat: false };
}

function tablesWith(...keys: readonly string[]): KeyTables {
  const tables = new KeyTables();
  for (const key of keys) tables.bind('prefix', parseKey(key), binding(`run ${key}`));
  return tables;
}

function found(tables: KeyTables, key: string, table = 'prefix'): string | undefined {
  return tables.lookup(table, parseKey(key))?.command;
}

test('a bound key is found in its table alone, until it is unbound', () => {
  const tables = tablesWith('C-x');
  assert.is(found(tables, 'C-x'), 'run C-x');
  assert.is(found(tables, 'C-x', 'root'), undefined);
  assert.is(tables.unbind('prefix', parseKey('C-x')), true);
  assert.is(tables.unbind('prefix', parseKey('C-x')), false);
  assert.is(found(tables, 'C-x'), undefined);
});

test('binding a key again replaces what it did', () => {
  const tables = tablesWith('S-Tab');
  tables.bind('prefix', parseKey('BTab'), binding('other'));
  assert.is(found(tables, 'S-Tab'), 'other');
  assert.is(tables.list().length, 1);
});

test('bindings are listed with their table and key, in the order they were made', () => {
  const tables = tablesWith('b', 'a');
  tables.bind('root', parseKey('F1'), binding('help'));
  assert.equal(
    tables.list().map(row => `${row.table} ${formatKey(row.key)}`),
    ['prefix b', 'prefix a', 'root F1'],
  );
  assert.equal(
    tables.list('root').map(row => row.binding.command),
    ['help'],
  );
  assert.equal(tables.list('nowhere'), []);
});

test('C-[ is Escape where keys are told apart, unless it is bound itself', () => {
  assert.is(found(tablesWith('Escape'), 'C-['), 'run Escape');
  assert.is(found(tablesWith('Escape', 'C-['), 'C-['), 'run C-[');
  assert.is(found(tablesWith('Enter'), 'C-m'), 'run Enter');
  assert.is(found(tablesWith('C-Space'), 'C-@'), 'run C-Space');
  assert.is(found(tablesWith('C-_'), 'C-/'), 'run C-_');
});

test('a binding of C-i never takes the Tab key', () => {
  assert.is(found(tablesWith('C-i'), 'Tab'), undefined);
  assert.is(found(tablesWith('Tab'), 'C-i'), 'run Tab');
});

test('Any stands for every key without a binding of its own', () => {
  const tables = tablesWith('x', 'Any');
  assert.is(found(tables, 'x'), 'run x');
  assert.is(found(tables, 'M-Left'), 'run Any');
});

test('a key counts as its twin', () => {
  assert.is(isKey(parseKey('C-@'), parseKey('C-Space')), true);
  assert.is(isKey(parseKey('Tab'), parseKey('C-i')), false);
  assert.is(isKey(parseKey('S-a'), parseKey('A')), true);
});

test('a program that binds keys in a loop is refused at a bound', () => {
  const tables = new KeyTables();
  const key = (i: number) => ({
    name: String.fromCodePoint(0x4e00 + i),
    ctrl: false,
    alt: false,
    shift: false,
  });
  for (let i = 0; i < MAX_BINDINGS; i++) tables.bind('root', key(i), binding('x'));
  tables.bind('root', key(0), binding('y'));
  assert.throws(
    () => tables.bind('root', key(MAX_BINDINGS), binding('x')),
    (error: unknown) => error instanceof CodedError && error.code === 'refused',
  );
  tables.unbind('root', key(1));
  tables.bind('root', key(MAX_BINDINGS), binding('x'));
});

test('two rows for one key are reported and the later one counts', () => {
  const tables = new KeyTables();
  const row = (key: string, command: string) => ({ table: 'prefix', key, command, note: '' });
  const conflicts = bindRows(tables, [row('S-Tab', 'one'), row('x', 'two'), row('BTab', 'three')]);
  assert.equal(conflicts, [{ table: 'prefix', key: 'BTab', commands: ['one', 'three'] }]);
  assert.is(found(tables, 'BTab'), 'three');
  assert.equal(bindRows(tables, [row('x', 'mine')]), []);
  assert.is(found(tables, 'x'), 'mine');
});

test('a row with a key that is none is a coded error', () => {
  assert.throws(
    () => bindRows(new KeyTables(), [{ table: 'prefix', key: 'C-Entr', command: 'x', note: '' }]),
    (error: unknown) => error instanceof CodedError && error.code === 'invalid_key',
  );
});

test.run();
