import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseArtifact } from '../../lib/graph/artifact.ts';
import { repositoryOf } from '../../lib/graph/build.ts';
import { checkGraph } from '../../lib/graph/check.ts';
import { parseGraphConfig } from '../../lib/graph/config.ts';
import { expandRole } from '../../lib/graph/expand.ts';
import { Resolver } from '../../lib/graph/resolve.ts';

const test = suite('expanding roles');

/** A role as the model knows it. */
interface ModelRole {
  readonly model: string;
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly files: readonly string[];
  readonly includes: readonly number[];
}

const resolverOf = (files: Readonly<Record<string, string>>): Resolver =>
  new Resolver(
    repositoryOf(
      '/r',
      parseGraphConfig('').value,
      Object.entries(files).map(([file, text]) => parseArtifact({ file, text })),
    ),
  );

const textOf = (role: ModelRole): string =>
  [
    ...(role.model === '' ? [] : [`@model("${role.model}")`]),
    ...role.includes.map((i, at) => `@role("${['r' + i, '//r' + i, '//:r' + i][at % 3]}")`),
    ...role.tools.map(tool => `@tool("${tool}")`),
    ...role.files.map(file => `@file("${file}")`),
    role.prompt,
  ].join('\n');

const once = <T>(list: readonly T[]): T[] => list.filter((item, i) => list.indexOf(item) === i);

/** The order in which roles take part: what is included first, each where it is met first. Plain recursion. */
function orderOf(roles: readonly ModelRole[], start: number, seen: number[]): number[] {
  if (seen.includes(start)) return [];
  seen.push(start);
  return [...roles[start]!.includes.flatMap(i => orderOf(roles, i, seen)), start];
}

/** Its own model, else that of the first include that comes to one, not looking at a role twice. */
function modelOf(roles: readonly ModelRole[], start: number, seen: number[]): string {
  if (seen.includes(start)) return '';
  seen.push(start);
  if (roles[start]!.model !== '') return roles[start]!.model;
  for (const include of roles[start]!.includes) {
    const found = modelOf(roles, include, seen);
    if (found !== '') return found;
  }
  return '';
}

const name = fc.constantFrom('diff', 'replace', 'read_files', 'agent');
const file = fc.constantFrom('a.md', 'b.md', '/c.md', '~/d.md', 'e/...');
const role = (count: number): fc.Arbitrary<ModelRole> =>
  fc.record({
    model: fc.constantFrom('', '', '', 'm1', 'm2'),
    prompt: fc.constantFrom('', 'One.', 'Two\nlines.', '```\n@x("y")\n```'),
    tools: fc.uniqueArray(name),
    files: fc.uniqueArray(file),
    includes: fc.uniqueArray(fc.nat(count - 1), { maxLength: 4 }),
  });
const roles = fc.integer({ min: 1, max: 9 }).chain(n => fc.array(role(n), { minLength: n, maxLength: n }));

test('any set of roles expands as a slow, obvious model says', () => {
  fc.assert(
    fc.property(roles, list => {
      const files = Object.fromEntries(list.map((r, i) => [`.sgpt/r${i}.role.md`, textOf(r)]));
      const resolver = resolverOf(files);
      for (const start of list.keys()) {
        const order = orderOf(list, start, []);
        const expanded = expandRole(resolver, `r${start}`);
        assert.equal(
          {
            roles: expanded.roles,
            model: expanded.model?.value ?? '',
            prompt: expanded.prompt,
            tools: expanded.tools.map(t => t.value),
            files: expanded.files.map(f => f.value.written),
            missing: expanded.missing,
          },
          {
            roles: order.map(i => `//r${i}`),
            model: modelOf(list, start, []),
            prompt: order
              .map(i => list[i]!.prompt)
              .filter(Boolean)
              .join('\n\n'),
            tools: once(order.flatMap(i => list[i]!.tools)),
            files: once(order.flatMap(i => list[i]!.files)),
            missing: [],
          },
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('every line of a prompt is the line of the file that it names', () => {
  fc.assert(
    fc.property(roles, list => {
      const files = Object.fromEntries(list.map((r, i) => [`.sgpt/r${i}.role.md`, textOf(r)]));
      for (const part of expandRole(resolverOf(files), 'r0').parts) {
        const source = files[part.file]!.split('\n');
        assert.equal(
          part.text.split('\n'),
          part.lines.map(line => source[line - 1]),
        );
      }
    }),
    { numRuns: 100 },
  );
});

test('an include that leads nowhere is told with its line, and the rest still counts', () => {
  const resolver = resolverOf({
    '.sgpt/a.role.md': '@role("c")\n@role("gone")\n@role("b")\nA',
    '.sgpt/b.role.md': 'B',
    '.sgpt/c.role.md': '@x("broken")',
  });
  const { prompt, missing } = expandRole(resolver, 'a');
  assert.is(prompt, 'B\n\nA');
  assert.equal(
    missing.map(m => `${m.from.file}:${m.from.line} ${m.written} ${m.code}`),
    ['.sgpt/a.role.md:1 c broken', '.sgpt/a.role.md:2 gone not_found'],
  );
});

test('a circle is a warning, told once, and shown by the expansion', () => {
  const resolver = resolverOf({
    '.sgpt/a.role.md': '@role("b")\nA',
    '.sgpt/b.role.md': 'B\n@role("c")',
    '.sgpt/c.role.md': '@role("a")\nC',
  });
  assert.equal(
    checkGraph(resolver).map(d => `${d.file}:${d.line} ${d.code} ${d.message}`),
    ['.sgpt/c.role.md:1 include-cycle roles include each other: //a → //b → //c → //a'],
  );
  assert.equal(expandRole(resolver, 'b').cycles, [['//b', '//c', '//a', '//b']]);
  assert.is(expandRole(resolver, 'b').prompt, 'A\n\nC\n\nB');
});

test('ten thousand roles in one chain, and in one circle, are expanded and checked', () => {
  const count = 10_000;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `.sgpt/r${i}.role.md`,
      `@role("r${(i + 1) % count}")\nRole ${i}.`,
    ]),
  );
  const resolver = resolverOf(files);
  const started = performance.now();
  assert.is(expandRole(resolver, 'r0').roles.length, count);
  assert.is(checkGraph(resolver).length, 1);
  assert.ok(performance.now() - started < 10_000);
});

test.run();
