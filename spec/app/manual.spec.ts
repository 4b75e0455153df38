/**
 * The manual says what the program does, all of it, and nothing else. After a change of a table: `npm run manual`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GLOBAL_FLAGS } from '../../lib/app/argv.ts';
import { PACKAGE_ROOT } from '../../lib/app/context.ts';
import { namedCommand, OWN_COMMANDS } from '../../lib/app/own-commands.ts';
import { manualPages, readPage } from '../../lib/app/manual.ts';
import { code, fillParts, partsOf, plain, table } from '../../lib/app/manual-markdown.ts';
import { MANUAL_PARTS, README_PARTS } from '../../lib/app/manual-parts.ts';
import { tidyRoff, withoutTables } from '../../lib/app/manual-roff.ts';
import { EXIT_TEXTS, VARIABLES_READ, VARIABLES_SET, WITHOUT_EFFECT } from '../../lib/app/manual-texts.ts';
import { ERRORS } from '../../lib/base/errors.ts';
import { COMMANDS } from '../../lib/cmd/registry.ts';
import { configKeys } from '../../lib/config/explain.ts';
import { DEFAULT_KEYS } from '../../lib/keys/defaults.ts';
import { OPTION_NAMES, OPTIONS } from '../../lib/options/table.ts';
import type { ClientType, ServerType } from '../../lib/wire/messages.ts';
import { MATRIX } from '../support/architecture.ts';

const test = suite('manual');
const PAGE = readPage('man/mux.1.md');
const INTERNALS = readPage('man/mux-internals.7.md');

/** What stands between the markers of a part. */
function part(name: string): string {
  const match = new RegExp(`<!-- begin ${name} -->([\\s\\S]*?)<!-- end ${name} -->`).exec(PAGE);
  assert.ok(match, `no part ${name}`);
  return match![1]!;
}

