import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { expandRole } from '../../lib/graph/expand.ts';
import { BUILTIN_TOOLS } from '../../lib/graph/builtin-tools.ts';
import type { ArtifactKind } from '../../lib/graph/address.ts';
import { loadGraph, type LoadedGraph } from '../../lib/watch/load-graph.ts';
import { roleFilePath } from '../../lib/watch/role-files.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('a graph with an import');

/** Two repositories below one home: `harbor` imports `shared`. */
const HARBOR: Readonly<Record<string, string>> = {
  'harbor/.sgpt.json': `{ title: "Harbor: berth scheduling",
    imports: [{ name: "shared", path: "~/shared" }], // beside us
    ignore: ["generated/"],
    chat: { default_role: "d", default_tools: ["read_files", "search_lores"],
            default_lores: ["lores/overview", "@shared//lores/ts/errors"] } }`,
  'harbor/.gitignore': 'build/\n',
  'harbor/CONTRIBUTING.md': '',
  'harbor/services/dispatch/README.md': '',
  'harbor/.sgpt/default.role.md':
    '@alias("d")\n@role("@shared//house")\n@file("CONTRIBUTING.md")\nAnswer as a maintainer.\n',
  'harbor/.sgpt/ops.role.md': 'Run it.\n',
  'harbor/.sgpt/tickets.toolset':
    '{"engine_service": "desk", "tool_sets": [{"service_full_name": "desk.v1.TicketService"}]}',
  'harbor/.sgpt/lores/overview.md': '---\ntitle: Overview\n---\nSee [[db/locks]].\n',
  'harbor/.sgpt/lores/db/locks.md':
    '---\ntitle: Locks\n---\nTake it first, [see](../overview.md), [[@shared//lores/ts/errors]].\n',
  'harbor/build/.sgpt/x.role.md': 'x',
  'harbor/generated/.sgpt/y.role.md': 'y',
  'harbor/services/dispatch/.sgpt/dispatch.role.md':
    '@alias("disp")\n@model("fast")\n@tool("replace")\n@tool("//tickets")\n@role("//default")\n' +
    '@file("services/dispatch/README.md")\nYou own the dispatcher.\n',
  'shared/.sgpt.json': '{}',
  'shared/style.md': '',
  'shared/.sgpt/house.role.md':
    '@alias("h")\n@role("base")\n@tool("//kit")\n@file("style.md")\nHouse rules.\n',
  'shared/.sgpt/base.role.md': 'Be brief.\n',
  'shared/go/.sgpt/expert.role.md': 'Go.\n',
  'shared/.sgpt/kit.toolset': '{"engine_service": "kit", "tool_sets": [{"service_full_name": "k.S"}]}',
  'shared/.sgpt/lores/ts/errors.md': 'Errors.\n',
};

const home = tempDir(HARBOR);
const load = (dir: string, more: Record<string, string> = {}): Promise<LoadedGraph> =>
  loadGraph(join(dir, 'harbor'), { HOME: dir, ...more });

test('nothing is wrong with it', async () => {
  assert.equal((await load(home)).diagnostics, []);
});

test('a role comes to what it and its includes say, included first', async () => {
  const { resolver } = await load(home);
  const role = expandRole(resolver, 'disp');
  assert.is(role.selector, '//services/dispatch:dispatch');
  assert.is(role.model?.value, 'fast');
  assert.is(role.prompt, 'Be brief.\n\nHouse rules.\n\nAnswer as a maintainer.\n\nYou own the dispatcher.');
  assert.equal(
    role.tools.map(t => t.value),
    ['@shared//kit', 'replace', '//tickets'],
  );
  assert.equal(
    role.files.map(f => roleFilePath(f.value.written, f.value.root, {})),
    ['shared/style.md', 'harbor/CONTRIBUTING.md', 'harbor/services/dispatch/README.md'].map(f =>
      join(home, f),
    ),
  );
  assert.equal(role.roles, ['@shared//base', '@shared//house', '//default', '//services/dispatch:dispatch']);
  assert.equal(resolver.own.config.chat.defaultTools, ['read_files', 'search_lores']);
});

test('every part says the file and line it comes from', async () => {
  const role = expandRole((await load(home)).resolver, 'disp');
  const place = (o: { file: string; line: number } | undefined): string => `${o?.file}:${o?.line}`;
  assert.is(place(role.model?.from[0]), 'services/dispatch/.sgpt/dispatch.role.md:2');
  assert.equal(
    role.tools.map(t => `${t.value} ${place(t.from[0])}`),
    [
      '@shared//kit .sgpt/house.role.md:3',
      'replace services/dispatch/.sgpt/dispatch.role.md:3',
      '//tickets services/dispatch/.sgpt/dispatch.role.md:4',
    ],
  );
  assert.equal(
    role.parts.map(p => `${p.selector} ${p.lines.join()}`),
    ['@shared//base 1', '@shared//house 5', '//default 4', '//services/dispatch:dispatch 7'],
  );
});

