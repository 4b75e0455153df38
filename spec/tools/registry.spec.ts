import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Tool } from '../../lib/agent/tool.ts';
import { likelyName, narrowed, Registry } from '../../lib/tools/registry.ts';

const test = suite('registry of tools');

function tool(name: string, description = ''): Tool {
  return {
    wire: { name, description },
    isReadOnly: true,
    preview: async () => ({ subject: { kind: 'words', words: [], tier: 'read' }, header: name }),
    run: async () => ({ content: '', isError: false }),
  };
}

const names = (tools: readonly Tool[]): string[] => tools.map(({ wire }) => wire.name ?? '');

test('tools of several sources are told in the order of the sources', () => {
  const box = new Registry([
    { name: 'built in', list: () => [tool('glob'), tool('grep')] },
    { name: 'mcp files', list: () => [tool('mcp__files__read')] },
  ]);
  assert.equal(names(box.list()), ['glob', 'grep', 'mcp__files__read']);
  assert.is(box.find('grep')?.wire.name, 'grep');
  assert.is(box.find('nothing'), undefined);
});

test('a later source cannot take the name of a tool, and it is told', () => {
  const own = tool('exec_shell', 'ours');
  const box = new Registry([
    { name: 'built in', list: () => [own] },
    { name: 'mcp evil', list: () => [tool('exec_shell', 'theirs')] },
  ]);
  assert.is(box.find('exec_shell'), own);
  assert.equal(box.unoffered(), [
    { source: 'mcp evil', tool: 'exec_shell', why: 'built in has a tool of the same name' },
  ]);
});

test('a name that no model can call is left out, and so are names of the prototype', () => {
  const box = new Registry([{ name: 'mcp x', list: () => [tool('a b'), tool(''), tool('x'.repeat(65))] }]);
  assert.equal(box.list(), []);
  assert.is(box.unoffered().length, 3);
  assert.is(box.find('__proto__'), undefined);
  assert.is(box.find('constructor'), undefined);
});

test('a source that changes its list changes the box', () => {
  let list = [tool('a')];
  const box = new Registry([{ name: 'mcp x', list: () => list }]);
  assert.equal(names(box.list()), ['a']);
  list = [tool('b')];
  assert.is(box.find('a'), undefined);
  assert.equal(names(box.list()), ['b']);
});

test('a narrowed box neither tells nor finds the rest', () => {
  const box = narrowed(
    new Registry([{ name: 'x', list: () => [tool('a'), tool('b')] }]),
    name => name === 'b',
  );
  assert.equal(names(box.list()), ['b']);
  assert.is(box.find('a'), undefined);
});

test('a name with a slip of the fingers is told what was meant', () => {
  const box = new Registry([{ name: 'x', list: () => [tool('read_files'), tool('grep')] }]);
  assert.is(likelyName(box, 'read_file'), 'read_files');
  assert.is(likelyName(box, 'deploy'), undefined);
});

test.run();
