import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseGraphConfig } from '../../lib/graph/config.ts';

const test = suite('.sgpt.json');
const told = (text: string): string[] =>
  parseGraphConfig(text).diagnostics.map(d => `${d.line}:${d.column} ${d.severity} ${d.code}`);

test('plain JSON in either spelling of the names', () => {
  const { value, diagnostics } = parseGraphConfig(
    JSON.stringify({
      title: 'T',
      ignore: ['a/', '!b'],
      imports: [{ name: 'github.com/x/y', path: '~/y' }],
      chat: {
        user: 'u',
        summaryModel: 's',
        default_model: 'm',
        default_role: 'r',
        defaultTools: ['t'],
        default_lores: ['l'],
      },
      models: [{ name: 'n', alias: 'a' }],
      grpc_clients: [{ name: 'n', base_url: 'b', api_key: 'k', api_key_header: 'h' }],
      ai_service: 'n',
    }),
  );
  assert.equal(diagnostics, []);
  assert.equal(value, {
    title: 'T',
    ignore: ['a/', '!b'],
    imports: [{ name: 'github.com/x/y', path: '~/y', file: '.sgpt.json', line: 1, column: 46 }],
    models: [{ name: 'n', alias: 'a' }],
    chat: {
      user: 'u',
      summaryModel: 's',
      defaultModel: 'm',
      defaultRole: 'r',
      defaultTools: ['t'],
      defaultLores: ['l'],
    },
    mentions: value.mentions,
  });
  assert.equal(
    value.mentions.map(m => `${m.setting} ${m.value} ${m.line}`),
    ['default_role r 1', 'default_model m 1', 'default_tools t 1', 'default_lores l 1'],
  );
});

test('comments, bare keys, single quotes and trailing commas', () => {
  const { value, diagnostics } = parseGraphConfig(
    `\ufeff// one\n{ /* two */ title: 'it\\'s', # three\n ignore: ["a",],\n chat: {default_role: "//x",},\n}\n`,
  );
  assert.equal(diagnostics, []);
  assert.equal([value.title, value.ignore, value.chat.defaultRole], ["it's", ['a'], '//x']);
});

test('an empty file is a marker and no mistake', () => {
  for (const text of ['', '  \n', '{}', 'null']) assert.equal(told(text), []);
});

test('what is wrong is told, and all the rest is read', () => {
  const text = `{
  titel: "x",
  ignore: ["a", 3],
  imports: [{ name: "a" }, { name: "b", path: "rel" }, { name: "c", path: "/c" }, { name: "c", path: "/d" }],
  chat: { default_role: "r", default_rol: "x", default_tools: "t" },
  grpc_clients: [{ name: "g", api_key: std.native("env")("KEY"), base_url: 1 }],
  title: "T",
}`;
  assert.equal(told(text), [
    '2:3 error unknown-field',
    '3:17 error wrong-type',
    '4:13 error missing-field',
    '4:28 error bad-import',
    '4:83 warning duplicate',
    '5:30 error unknown-field',
    '5:63 error wrong-type',
    '6:76 error wrong-type',
  ]);
  const { value } = parseGraphConfig(text);
  assert.equal(
    [value.title, value.ignore, value.imports.map(i => i.path), value.chat.defaultRole],
    ['T', ['a'], ['/c'], 'r'],
  );
});

test('an unknown field comes with the one that was meant', () => {
  assert.equal(
    parseGraphConfig('{defaultRole: 1, ignroe: []}').diagnostics.map(d => d.hint),
    ['fields are title, ignore, imports, chat, models, grpc_clients, ai_service', "did you mean 'ignore'?"],
  );
});

test('a title is one printable line', () => {
  assert.is(parseGraphConfig(JSON.stringify({ title: 'a\nb\u001b[2Jc\u202e' })).value.title, 'a b [2Jc');
});

test('every JSON value is read without a syntax error, and no text throws', () => {
  fc.assert(
    fc.property(fc.json(), json => {
      assert.equal(
        parseGraphConfig(json).diagnostics.filter(d => d.code === 'json-syntax'),
        [],
      );
    }),
  );
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    "'",
    '\\',
    'a',
    '1',
    '/*',
    '//',
    '\n',
    '(',
    '-',
    '#',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
      parseGraphConfig(pieces.join(''));
    }),
    { numRuns: 500 },
  );
});

test.run();