const SPELLINGS: readonly (readonly [ArtifactKind, string, string])[] = [
  ['role', 'default', '//default'],
  ['role', '//default', '//default'],
  ['role', '//:default', '//default'],
  ['role', 'd', '//default'],
  ['role', 'disp', '//services/dispatch:dispatch'],
  ['role', '//services/dispatch:dispatch', '//services/dispatch:dispatch'],
  ['role', '@shared//house', '@shared//house'],
  ['role', '@shared//:house', '@shared//house'],
  ['role', '@shared//h', '@shared//house'],
  ['role', '@shared//go:expert', '@shared//go:expert'],
  ['toolset', 'tickets', '//tickets'],
  ['toolset', '//tickets', '//tickets'],
  ['toolset', '//:tickets', '//tickets'],
  ['toolset', '@shared//kit', '@shared//kit'],
  ['toolset', '@shared//:kit', '@shared//kit'],
  ['lore', 'lores/db/locks', 'lores/db/locks'],
  ['lore', 'db/locks', 'lores/db/locks'],
  ['lore', 'lores/db/locks.md', 'lores/db/locks'],
  ['lore', '@shared//lores/ts/errors', '@shared//lores/ts/errors'],
];

for (const [kind, text, selector] of SPELLINGS)
  test(`${kind} ${text} is ${selector}`, async () => {
    assert.is((await load(home)).resolver.need(kind, text).selector, selector);
  });

const MISSES: readonly (readonly [string, string, string])[] = [
  ['defualt', 'no role of that name at the root', 'did you mean //default?'],
  ['dispatch', 'no role of that name at the root', 'did you mean //services/dispatch:dispatch?'],
  ['Default', 'no role of that name at the root', 'did you mean //default?'],
  ['//services/dispatch', "'services/dispatch' is a directory", 'did you mean //services/dispatch:dispatch?'],
  [
    '//service/dispatch:dispatch',
    "the directory 'service/dispatch' is not part of the graph",
    'did you mean //services/dispatch:dispatch?',
  ],
  ['@shard//house', "'shard' is not imported in .sgpt.json", 'did you mean @shared?'],
  ['@shared//hose', 'no role of that name at the root in @shared', 'did you mean @shared//house?'],
  ['@shared//expert', 'no role of that name at the root in @shared', 'did you mean @shared//go:expert?'],
  ['//x', 'no role of that name at the root', "'mux role list' lists them"],
  [
    'services/dispatch:dispatch',
    "'services/dispatch:dispatch' has no '//' in front",
    'write //services/dispatch:dispatch',
  ],
  ['@shared', "'@shared' is an import without '//'", 'write @shared//title'],
  ['', 'the selector is empty', 'write //dir:title, or a title'],
];

for (const [text, reason, hint] of MISSES)
  test(`role '${text}' is not found, and it is said why and what was meant`, async () => {
    const { failure } = (await load(home)).resolver.resolve('role', text);
    assert.equal([failure?.reason, failure?.hint], [reason, hint]);
  });

test('a name that means two things is refused with both', async () => {
  const dir = tempDir({
    ...HARBOR,
    'harbor/.sgpt/disp.role.md': 'x',
    'harbor/ops/.sgpt/night.role.md': 'y',
    'harbor/ops/.sgpt/day.role.md': '@alias("d")',
  });
  const { resolver, diagnostics } = await load(dir);
  const told = (text: string): readonly string[] => resolver.resolve('role', text).failure?.candidates ?? [];
  assert.equal(told('disp'), ['//:disp', '//services/dispatch:dispatch']);
  assert.equal(told('d'), ['//default', '//ops:day']);
  assert.equal(told('//ops'), ['//:ops', '//ops:day', '//ops:night']);
  assert.is(resolver.need('role', '//:ops').selector, '//ops');
  assert.throws(
    () => resolver.need('role', 'd'),
    (e: unknown) => e instanceof CodedError && e.code === 'ambiguous',
  );
  assert.equal([...new Set(diagnostics.map(d => d.code))].sort(), [
    'ambiguous-selector',
    'duplicate-alias',
    'unknown-role',
  ]);
});

test('a built-in tool beats a tool set of its name', async () => {
  const dir = tempDir({
    'harbor/.sgpt.json': '',
    'harbor/.sgpt/diff.toolset': HARBOR['harbor/.sgpt/tickets.toolset']!,
    'harbor/.sgpt/a.role.md': '@tool("diff")\n@tool("//diff")\n',
  });
  assert.ok(BUILTIN_TOOLS.has('diff'));
  const { tools } = expandRole((await load(dir)).resolver, 'a');
  assert.equal(
    tools.map(t => t.value),
    ['diff', '//diff'],
  );
});

