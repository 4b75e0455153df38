import { copyFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIAGNOSTIC_CODES } from '../../lib/graph/codes.ts';
import type { Diagnostic } from '../../lib/graph/types.ts';
import { loadGraph } from '../../lib/watch/load-graph.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('broken files');
const BROKEN = join(import.meta.dirname, '../../../spec/graph/broken');
/** What is expected of each file: `NAME LINE:COLUMN CODE [| HINT]`, a line for each problem. */
const EXPECTED = readFileSync(join(BROKEN, 'EXPECTED'), 'utf8').trimEnd().split('\n');

/** A sound repository that each broken file is put into. */
const SOUND: Readonly<Record<string, string>> = {
  '.sgpt.json': '{models: [{name: "p/m", alias: "fast"}], chat: {default_role: "house"}}',
  '.sgpt/house.role.md': '@alias("h")\nHouse rules.\n',
  '.sgpt/both.role.md': 'Both.\n',
  '.sgpt/desk.toolset': '{"engine_service": "desk", "tool_sets": [{"service_full_name": "a.B"}]}',
  '.sgpt/lores/guides/locks.md': '---\ntitle: Locks\n---\nBody\n',
  'svc/.sgpt/dispatch.role.md': '@alias("disp")\nDispatch.\n',
};

/** Where a broken file stands in the repository. */
function placeOf(name: string): string {
  if (name.endsWith('.sgpt.json')) return '.sgpt.json';
  return name.endsWith('.lore.md') ? `.sgpt/lores/${name.replace('.lore.md', '.md')}` : `.sgpt/${name}`;
}

async function diagnosticsOf(name: string): Promise<readonly Diagnostic[]> {
  const dir = tempDir(SOUND);
  const place = placeOf(name);
  mkdirSync(dirname(join(dir, place)), { recursive: true });
  copyFileSync(join(BROKEN, name), join(dir, place));
  return (await loadGraph(dir, { HOME: '/home/kim' })).diagnostics.filter(d => d.file === place);
}

function told(name: string, { line, column, code, hint }: Diagnostic): string {
  // A remedy of the table alone says nothing about this file.
  const own = hint === DIAGNOSTIC_CODES[code].remedy ? '' : ` | ${hint}`;
  return `${name} ${line}:${column} ${code}${own}`;
}

test('the sound repository has nothing wrong', async () => {
  assert.equal((await loadGraph(tempDir(SOUND), {})).diagnostics, []);
});

for (const name of readdirSync(BROKEN).filter(n => n !== 'EXPECTED'))
  test(`${name} is told with place, kind and remedy`, async () => {
    const list = await diagnosticsOf(name);
    assert.equal(
      list.map(d => told(name, d)),
      EXPECTED.filter(line => line.startsWith(`${name} `)),
    );
    for (const { message, hint, severity, code } of list) {
      assert.ok(message !== '' && hint !== '');
      assert.is(severity, DIAGNOSTIC_CODES[code].severity);
    }
  });

test('there are sixty of them, and none is expected that is not there', () => {
  const names = readdirSync(BROKEN);
  assert.ok(names.length > 60);
  assert.equal(
    EXPECTED.filter(line => !names.includes(line.split(' ')[0]!)),
    [],
  );
});

test.run();
