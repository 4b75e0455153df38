import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_FILE_DIAGNOSTICS } from '../../lib/graph/parsed.ts';
import { parseRole } from '../../lib/graph/role.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('role files');
const FILE = 'a/b/.sgpt/keeper.role.md';
const codes = (text: string): string[] =>
  parseRole(FILE, text).diagnostics.map(d => `${d.line}:${d.column} ${d.severity} ${d.code}`);

test('reads each directive and keeps the rest as the trimmed prompt', () => {
  const text =
    '@alias("k")\r\n@model("fast")\n@tool("x")\n@tool("//y")\n@file("a b.md")\n@role("base")\n\nFirst.\n\nSecond.\n\n';
  const { value, diagnostics } = parseRole(FILE, text);
  assert.equal(diagnostics, []);
  assert.equal(value?.role, {
    selector: '//a/b:keeper',
    title: 'keeper',
    file: FILE,
    alias: 'k',
    model: 'fast',
    tools: ['x', '//y'],
    files: ['a b.md'],
    roles: ['base'],
    prompt: 'First.\n\nSecond.',
  });
});

test('a role at the root has no directory in its selector', () => {
  assert.is(parseRole('.sgpt/x.role.md', 'hi').value?.role.selector, '//x');
});

test('lines that only resemble directives are prompt', () => {
  const prompt = [
    '@acme//go is nice',
    ' @tool("indented")',
    '@Tool("upper")',
    '@tool ("space")',
    'see @tool("x")',
  ];
  const { value, diagnostics } = parseRole(FILE, prompt.join('\n'));
  assert.equal(diagnostics, []);
  assert.is(value?.role.prompt, prompt.join('\n').trim());
});

test('lines in a code fence are prompt, whatever the fence looks like', () => {
  for (const [open, close] of [
    ['```', '```'],
    ['~~~ts', '~~~'],
    ['````md', '`````'],
    ['  ```', '```  '],
  ]) {
    const { value, diagnostics } = parseRole(FILE, `${open}\n@inject("x")\n@tool(\n${close}\n@tool("t")`);
    assert.equal(diagnostics, [], open!);
    assert.equal(value?.role.tools, ['t'], open!);
    assert.match(value!.role.prompt, '@inject("x")\n@tool(');
  }
});

test('a fence is closed only by its own kind', () => {
  assert.equal(codes('```\n~~~\n``\n@nope("x")\n```\n@nope("x")'), ['6:1 error unknown-directive']);
  assert.equal(codes('```a`b\n@nope("x")'), ['2:1 error unknown-directive']);
});

test('a fence left open that hides directives is a warning', () => {
  assert.equal(codes('hi\n```\n@tool("x")'), ['2:1 warning unclosed-fence']);
  assert.equal(codes('hi\n```\nx'), []);
});

const MISTAKES: [string, string[]][] = [
  ['@alais("x")', ['1:1 error unknown-directive']],
  ['x\n@node("x")', ['2:1 error unknown-directive']],
  ['@model(fast)', ['1:1 error unquoted-argument']],
  ['@model("fast" x)', ['1:1 error unquoted-argument']],
  ['@model("fast\\"x")', ['1:1 error unquoted-argument']],
  ['@model()', ['1:1 error argument-count']],
  ['@tool("a", "b")', ['1:1 error argument-count']],
  ['@tool("a" , "b")  ', ['1:1 error argument-count']],
  ['@file(" ")', ['1:1 error empty-argument']],
  ['@file("a\u001b[2J")', ['1:1 error control-character']],
  ['@alias("a")\n@alias("b")', ['2:1 error repeated-directive']],
  ['@model("a")\n@model("a")', ['2:1 error repeated-directive']],
  ['@tool("a")\n@tool("a")', ['2:1 warning duplicate']],
  ['@model(\nfast\n)\nrest', ['1:1 error unquoted-argument']],
  ['@summary(\nsome text\n)\n@tool("a")', ['1:1 error unknown-directive']],
  ['@model(fast\nmore text', ['1:1 error unclosed-directive']],
];
for (const [text, expected] of MISTAKES)
  test(`${JSON.stringify(text)} is told as ${expected.join(', ')}`, () =>
    assert.equal(codes(text), expected));

test('one mistake never hides the next, and a role with an error has no value', () => {
  const text = '@alais("x")\n@model(fast)\nbody\n@file("a", "b")\n@tool(x\n@model("a")\n@model("b")';
  assert.equal(
    codes(text).map(c => c.split(' ')[0] + c.split(' ')[2]!),
    [
      '1:1unknown-directive',
      '2:1unquoted-argument',
      '4:1argument-count',
      '5:1unclosed-directive',
      '7:1repeated-directive',
    ],
  );
  assert.is(parseRole(FILE, text).value, undefined);
});

test('an unknown directive names the five there are, and the one that was meant', () => {
  const [problem] = parseRole(FILE, '@flie("x")').diagnostics;
  assert.match(problem!.message, '@alias, @model, @tool, @file, @role');
  assert.match(problem!.hint ?? '', /^did you mean @file\?/);
});

test('references carry their lines', () => {
  const { value } = parseRole(FILE, 'x\n@role("r")\n@tool("//t")\n@file("f")');
  assert.equal(value?.references, [
    { directive: 'role', value: 'r', line: 2, column: 1 },
    { directive: 'tool', value: '//t', line: 3, column: 1 },
    { directive: 'file', value: 'f', line: 4, column: 1 },
  ]);
});

test('each line of the prompt knows its line of the file', () => {
  const { value } = parseRole(FILE, '\n@alias("a")\n\n  one\n@file("f")\ntwo\n\n```\n@x("y")\n```\n\n');
  assert.is(value?.role.prompt, 'one\ntwo\n\n```\n@x("y")\n```');
  assert.equal(value?.promptLines, [4, 6, 7, 8, 9, 10]);
});

test('any text at all is read in bounded time without throwing', () => {
  const piece = fc.constantFrom('@tool(', '"a"', ')', '\n', '```', '@x("', ', ', 'é', '\u0000', '\r', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
      const { value, diagnostics } = parseRole(FILE, pieces.join(''));
      assert.ok(diagnostics.length <= MAX_FILE_DIAGNOSTICS);
      assert.is(
        value === undefined,
        diagnostics.some(d => d.severity === 'error'),
      );
    }),
  );
  const started = cpuMs();
  parseRole(FILE, '@tool(\n'.repeat(150_000));
  parseRole(FILE, '@tool(' + '"a",'.repeat(250_000) + ')');
  assert.ok(cpuMs() - started < 5000);
});

test.run();
