/**
 * What a server begins with: the state on the disk, and programs that outlived the last one.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openState, type SavedServer } from '../../../lib/server/saved/saved-state.ts';
import { fakeModel, program, type Fake } from '../../model/fake.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('saved state');
const SIZE = { cols: 80, rows: 24 };

function open(dir: string, more: Partial<Parameters<typeof openState>[0]> = {}): SavedServer {
  return openState({
    paths: { state: dir, data: dir },
    version: '1.0.0',
    now: () => 0,
    shell: '/bin/sh',
    ...more,
  });
}

/** A model with two sessions, the first named. */
function two(): Fake {
  const fake = fakeModel();
  for (const name of ['named', '']) {
    const spec = program({ name, durable: name !== '', pane: fake.model.windows.nextPane });
    const session = fake.model.sessions.create(spec, SIZE);
    fake.model.windows.create({ session: session.id, name, size: SIZE, background: false });
  }
  return fake;
}

const noPrograms = (): undefined => undefined;

async function keep(dir: string, fake: Fake): Promise<void> {
  const persistence = open(dir).keep(fake.model, fake.clock, text => assert.unreachable(text));
  await persistence.flush();
  persistence.dispose();
}

test('the first server begins with nothing, the next with what it left', async () => {
  const dir = tempDir();
  const first = two();
  await keep(dir, first);
  const next = fakeModel();
  const saved = open(dir);
  assert.equal([saved.reports, saved.restore(next.model, noPrograms)], [[], []]);
  assert.equal(
    next.model.sessions.all().map(one => one.name),
    ['named', 'cat'],
  );
});

test('deleted sessions are not found again by a server whose state is damaged', async () => {
  const dir = tempDir();
  const first = two();
  const persistence = open(dir).keep(first.model, first.clock, text => assert.unreachable(text));
  await persistence.flush();
  first.model.sessions.delete(first.model.sessions.byName('cat')!);
  await persistence.flush();
  persistence.dispose();
  for (const name of ['state.json', 'state.json.copy']) writeFileSync(join(dir, name), '{');
  const next = fakeModel();
  const saved = open(dir);
  saved.restore(next.model, noPrograms);
  assert.equal(
    next.model.sessions.all().map(one => one.name),
    ['named'],
  );
  assert.match(saved.reports.join(), /1 session from elsewhere/);
});

test.run();
