/**
 * Stores that git cannot read.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CodedError } from '../../lib/base/errors.ts';
import type { StoreGit } from '../../lib/documents/git.ts';
import { PERSON } from '../../lib/documents/message.ts';
import { sharedStore } from '../../lib/documents/places.ts';
import { listDocuments, readDocument, readLog } from '../../lib/documents/read.ts';
import { repairStore } from '../../lib/documents/repair.ts';
import { makeStore } from '../../lib/documents/repository.ts';
import { performWrite } from '../../lib/documents/write.ts';
import { git, gitEnv } from '../support/git.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('broken stores of documents');
const ENV = gitEnv();
let count = 0;

async function put(store: StoreGit, key: string, text: string): Promise<void> {
  const write = {
    id: `w${count++}`,
    kind: 'put',
    key,
    body: Buffer.from(text),
    writer: PERSON,
    at: 1,
  } as const;
  assert.is((await performWrite(store, write, Date.now)).result, 'written');
}

/** What may happen to a repository. */
const DAMAGE: Readonly<Record<string, (dir: string) => void>> = {
  'its branch is empty': dir => writeFileSync(join(dir, 'refs/heads/main'), ''),
  'its branch is gone': dir => rmSync(join(dir, 'refs/heads/main')),
  'its branch leads nowhere': dir => writeFileSync(join(dir, 'refs/heads/main'), `${'a'.repeat(40)}\n`),
  'its HEAD is gone': dir => rmSync(join(dir, 'HEAD')),
  'its newest pack is cut off': dir => {
    // The one of the last write: what came before can be read.
    const [tip] = git(dir, '--git-dir=.', 'rev-list', '-1', 'main').split('\n');
    const pack = readdirSync(join(dir, 'objects/pack'))
      .filter(name => name.endsWith('.idx'))
      .find(name => holds(dir, name, tip!))!;
    writeFileSync(join(dir, 'objects/pack', pack.replace('.idx', '.pack')), 'PACK');
  },
};

function holds(dir: string, index: string, id: string): boolean {
  return readFileSync(join(dir, 'objects/pack', index)).includes(Buffer.from(id, 'hex'));
}

for (const [what, damage] of Object.entries(DAMAGE))
  test(`a store is told to be broken where ${what}, and mended with all that can be read`, async () => {
    const place = sharedStore(tempDir());
    const store = { dir: place.dir, env: ENV };
    makeStore(place);
    await put(store, 'old.md', 'old');
    await put(store, 'new.md', 'new');
    damage(place.dir);
    const tries = [
      () => put(store, 'x', 'y'),
      () => listDocuments(store, ''),
      () => readLog(store, undefined, 10),
      () => readDocument(store, 'old.md'),
    ];
    for (const attempt of tries) {
      const error = await attempt().then(
        () => undefined,
        (failure: unknown) => failure as CodedError,
      );
      assert.match(error?.message ?? 'no error', /^document store .*: /);
      assert.match(error?.hint ?? '', /nothing was changed; 'mux store repair'/);
    }
    const { aside, documents } = await repairStore(place, store);
    assert.ok(aside && existsSync(aside));
    assert.is(documents, what.includes('pack') ? 1 : 2);
    assert.is(String(await readDocument(store, 'old.md')), 'old');
    if (!what.includes('pack')) assert.is(String(await readDocument(store, 'new.md')), 'new');
    await put(store, 'x', 'y');
    assert.is(git(place.dir, '--git-dir=.', 'fsck', '--full', '--strict'), '');
    assert.ok((await repairStore(place, store)).isWhole);
  });

test.run();