/** First cells of the rows of all tables in a text: code without its marks. */
function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| (`[^|]*`)(?: \||(?: `))/gm)].map(match => match[1]!.replaceAll('`', ''));
}

/** Sources of lib that are not about the manual. */
function sources(): { path: string; text: string }[] {
  const files = readdirSync(join(PACKAGE_ROOT, 'lib'), { recursive: true, encoding: 'utf8' });
  return files
    .filter(path => path.endsWith('.ts') && !path.includes('manual'))
    .map(path => ({ path, text: readFileSync(join(PACKAGE_ROOT, 'lib', path), 'utf8') }));
}

for (const { path, text } of manualPages())
  test(`${path} is what the tables of the program give (npm run manual)`, () =>
    assert.ok(readPage(path) === text, `${path} differs`));

test('every part that can be made stands in the page, once', () => {
  assert.equal(partsOf(PAGE).toSorted(), Object.keys(MANUAL_PARTS).toSorted());
  assert.equal(partsOf(readPage('README.md')), Object.keys(README_PARTS));
});

test('the page names every command and no other', () => {
  const named = [...part('commands').matchAll(/^#### (.+)$/gm)].map(match => match[1]!);
  const known = [...COMMANDS, ...OWN_COMMANDS].map(spec => spec.name);
  assert.equal(named.toSorted(), known.toSorted());
});

test('every flag and alias of a command stands in its part', () => {
  for (const spec of [...COMMANDS, ...OWN_COMMANDS]) {
    const own = part('commands').split(`#### ${spec.name}\n`)[1]!.split('\n#')[0]!;
    for (const alias of spec.aliases ?? []) assert.ok(own.includes(`\`${alias}\``), `${spec.name}: ${alias}`);
    for (const flag of spec.flags)
      assert.ok(own.includes(`| ${plain(flag.text)} |`), `${spec.name}: ${flag.name}`);
  }
});

test('the page has the note of every key, and no other', () => {
  const told = [...part('keys').matchAll(/^\| .* \| (.*) \|$/gm)]
    .map(match => match[1]!)
    .filter(t => t !== 'Does');
  const notes = new Set(DEFAULT_KEYS.map(row => plain(row.note)));
  assert.equal(new Set(told), notes);
});

test('the page names every option, setting, error code and flag, and no other', () => {
  assert.equal(firstCells(part('options')), OPTION_NAMES);
  assert.equal(
    [...firstCells(part('settings')), ...firstCells(part('settings-without-effect'))].toSorted(),
    configKeys()
      .map(row => row.path)
      .toSorted(),
  );
  assert.equal(firstCells(part('error-codes')), Object.keys(ERRORS));
  assert.equal(
    firstCells(part('flags')),
    GLOBAL_FLAGS.map(({ flag, value }) => (value ? `${flag} ${value}` : flag)),
  );
});

test('every status that an error ends with has a meaning', () => {
  for (const exit of Object.values(ERRORS)) assert.ok(Object.hasOwn(EXIT_TEXTS, exit), `${exit}`);
});

test('commands, options and keys that the prose names are there', () => {
  const prose = fillParts(PAGE, Object.fromEntries(Object.keys(MANUAL_PARTS).map(name => [name, () => ''])));
  const bound = new Set(DEFAULT_KEYS.filter(row => row.table === 'prefix').map(row => row.key));
  for (const [, key] of prose.matchAll(/`C-b ([^`]+)`/g)) assert.ok(bound.has(key!), `C-b ${key}`);
  const called = [...prose.matchAll(/(?:`|^ {4}(?:id=\$\()?)mux ([a-z][a-z-]+)(?: ([a-z]+))?/gm)];
  assert.ok(called.length > 5);
  for (const [, name, word] of called) {
    const spec = namedCommand(word === undefined ? [name!] : [name!, word]);
    assert.ok([name, `${name} ${word}`].includes(spec.name), spec.name);
  }
});

test('variables that the sources name are told, and none that they do not', () => {
  const text = sources()
    .map(source => source.text)
    .join('\n');
  const told = new Set([...VARIABLES_READ, ...VARIABLES_SET].map(variable => variable.name));
  const ours = new Set(text.match(/\bMUX_[A-Z_]+\b/g));
  assert.equal(
    [...ours].filter(name => !told.has(name)),
    [],
  );
  for (const name of told) assert.match(text, new RegExp(`\\b${name}\\b`));
});

test('settings that are said to change nothing are those that nothing reads', () => {
  const text = sources()
    .filter(({ path }) => !path.startsWith('config'))
    .map(source => source.text)
    .join('\n');
  const read = [
    ...Object.values(OPTIONS).flatMap(row => ('config' in row ? [row.config] : [])),
    ...[...text.matchAll(/\bconfig\.([a-z_]+(?:\.[a-z_]+)*)/g)].map(match => match[1]!),
  ];
  const isPart = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || a.startsWith(`${b}[`);
  for (const { path, section } of configKeys()) {
    if (section) continue;
    const isRead = read.some(key => isPart(path, key));
    assert.is(
      WITHOUT_EFFECT.some(key => isPart(path, key)),
      !isRead,
      path,
    );
  }
});

test('the page of the internals has the import rules as they are checked', () => {
  const rows = [...INTERNALS.matchAll(/^\| `lib\/([a-z]+)` \| (.*?) ?\| (.*?) ?\| (.*?) ?\|/gm)];
  const all = (names: readonly string[] = []): string =>
    names.map(name => (name === '*' ? 'all' : name)).join(', ');
  assert.equal(
    rows.map(([, folder, lib, npm, node]) => [folder, lib, npm, node]),
    Object.entries(MATRIX).map(([folder, row]) => [
      folder,
      [
        all(row.lib),
        ...(row.types ? [`types of ${all(row.types)}`] : []),
        ...(row.not ? [`not ${all(row.not)}`] : []),
      ]
        .filter(Boolean)
        .join('; '),
      all(row.npm),
      all([...(row.node ?? []), ...(row.pure ? ['pure'] : [])]),
    ]),
  );
});

test('the page of the internals names every message of the wire and every file that it points to is there', () => {
  const messages: Record<ClientType | ServerType, true> = {
    handshake: true,
    attach: true,
    resize: true,
    ack: true,
    leave: true,
    hand_over: true,
    take_back: true,
    command: true,
    handshake_ok: true,
    handshake_err: true,
    output: true,
    result: true,
    read: true,
    detached: true,
  };
  const wire = INTERNALS.split('## WIRE PROTOCOL')[1]!.split('\n## ')[0]!;
  assert.equal(firstCells(wire), Object.keys(messages));
  for (const [path] of INTERNALS.matchAll(/\b(?:lib|spec)\/[a-z/-]+(?:\.spec)?\.ts\b/g))
    assert.ok(readPage(path).length > 0, path);
});

test('a part that is asked for in vain, or twice, is refused', () => {
  const page = '<!-- begin a -->\n<!-- end a -->\n';
  assert.is(fillParts(page, { a: () => 'x' }), '<!-- begin a -->\n\nx\n\n<!-- end a -->\n');
  assert.throws(() => fillParts(page, {}), /in vain/);
  assert.throws(() => fillParts(page + page, { a: () => '' }), /twice/);
});

test('what is markup in Markdown is escaped, and bars in code too', () => {
  assert.is(plain('a|b *c* <d>'), 'a\\|b \\*c\\* \\<d\\>');
  assert.is(code('a|b'), '`a\\|b`');
  assert.is(code('`'), '`` ` ``');
  assert.is(code(''), '');
});

test('tables become definitions in roff, with what is between behind the text', () => {
  const list = withoutTables(
    table(
      ['Key', 'Default', 'Meaning'],
      [
        ['a\\|b', '1', 'text'],
        ['c', '', 'more'],
      ],
    ),
  );
  assert.match(list, /^\* a\|b.\n {2}text \(default: 1\)\n\* c.\n {2}more$/);
  assert.is(
    tidyRoff('.RS 1\n.IP \\(bu 2\na\u{e000}\ntext &quot;q&quot;\n\n.RE\n'),
    '.RS 0\n.TP\na\ntext "q"\n.RE\n',
  );
});

test.run();
