import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../../lib/graph/codes.ts';
import { sarifLog } from '../../lib/graph/sarif.ts';
import type { Diagnostic } from '../../lib/graph/types.ts';

const test = suite('diagnostics as SARIF');

type Shape = Readonly<Record<string, Check>>;
type Check = (value: unknown, at: string) => void;

/** A property that may be missing. */
const optional = new WeakSet<Check>();
const maybe = (check: Check): Check => {
  const wrapped: Check = (value, at) => check(value, at);
  optional.add(wrapped);
  return wrapped;
};
const text: Check = (value, at) => assert.ok(typeof value === 'string' && value !== '', at);
const natural =
  (least: number): Check =>
  (value, at) =>
    assert.ok(Number.isInteger(value) && (value as number) >= least, `${at}: ${String(value)}`);
const oneOf =
  (...words: string[]): Check =>
  (value, at) =>
    assert.ok(words.includes(value as string), `${at}: ${String(value)}`);
/** A URI reference (RFC 3986) without what has to be escaped. */
const reference: Check = (value, at) =>
  assert.ok(/^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+$/.test(value as string), `${at}: ${String(value)}`);
/** All items are like that. */
const list =
  (check: Check): Check =>
  (value, at) => {
    assert.ok(Array.isArray(value), at);
    for (const [i, item] of (value as unknown[]).entries()) check(item, `${at}[${i}]`);
  };
/** An object with these properties and no others, as `additionalProperties: false` has it. */
const object =
  (shape: Shape): Check =>
  (value, at) => {
    assert.ok(typeof value === 'object' && value !== null, at);
    for (const key of Object.keys(value as object))
      assert.ok(Object.hasOwn(shape, key), `${at}.${key} is unknown`);
    for (const [key, check] of Object.entries(shape)) {
      const has = Object.hasOwn(value as object, key);
      assert.ok(has || optional.has(check), `${at}.${key} is missing`);
      if (has) check((value as Record<string, unknown>)[key], `${at}.${key}`);
    }
  };

const LEVEL = oneOf('none', 'note', 'warning', 'error');
const MESSAGE = object({ text });
/** What of the schema of SARIF 2.1.0 (OASIS, sarif-schema-2.1.0.json) is used: required properties, types, words. */
const LOG = object({
  $schema: reference,
  version: oneOf('2.1.0'),
  runs: list(
    object({
      tool: object({
        driver: object({
          name: text,
          version: text,
          rules: list(
            object({
              id: text,
              shortDescription: MESSAGE,
              help: MESSAGE,
              defaultConfiguration: object({ level: LEVEL }),
            }),
          ),
        }),
      }),
      columnKind: oneOf('utf16CodeUnits', 'unicodeCodePoints'),
      originalUriBaseIds: object({
        ROOT: object({
          uri: (value, at) => {
            reference(value, at);
            assert.match(value as string, /^file:\/\/.*\/$/);
          },
        }),
      }),
      results: list(
        object({
          ruleId: text,
          ruleIndex: natural(0),
          level: LEVEL,
          message: MESSAGE,
          locations: list(
            object({
              physicalLocation: object({
                artifactLocation: object({ uri: reference, uriBaseId: oneOf('ROOT') }),
                region: maybe(object({ startLine: natural(1), startColumn: maybe(natural(1)) })),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

const found = (code: DiagnosticCode, more: Partial<Diagnostic> = {}): Diagnostic => ({
  file: '.sgpt/a b#ü%.role.md',
  line: 3,
  column: 1,
  severity: DIAGNOSTIC_CODES[code].severity,
  code,
  message: `about ${code}`,
  hint: 'do that',
  ...more,
});

test('every kind of problem, wherever it is, makes a log that the schema allows', () => {
  const codes = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[];
  const places = [{}, { line: 0, column: 0 }, { column: 0 }, { file: '../.sgpt.json' }, { hint: '' }];
  const all = codes.flatMap(code => places.map(place => found(code, place)));
  for (const diagnostics of [all, []]) {
    const log = sarifLog(diagnostics, '0.1.0', 'file:///a%20b/');
    LOG(JSON.parse(JSON.stringify(log)), 'log');
  }
});

test('each result names the rule that it is of, and where it is', () => {
  const log = sarifLog([found('yaml-syntax'), found('dead-link', { line: 0 })], '0.1.0', 'file:///r/') as {
    runs: {
      tool: { driver: { rules: { id: string }[] } };
      results: { ruleIndex: number; ruleId: string; locations: object[] }[];
    }[];
  };
  const { tool, results } = log.runs[0]!;
  for (const { ruleIndex, ruleId } of results) assert.is(tool.driver.rules[ruleIndex]!.id, ruleId);
  assert.equal(results[0]!.locations, [
    {
      physicalLocation: {
        artifactLocation: { uri: '.sgpt/a%20b%23%C3%BC%25.role.md', uriBaseId: 'ROOT' },
        region: { startLine: 3, startColumn: 1 },
      },
    },
  ]);
  assert.not.ok(JSON.stringify(results[1]).includes('region'));
});

test.run();