test('settings of directories above count, a nearer file beats them, and a personal one beats both', async () => {
  const dir = tempDir({
    ...HARBOR,
    '.sgpt.json':
      '{title: "Home", chat: {default_model: "outer", user: "u", default_tools: ["diff"]}, ignore: ["services/"]}',
    'harbor/.sgpt.local.json':
      '{chat: {default_model: env("MINE"), default_role: "ops"}, ignore: ["nothing/"]}',
  });
  const { resolver } = await load(dir, { MINE: 'mine' });
  const { title, ignore, chat } = resolver.own.config;
  assert.is(title, 'Harbor: berth scheduling');
  assert.equal([chat.defaultModel, chat.user, chat.defaultRole], ['mine', 'u', 'ops']);
  assert.equal(chat.defaultTools, ['diff', 'read_files', 'search_lores']);
  assert.equal(ignore, ['services/', 'generated/', 'nothing/']);
  assert.is(resolver.resolve('role', 'disp').found, undefined);
});

test('a problem of a settings file above is told there, and what it imports is not searched by the import', async () => {
  const dir = tempDir({ ...HARBOR, '.sgpt.json': '{ignroe: [], ignore: ["go/"]}' });
  const { resolver, diagnostics } = await load(dir);
  assert.equal(
    diagnostics.map(d => `${d.file}:${d.line} ${d.code}`),
    ['../.sgpt.json:1 unknown-field'],
  );
  assert.is(resolver.need('role', '@shared//go:expert').selector, '@shared//go:expert');
});

test('imports of imports are followed, in circles too, and each repository has one name', async () => {
  const dir = tempDir({
    ...HARBOR,
    'shared/.sgpt.json': '{imports: [{name: "base", path: "~/base"}, {name: "back", path: "~/harbor"}]}',
    'base/.sgpt.json': '{imports: [{name: "again", path: "~/shared"}, {name: "gone", path: "~/gone"}]}',
    'base/.sgpt/low.role.md': '@role("@again//house")\n@role("@again@back//ops")\nLow.\n',
    'harbor/.sgpt/top.role.md': '@role("@shared@base//low")\nTop.\n',
  });
  const { resolver, diagnostics } = await load(dir);
  assert.equal(
    diagnostics.map(d => `${d.file} ${d.code} ${d.message}`),
    [".sgpt.json nested-import import 'shared@base': it imports 'gone', but ~/gone is not there"],
  );
  assert.equal(expandRole(resolver, 'top').roles, [
    '@shared//base',
    '@shared//house',
    '//ops',
    '@shared@base//low',
    '//top',
  ]);
  assert.is(resolver.need('role', '@shared@back//default').selector, '//default');
});

test('an import may count on its importer for a name it does not import itself', async () => {
  const dir = tempDir({
    ...HARBOR,
    'harbor/.sgpt.json': '{imports: [{name: "shared", path: "~/shared"}, {name: "base", path: "~/base"}]}',
    'shared/.sgpt/house.role.md': '@role("@base//low")\n',
    'base/.sgpt.json': '',
    'base/.sgpt/low.role.md': 'Low.\n',
  });
  assert.is(expandRole((await load(dir)).resolver, '@shared//house').prompt, 'Low.');
});

test('an import that is not there is one problem, at its place, and not one for each mention', async () => {
  const dir = tempDir({
    'harbor/.sgpt.json': '{\n imports: [{name: "a", path: "~/gone"},\n  {name: "b", path: "~/plain"}]}',
    'harbor/.sgpt/x.role.md': '@role("@a//x")\n@tool("@b//t")\n@role("@a//y")\n',
    'plain/readme.md': '',
  });
  assert.equal(
    (await load(dir)).diagnostics.map(d => `${d.line}:${d.column} ${d.message}`),
    ["2:12 import 'a': ~/gone is not there", "3:3 import 'b': ~/plain has no .sgpt.json"],
  );
});

test('links, hidden folders and folders that cannot be read keep nothing else from being found', async () => {
  const dir = tempDir(HARBOR);
  const root = join(dir, 'harbor');
  mkdirSync(join(root, '.hidden/.sgpt'), { recursive: true });
  writeFileSync(join(root, '.hidden/.sgpt/deep.role.md'), 'x');
  symlinkSync(join(dir, 'shared'), join(root, 'linked'));
  symlinkSync('/etc/passwd', join(root, '.sgpt/evil.role.md'));
  mkdirSync(join(root, 'closed'));
  chmodSync(join(root, 'closed'), 0);
  const { resolver, diagnostics } = await load(dir);
  chmodSync(join(root, 'closed'), 0o755);
  assert.is(resolver.need('role', '//.hidden:deep').selector, '//.hidden:deep');
  assert.is(resolver.resolve('role', '//linked:house').found, undefined);
  const codes = diagnostics.filter(d => d.code !== 'unreadable').map(d => `${d.file} ${d.code}`);
  assert.equal(codes, ['.sgpt/evil.role.md outside']);
});

test.run();
