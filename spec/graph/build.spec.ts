import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressOf, directoryOf } from '../../lib/graph/address.ts';
import { buildGraph, MAX_GRAPH_DIAGNOSTICS } from '../../lib/graph/build.ts';
import { parseGraphConfig } from '../../lib/graph/config.ts';
import type { Graph } from '../../lib/graph/types.ts';

const test = suite('the graph');
const OBSERVATORY = join(import.meta.dirname, '../../../spec/fixtures/graph/observatory');

const graphOf = (files: Record<string, string>): Graph =>
  buildGraph(
    '/r/repo',
    Object.entries(files).map(([file, text]) => ({ file, text })),
  );
const told = (graph: Graph): string[] =>
  graph.diagnostics.map(d => `${d.file}:${d.line} ${d.severity} ${d.code} ${d.message}`);

test('the files of a whole repository make its graph', () => {
  const files = (readdirSync(OBSERVATORY, { recursive: true, withFileTypes: true }) ?? [])
    .filter(e => e.isFile() && !/\b(?:cache|drafts)\b/.test(e.parentPath))
    .map(e => join(e.parentPath, e.name))
    .map(path => ({ file: relative(OBSERVATORY, path), text: readFileSync(path, 'utf8') }));
  const graph = buildGraph(OBSERVATORY, files);
  assert.equal(told(graph), []);
  assert.is(graph.title, 'Observatory: telescope time and domes');
  assert.equal(
    graph.roles.map(r => r.selector),
    ['//keeper', '//night', '//services/dome:dome'],
  );
  assert.equal(
    graph.lores.map(l => l.name),
    ['lores/optics/flats', 'lores/overview'],
  );
  assert.equal(
    graph.toolSets.map(t => [t.selector, t.services, t.methodCount]),
    [['//almanac', ['sky.v1.AlmanacService'], 3]],
  );
  const dome = graph.roles[2]!;
  assert.equal(
    [dome.alias, dome.model, dome.tools, dome.files, dome.roles],
    ['dome', 'fast', ['replace', '//almanac'], ['services/dome/README.md'], ['//keeper']],
  );
  assert.match(graph.roles[0]!.prompt, '@inject("clock")');
});

test('without a title the directory names the graph', () => {
  assert.is(graphOf({}).title, 'repo');
});

test('a broken role is a diagnostic, and all others stay', () => {
  const graph = graphOf({
    '.sgpt/bad.role.md': 'x\ny\n@alais("z")',
    '.sgpt/bad.toolset': '{',
    '.sgpt/lores/bad.md': '---\na: [\n---\nBody',
    '.sgpt/good.role.md': '@role("bad")\n@tool("//bad")\nhi',
  });
  assert.equal(
    graph.roles.map(r => r.selector),
    ['//good'],
  );
  assert.equal(
    graph.lores.map(l => l.name),
    ['lores/bad'],
  );
  const files = new Set(
    graph.diagnostics.filter(d => d.severity === 'error').map(d => `${d.file}:${d.line}`),
  );
  assert.ok(files.has('.sgpt/bad.role.md:3') && files.has('.sgpt/bad.toolset:1'));
  assert.not(
    graph.diagnostics.some(d => d.file === '.sgpt/good.role.md'),
    'a broken role is still a known one',
  );
});

test('files that are no artifacts leave no trace', () => {
  const graph = graphOf({
    '.sgpt/labels': 'x',
    '.sgpt/notes.md': 'x',
    'a/.sgpt/lores/x.md': 'x',
    'x.role.md': 'x',
    '.sgpt/.role.md': '',
  });
  assert.equal([graph.roles, graph.toolSets, graph.lores, graph.diagnostics], [[], [], [], []]);
});

test('what two roles share, and what is mentioned but not there, is told', () => {
  const graph = graphOf({
    '.sgpt.json': '{chat: {default_role: "keper"}}',
    '.sgpt/keeper.role.md': '@alias("k")\n@role("@commons//x")\n@tool("read_files")',
    '.sgpt/dome.role.md': '@alias("k")\n@role("k")\n@role("//:keeper")\n@role("kepeer")\n@tool("//x:y")',
    'a/.sgpt/x.role.md': '@alias("keeper")',
    'dome/.sgpt/y.role.md': '',
  });
  assert.equal(
    told(graph).map(t => t.split(' ').slice(0, 3).join(' ')),
    [
      '.sgpt.json:1 error unknown-role',
      '.sgpt/dome.role.md:0 warning ambiguous-selector',
      '.sgpt/dome.role.md:2 error unknown-role',
      '.sgpt/dome.role.md:4 error unknown-role',
      '.sgpt/dome.role.md:5 warning unknown-tool',
      '.sgpt/keeper.role.md:1 warning duplicate-alias',
      '.sgpt/keeper.role.md:2 error unknown-role',
      'a/.sgpt/x.role.md:1 warning duplicate-alias',
    ],
  );
  assert.is(graph.diagnostics[2]?.message, "@role 'k': it means //dome and //keeper");
  assert.is(graph.diagnostics[0]?.hint, 'did you mean //keeper or keeper?');
});

test('a file name with control characters is not shown to the terminal', () => {
  const graph = graphOf({ '.sgpt/a\u001b[2J.role.md': 'x' });
  assert.equal(graph.roles, []);
  assert.equal(told(graph), ['.sgpt/a [2J.role.md:0 error bad-name the file name holds control characters']);
});

test('diagnostics of a tree broken everywhere are bounded', () => {
  const graph = graphOf(
    Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`.sgpt/r${i}.role.md`, '@x("y")'])),
  );
  assert.is(graph.diagnostics.length, MAX_GRAPH_DIAGNOSTICS);
});

test('addresses follow from places', () => {
  const table: [string, string | undefined][] = [
    ['.sgpt/a.role.md', 'role //a'],
    ['x/y/.sgpt/a.b.role.md', 'role //x/y:a.b'],
    ['x/.sgpt/t.toolset', 'toolset //x:t'],
    ['.sgpt/lores/a/b.md', 'lore lores/a/b'],
    ['.sgpt/lores/a.role.md', 'lore lores/a.role'],
    ['x/.sgpt/lores/a.md', undefined],
    ['.sgpt/sub/a.role.md', undefined],
    ['.sgpt/lores/.md', undefined],
    ['.sgpt/.toolset', undefined],
    ['a.role.md', undefined],
  ];
  for (const [file, expected] of table) {
    const address = addressOf(file);
    assert.is(address && `${address.kind} ${address.selector}`, expected, file);
  }
});

test('the directory of a selector', () => {
  assert.equal([directoryOf('//x'), directoryOf('//a/b:x')], ['', 'a/b']);
});

test('a graph without settings has the settings of an empty file', () => {
  assert.equal(parseGraphConfig('').value, parseGraphConfig('{}').value);
});

test.run();
