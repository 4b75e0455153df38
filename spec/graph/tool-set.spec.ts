import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MessageTable } from '../../lib/graph/message-table.ts';
import {
  CREATE_SERVICE_TOOL_SET_REQUEST,
  SCHEMA_CONFIGURATION,
  TOOL_SET,
  parseToolSet,
} from '../../lib/graph/tool-set.ts';
import { MAX_FILE_DIAGNOSTICS } from '../../lib/graph/parsed.ts';

const test = suite('tool-set files');
const FILE = '.sgpt/almanac.toolset';
const told = (text: string): string[] =>
  parseToolSet(FILE, text).diagnostics.map(d => `${d.line}:${d.column} ${d.code} ${d.message}`);
const request = (fields: string): string =>
  `{"engine_service": "e", "tool_sets": [{"service_full_name": "s.S", ${fields}}]}`;

test('reads services and counts methods', () => {
  const text = `{"engineService": "sky", "tool_sets": [
    {"service_full_name": "a.A", "method_names": ["X", "Y"], "schema_configuration": {"with_max_depth": "3", "field_mask": "a,b"}},
    {"serviceFullName": "b.B", "method_name_to_schema_configuration": {"Z": {"with_title": "t"}}, "schema_configuration": null}]}`;
  const { value, diagnostics } = parseToolSet(FILE, text);
  assert.equal(diagnostics, []);
  const expected = { selector: '//almanac', title: 'almanac', file: FILE, engineService: 'sky' };
  assert.equal(value, { ...expected, services: ['a.A', 'b.B'], methodCount: 2 });
});

const MISTAKES: [string, string[]][] = [
  ['[]', ['1:1 wrong-type expected ToolSet as an object, found an array']],
  [
    '{"engine_service": "e", "tool_sets": []}',
    ['1:38 no-services tool_sets is empty: the set offers no tool'],
  ],
  [
    '{"engine_servce": "e"}',
    [
      '1:1 missing-field engine_service is missing: no connection to call',
      '1:1 no-services tool_sets is empty: the set offers no tool',
      "1:2 unknown-field unknown field 'engine_servce' in ToolSet",
    ],
  ],
  [request('"method_names": "X"'), ['1:84 wrong-type method_names: expected a list, found a string']],
  [request('"method_names": [1]'), ['1:85 wrong-type method_names: expected a string, found a number']],
  [
    request('"schema_configuration": {"with_max_depth": 11}'),
    ['1:111 out-of-range with_max_depth: 11 is not between 0 and 10'],
  ],
  [
    request('"method_names": ["GetX"], "discovered_method_names": ["GteX"]'),
    ["1:122 unknown-method method 'GteX' is not among method_names"],
  ],
  [request('"service_full_name": "x"'), ["1:68 duplicate-field field 'service_full_name' stands twice"]],
];
for (const [text, expected] of MISTAKES)
  test(`${text} is told with its place`, () => assert.equal(told(text), expected));

test('an empty file is told once', () => {
  assert.equal(told(''), ['1:1 json-syntax expected a value, found the end of the file']);
});

const SYNTAX: [string, string][] = [
  ['{"engine_service": "e",\n  "tool_sets": [{"service_full_name": "s"},]}', "2:43 comma before ']'"],
  ['{engine_service: "e",', "1:2 field name 'engine_service' is not quoted"],
  ['{\'engine_service\': "e",', '1:2 string in single quotes'],
  ['{"engine_service": "e" // x\n,', '1:24 comments are not allowed here'],
  ['{"engine_service": "e\n', '1:20 string is never closed'],
  ['{"engine_service": "\\q",', "1:21 unknown escape '\\q' in a string"],
  ['{"engine_service": e,', "1:20 expected a value, found 'e'"],
  ['{"engine_service" "e",', "1:19 expected ':' after 'engine_service', found '\"e\",'"],
  ['{"a": 01}', "1:8 expected ',' or '}', found '1}'"],
  ['{"a": 1} x', "1:10 expected the end of the file, found 'x'"],
  ['{"a": [1, 2}', "1:12 expected ']', found '}'"],
];
for (const [text, expected] of SYNTAX)
  test(`${JSON.stringify(text)} is a syntax error at its place`, () => {
    const found = parseToolSet(FILE, text).diagnostics.filter(d => d.code === 'json-syntax');
    assert.ok(found.map(d => `${d.line}:${d.column} ${d.message}`).includes(expected), JSON.stringify(found));
  });

test('a syntax error hides neither unknown fields nor wrong values', () => {
  const text = '{\n "engine_service": oops,\n "tool_set": [],\n "tool_sets": [{"service_full_name": 3,}]\n}';
  assert.equal(
    parseToolSet(FILE, text).diagnostics.map(d => `${d.line} ${d.code}`),
    ['2 json-syntax', '3 unknown-field', '4 wrong-type', '4 json-syntax'],
  );
});

test('a name in the file is not used, and that is said', () => {
  const { value, diagnostics } = parseToolSet(
    FILE,
    `{"name": "x", ${request('"method_names": []').slice(1)}`,
  );
  assert.equal(
    diagnostics.map(d => d.code),
    ['ignored-field'],
  );
  assert.is(value?.title, 'almanac');
});

test('hostile nesting and endless mistakes are bounded', () => {
  assert.is(told('['.repeat(500_000)).length > 0, true);
  assert.ok(told('{"a":1,'.repeat(100_000)).length <= MAX_FILE_DIAGNOSTICS + 1);
  assert.ok(told(`{${'"x":1,'.repeat(100_000)}}`).length <= MAX_FILE_DIAGNOSTICS + 1);
});

/** Fields of each message of the .proto text: name, type, label. */
function protoMessages(text: string): Record<string, string[]> {
  const messages: Record<string, string[]> = {};
  let current: string[] = [];
  for (const line of text.split('\n')) {
    const name = /^message (\w+) \{$/.exec(line)?.[1];
    if (name) current = messages[name] = [];
    const field = /^ {2}(repeated )?(?:map<string, (\w+)>|([\w.]+)) (\w+) = (\d+);$/.exec(line);
    if (field)
      current.push(
        `${field[5]} ${field[4]} ${field[2] ?? field[3]}${field[1] ? ' repeated' : field[2] ? ' map' : ''}`,
      );
  }
  return messages;
}

/** The same of a table; numbers follow from order, which both keep. */
function tableFields(table: MessageTable): string[] {
  return table.fields.map((field, i) => {
    const type = typeof field.type === 'object' ? field.type.name : field.type;
    const wire = type === 'field_mask' ? 'google.protobuf.FieldMask' : type;
    return `${i + 1} ${field.name} ${wire}${field.label ? ' ' + field.label : ''}`;
  });
}

test('the tables agree with the .proto, message by message', () => {
  const proto = join(import.meta.dirname, '../../../proto/sgpt/v1/tool_set.proto');
  const text = readFileSync(proto, 'utf8');
  const tables = [TOOL_SET, CREATE_SERVICE_TOOL_SET_REQUEST, SCHEMA_CONFIGURATION];
  assert.equal(protoMessages(text), Object.fromEntries(tables.map(t => [t.name, tableFields(t)])));
});

test('every message and field of the .proto has a comment', () => {
  const lines = readFileSync(
    join(import.meta.dirname, '../../../proto/sgpt/v1/tool_set.proto'),
    'utf8',
  ).split('\n');
  const bare = lines.filter((line, i) => /^message|= \d+;$/.test(line) && !/^\s*\/\//.test(lines[i - 1]!));
  assert.equal(bare, []);
});

test.run();
