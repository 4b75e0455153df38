import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCommand, parseArgs, usageOf } from '../../lib/cmd/args.ts';
import { command } from '../../lib/cmd/define.ts';
import type { CommandSpec } from '../../lib/cmd/spec.ts';

const test = suite('words of a command');

const spec = (changes: Partial<CommandSpec> = {}): CommandSpec =>
  command({
    name: 'paint',
    group: 'Panes',
    text: 'Paint',
    flags: [
      { name: 'd', text: 'dry' },
      { name: 'P', text: 'print' },
      { name: 't', value: 'PANE', text: 'target' },
      { name: 'n', alias: 'lines', value: 'N', text: 'how many' },
      { name: 'label', value: 'L', many: true, text: 'label' },
      { name: 'in-place', text: 'here' },
    ],
    args: '[WORD…]',
    maxArgs: 9,
    exec: () => undefined,
    ...changes,
  });

/** Words → flags that are set, values, and what is left. */
const READ: readonly (readonly [string, Readonly<Record<string, readonly string[]>>, readonly string[]])[] = [
  ['', {}, []],
  ['-d -P', { d: [''], P: [''] }, []],
  ['-dP', { d: [''], P: [''] }, []],
  ['-t %1', { t: ['%1'] }, []],
  ['-t%1', { t: ['%1'] }, []],
  ['-dt %1 x', { d: [''], t: ['%1'] }, ['x']],
  ['-dt%1 x', { d: [''], t: ['%1'] }, ['x']],
  ['x -d y', { d: [''] }, ['x', 'y']],
  ['-- -d', {}, ['-d']],
  ['x -- -d', {}, ['x', '-d']],
  ['-5 -', {}, ['-5', '-']],
  ['-t -5', { t: ['-5'] }, []],
  ['-t -d', { t: ['-d'] }, []],
  ['--label a --label=b', { label: ['a', 'b'] }, []],
  ['--label=a=b', { label: ['a=b'] }, []],
  ['--label=', { label: [''] }, []],
  ['--lines 3', { n: ['3'] }, []],
  ['-n 3 --lines=4', { n: ['3', '4'] }, []],
  ['--in-place', { 'in-place': [''] }, []],
  ['--help', { help: [''] }, []],
  ['--json x', { json: [''] }, ['x']],
];

for (const [line, flags, rest] of READ) {
  test(`'${line}' is read`, () => {
    const args = parseArgs(spec(), line.split(' ').filter(Boolean));
    for (const name of ['d', 'P', 't', 'n', 'label', 'in-place', 'help', 'json']) {
      assert.equal(args.values(name), flags[name] ?? [], name);
      assert.is(args.has(name), name in flags);
      assert.is(args.value(name), flags[name]?.at(-1));
    }
    assert.equal(args.rest, rest);
  });
}

test('from a program on no word is a flag', () => {
  const read = (wordsFrom: number, line: string): readonly string[] =>
    parseArgs(spec({ wordsFrom }), line.split(' ')).rest;
  assert.equal(read(0, '-d ls -l --help'), ['ls', '-l', '--help']);
  assert.equal(read(0, '-d -- -x -y'), ['-x', '-y']);
  assert.equal(read(1, 'name -d ls -d'), ['name', 'ls', '-d']);
  assert.equal(read(1, '-d name -- -x'), ['name', '-x']);
  assert.equal(read(1, 'name'), ['name']);
});

/** Words → what is said of them. */
const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ['-x', 'unknown_flag', /^paint: unknown flag -x$/],
  ['-dx', 'unknown_flag', /unknown flag -dx/],
  ['--lable x', 'unknown_flag', /unknown flag --lable/],
  ['--d', 'unknown_flag', /unknown flag --d/],
  ['---', 'unknown_flag', /unknown flag ---/],
  ['-t', 'usage', /^paint: -t needs PANE$/],
  ['--label', 'usage', /--label needs L/],
  ['--in-place=yes', 'usage', /--in-place takes no value/],
  ['--constructor', 'unknown_flag', /constructor/],
];

for (const [line, code, says] of WRONG) {
  test(`'${line}' is refused`, () => {
    try {
      parseArgs(spec(), line.split(' '));
    } catch (error) {
      assert.is((error as { code: string }).code, code);
      assert.match((error as Error).message, says);
      return;
    }
    assert.unreachable('nothing was said');
  });
}

test('the number of arguments is checked, unless help is wanted', () => {
  const two = spec({ args: 'A B', minArgs: 2, maxArgs: 2 });
  assert.throws(() => parseArgs(two, ['a']), /too few arguments/);
  assert.throws(() => parseArgs(two, ['a', 'b', 'c']), /unexpected 'c'/);
  assert.ok(parseArgs(two, ['--help']).has('help'));
});

test('usage and description name everything', () => {
  assert.is(usageOf(spec()), 'paint [-dP] [-t PANE] [-n|--lines N] [--label L]… [--in-place] [WORD…]');
  const text = describeCommand(spec({ aliases: ['p'] }));
  for (const part of ['usage: mux paint', 'Paint.', 'Also: p', '-n, --lines N', 'how many', '--in-place'])
    assert.ok(text.includes(part), part);
});

test.run();
