import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../../lib/base/errors.ts';
import { decodeArguments, type Decoded } from '../../../lib/tools/describe/decode.ts';
import { readProtos, sourceMethods } from '../../../lib/tools/describe/from-source.ts';

const test = suite('arguments of tools');

const methods = sourceMethods(readProtos(['sgpt/v1/tools.proto']), 'sgpt.v1.ToolService');
const decode = (method: string, given: object, isLenient = false): Decoded =>
  decodeArguments(methods.get(method)!.request, given as never, { tool: 'it', isLenient });

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof CodedError && error.code === 'usage') return error.message;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('arguments of the right form stay as they are', () => {
  const given = { path: 'a', patches: [{ search: 'x', replace: '', replace_all: true }] };
  assert.equal(decode('Replace', given), given);
});

test('lists and objects may be JSON in a string', () => {
  const patches = [{ search: 'x', replace: 'y' }];
  assert.equal(decode('Replace', { path: 'a', patches: JSON.stringify(patches) }).patches, patches);
  assert.equal(decode('Replace', { path: 'a', patches: [JSON.stringify(patches[0])] }).patches, patches);
});

test('a string of JSON that is cut off is told, and not guessed', () => {
  const told = messageOf(() => decode('Replace', { path: 'a', patches: '[{"search":"x","repl' }));
  assert.is(told, 'it: argument patches: it is a string whose JSON is not complete, not an object');
});

test('an envelope is taken off, as an object or as a string', () => {
  assert.equal(decode('Glob', { arguments: { pattern: '*' } }), { pattern: '*' });
  assert.equal(decode('Glob', { arguments: '{"pattern":"*"}' }), { pattern: '*' });
});

test('one value stands for a list of one', () => {
  assert.equal(decode('ReadFiles', { paths: 'a.txt' }), { paths: ['a.txt'] });
  assert.equal(decode('ReadFiles', { paths: '["a","b"]' }), { paths: ['a', 'b'] });
});

test('values of another type are told with their path', () => {
  const cases: readonly (readonly [string, object, string])[] = [
    ['ExecShell', { command: 7 }, 'it: argument command: it is a number, not a string'],
    ['ExecShell', {}, 'it: argument command: it is missing'],
    ['ExecShell', { command: null }, 'it: argument command: it is missing'],
    [
      'ExecShell',
      { command: 'x', background: 'yes' },
      'it: argument background: it is a string, not true or false',
    ],
    [
      'ExecShell',
      { command: 'x', timeout_seconds: 1.5 },
      'it: argument timeout_seconds: it is a number, not a whole number',
    ],
    ['Replace', { path: 'a', patches: [3] }, 'it: argument patches[0]: it is a number, not an object'],
    ['Replace', { path: 'a', patches: [{ search: 's' }] }, 'it: argument patches[0].replace: it is missing'],
    ['ReadFiles', { paths: [['a']] }, 'it: argument paths[0]: it is a list, not a string'],
  ];
  for (const [method, given, told] of cases)
    assert.is(
      messageOf(() => decode(method, given)),
      told,
    );
});

test('an unknown argument is told with what was meant, and left out where reading is lenient', () => {
  assert.is(
    messageOf(() => decode('Glob', { patern: '*' })),
    'it: argument patern: there is no such argument',
  );
  assert.equal(decode('Glob', { pattern: '*', why: 'because' }, true), { pattern: '*' });
});

test('names of enums may lack what they all begin with, and others are refused', () => {
  const status = (text: string): unknown =>
    (decode('WriteTodos', { todos: [{ description: 'd', status: text }] }).todos as { status: string }[])[0]!
      .status;
  assert.is(status('TODO_STATUS_COMPLETED'), 'TODO_STATUS_COMPLETED');
  assert.is(status('in_progress'), 'TODO_STATUS_IN_PROGRESS');
  assert.ok(messageOf(() => status('later')).includes('not one of TODO_STATUS_UNSPECIFIED'));
});

test('names in camelCase are taken', () => {
  assert.equal(decode('ReadFiles', { paths: ['a'], firstLine: 3 }), { paths: ['a'], first_line: 3 });
});

test('names of the prototype are names like others', () => {
  const given = JSON.parse('{"pattern":"*","__proto__":{"x":1}}') as object;
  assert.ok(messageOf(() => decode('Glob', given)).includes('no such argument'));
  assert.equal(
    decode('ProposeLore', { name: 'a', title: 'b', content: 'c', labels: { constructor: 'x' } }).labels,
    {
      constructor: 'x',
    },
  );
});

test('whatever JSON is given, it is read or told', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...methods.keys()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (method, given) => {
        const fields = methods.get(method)!.request.fields.map(field => field.name);
        const values = Object.values(given);
        const named = Object.fromEntries(fields.map((name, at) => [name, values[at]]));
        for (const one of [given, named])
          try {
            decode(method, one);
          } catch (error) {
            if (!(error instanceof CodedError)) throw error;
          }
      },
    ),
  );
});

test.run();
