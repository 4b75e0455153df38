/**
 * The code against its own rules (spec/support/architecture.ts), and the rules against planted breaches: a check that
 * cannot fail is worth nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { breaches, folderOf, importsOf, LINES_MAX, MATRIX } from './support/architecture.ts';

const test = suite('architecture');

/** The package's root: compiled specs lie one level deeper than their sources. */
const ROOT = existsSync(join(import.meta.dirname, '../package.json'))
  ? join(import.meta.dirname, '..')
  : join(import.meta.dirname, '../..');

function walk(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap(entry => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? walk(path) : [relative(ROOT, path).split(sep).join('/')];
  });
}

function readSources(): Map<string, string> {
  const paths = walk(join(ROOT, 'lib')).filter(path => path.endsWith('.ts'));
  return new Map(paths.map(path => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** The breaches of planted files; `lib/base/event.ts` is there to be imported. */
function planted(files: Readonly<Record<string, string>>): string[] {
  return breaches(new Map(Object.entries({ 'lib/base/event.ts': 'export const a = 1;\n', ...files })));
}

test('the code keeps to the matrix, the caps and the purity of its folders', () => {
  assert.equal(breaches(readSources()), []);
});

test('every file below lib is scanned, and there are only TypeScript files', () => {
  const all = readdirSync(join(ROOT, 'lib'), { recursive: true }).map(name =>
    join(ROOT, 'lib', String(name)),
  );
  const files = all.filter(path => statSync(path).isFile());
  assert.is(readSources().size, files.length);
  assert.ok(files.length >= 10, 'fewer files than the contracts alone');
});

test('imports are found in each form they are written in', () => {
  const source = [
    `import a from './a.ts';`,
    `import type { B } from "./b.ts";`,
    `import {\n  c, // why\n  type D,\n} from './c.ts';`,
    `import * as e from './e.ts';`,
    `import './f.ts';`,
    `export { g } from './g.ts';`,
    `export * from './h.ts';`,
    `export type { I } from './i.ts';`,
    `const j = await import('./j.ts');`,
    `type K = typeof import('./k.ts');`,
    `// import l from './l.ts';`,
    `/** import m from './m.ts'; */`,
    `import type from './n.ts';`,
    `export const text = 'from';`,
  ].join('\n');
  assert.equal(
    importsOf(source).map(entry => `${entry.kind} ${entry.specifier}`),
    [
      'value ./a.ts',
      'type ./b.ts',
      'value ./c.ts',
      'value ./e.ts',
      'value ./f.ts',
      'value ./g.ts',
      'value ./h.ts',
      'type ./i.ts',
      'dynamic ./j.ts',
      'type ./k.ts',
      'value ./n.ts',
    ],
  );
});

test('good files pass', () => {
  assert.equal(
    planted({
      'lib/layout/tree.ts': `import { a } from '../base/event.ts';\n// Date.now is not for us\nexport const b = new Date(a);\n`,
      'lib/frame/compose.ts': `import type { V } from '../chrome/view.ts';\nexport type W = V;\n`,
      'lib/chrome/view.ts': `import { Transform } from 'node:stream';\nimport blessed from 'blessed';\n`,
      'lib/app/main.ts': `import { c } from '../client/attach.ts';\nawait import('../server/run.ts');\n`,
      'lib/client/attach.ts': `import { a } from '../base/event.ts';\nimport net from 'node:net';\n`,
      'lib/server/run.ts': `import '../chrome/view.ts';\n`,
    }),
    [],
  );
});

/** What is planted, and what must be said about it. */
const BAD: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ['a folder without a row', { 'lib/junk/a.ts': '' }, /folder junk has no row/],
  ['a file beside the folders', { 'lib/a.ts': '' }, /stands in no folder/],
  [
    'an import of a folder that is not in the row',
    { 'lib/layout/a.ts': `import '../term/b.ts';`, 'lib/term/b.ts': '' },
    /lib\/layout\/a\.ts: may not import lib\/term\/b\.ts/,
  ],
  [
    'a type of a folder that is not in the row',
    { 'lib/layout/a.ts': `import type { B } from '../term/b.ts';`, 'lib/term/b.ts': '' },
    /may not import lib\/term\/b\.ts \(type\)/,
  ],
  [
    'a value where only types are allowed',
    { 'lib/frame/a.ts': `import { type V } from '../chrome/view.ts';`, 'lib/chrome/view.ts': '' },
    /may not import lib\/chrome\/view\.ts \(value\)/,
  ],
  [
    'a dynamic import of a folder that is not in the row',
    { 'lib/layout/a.ts': `await import('../term/b.ts');`, 'lib/term/b.ts': '' },
    /may not import lib\/term\/b\.ts \(dynamic\)/,
  ],
  [
    'what a wide row leaves out',
    { 'lib/server/a.ts': `import '../app/b.ts';`, 'lib/app/b.ts': '' },
    /lib\/server\/a\.ts: may not import lib\/app\/b\.ts/,
  ],
  ['a package that is not in the row', { 'lib/base/a.ts': `import { z } from 'zod';` }, /package zod/],
  ['a scoped package', { 'lib/base/a.ts': `import '@xterm/headless/x';` }, /package @xterm\/headless/],
  ['a module of Node without its prefix', { 'lib/pty/a.ts': `import fs from 'fs';` }, /package fs/],
  ['node: in a pure folder', { 'lib/base/a.ts': `import fs from 'node:fs';` }, /may not import node:fs/],
  [
    'another module of Node than the row names',
    { 'lib/graph/a.ts': `import 'node:path';` },
    /may not import node:path/,
  ],
  ['a file that is not there', { 'lib/base/a.ts': `import './none.ts';` }, /not a file of lib/],
  ['a file outside lib', { 'lib/base/a.ts': `import '../../spec/run.ts';` }, /not a file of lib/],
  [
    'a cycle',
    {
      'lib/base/a.ts': `import './b.ts';`,
      'lib/base/b.ts': `import './c.ts';`,
      'lib/base/c.ts': `export * from './a.ts';`,
    },
    /import cycle lib\/base\/a\.ts → lib\/base\/b\.ts → lib\/base\/c\.ts → lib\/base\/a\.ts/,
  ],
  ['a file that is too long', { 'lib/base/a.ts': 'a\n'.repeat(LINES_MAX + 1) }, /401 lines, more than 400/],
  ['the time', { 'lib/base/a.ts': 'const t = Date.now();' }, /uses the time \(Date\.now\)/],
  ['the date', { 'lib/model/a.ts': 'const t = new Date();' }, /uses the time/],
  ['the stop watch', { 'lib/model/a.ts': 'const t = performance.now();' }, /uses the time/],
  ['chance', { 'lib/wire/a.ts': 'const r = Math.random();' }, /uses chance/],
  ['a timer', { 'lib/term/a.ts': 'setTimeout(f, 1);' }, /uses timers/],
  ['the process', { 'lib/mode/a.ts': 'if (process.env.X) f();' }, /uses the process/],
  ['the console', { 'lib/render/a.ts': `console.log('x');` }, /uses the console/],
  [
    'a package in the launcher of the attach path',
    { 'lib/app/main.ts': `import lock from 'ignore';` },
    /package ignore is loaded on the attach path/,
  ],
  [
    'a package somewhere below the attach path',
    {
      'lib/app/main.ts': `import '../config/load.ts';`,
      'lib/config/load.ts': `import './doc.ts';`,
      'lib/config/doc.ts': `import { parse } from 'yaml';`,
    },
    /package yaml .*lib\/app\/main\.ts → lib\/config\/load\.ts → lib\/config\/doc\.ts/,
  ],
  [
    'a heavy package in a folder of the attach path itself',
    { 'lib/app/main.ts': `import '../client/a.ts';`, 'lib/client/a.ts': `import 'zod';` },
    /package zod is loaded on the attach path/,
  ],
];

for (const [what, files, expected] of BAD)
  test(`refused: ${what}`, () => assert.match(planted(files).join('\n'), expected));

test('each planted breach is the only one told about its file set, so that no rule hides behind another', () => {
  for (const [what, files] of BAD) {
    const told = planted(files);
    // A package that its own row forbids is a breach there and on the attach path.
    assert.ok(
      told.length === 1 || (told.length === 2 && /attach path/.test(told.join())),
      `${what}: ${told.join()}`,
    );
  }
});

test('rows name folders that have a row, and packages that package.json installs', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const [folder, row] of Object.entries(MATRIX)) {
    for (const name of [...row.lib, ...(row.types ?? []), ...(row.not ?? [])])
      assert.ok(name === '*' || Object.hasOwn(MATRIX, name), `${folder}: ${name}`);
    for (const name of row.npm ?? []) assert.ok(Object.hasOwn(dependencies, name), `${folder}: ${name}`);
    assert.not.ok(row.pure && row.node?.includes('*'), `${folder} is pure and may use all of Node`);
  }
});

test('the manual of the internals names every folder, and no folder that is not there', () => {
  const page = join(ROOT, 'man/mux-internals.7.md');
  const folders = new Set([...readSources().keys()].map(folderOf));
  if (!existsSync(page)) return;
  const text = readFileSync(page, 'utf8');
  const named = new Set(text.match(/\b[a-z][a-z-]*\b/g));
  assert.equal(
    [...folders].filter(folder => !named.has(folder)),
    [],
  );
  const pointed = [...text.matchAll(/\blib\/([a-z][a-z-]*)/g)].map(match => match[1]!);
  assert.equal(
    pointed.filter(folder => !folders.has(folder)),
    [],
  );
});

test('every folder with specs mirrors a folder of lib', () => {
  const own = new Set([
    'support',
    'agents',
    'bench',
    'conformance',
    'screen',
    'real',
    'cli',
    'e2e',
    'golden',
    'agents',
    'fixtures',
  ]);
  const dirs = readdirSync(join(ROOT, 'spec'), { withFileTypes: true }).filter(entry => entry.isDirectory());
  const strays = dirs.map(entry => entry.name).filter(name => !own.has(name) && !Object.hasOwn(MATRIX, name));
  assert.equal(strays, []);
});

test.run();
