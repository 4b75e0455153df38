/**
 * Who sessions are, kept beside their logs.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SavedState } from '../../lib/model/saved.ts';
import { readState } from '../../lib/store/document.ts';
import { Identities } from '../../lib/store/identities.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('identities');
const FIXTURE = join(import.meta.dirname, '../../../spec/fixtures/state/v2.json');
const STATE = readState(JSON.parse(readFileSync(FIXTURE, 'utf8'))).state;

test('sessions are found by their logs, whatever else lies there, until they are deleted', async () => {
  const logs = tempDir();
  const before = new Identities(logs);
  await before.keep(STATE.sessions);
  assert.equal(
    before
      .read()
      .map(session => session.id)
      .sort(),
    STATE.sessions.map(session => session.id).sort(),
  );
  writeFileSync(join(logs, STATE.sessions[0]!.id, 'session.json'), '{"version":2,"session":');
  mkdirSync(join(logs, 'stray'));
  mkdirSync(join(logs, 'crooked/session.json'), { recursive: true });
  mkdirSync(join(logs, 'foreign'));
  writeFileSync(
    join(logs, 'foreign/session.json'),
    readFileSync(join(logs, STATE.sessions[1]!.id, 'session.json')),
  );
  const after = new Identities(logs);
  const ids = (sessions: SavedState['sessions']): string[] => sessions.map(session => session.id).sort();
  assert.equal(ids(after.read()), ids(STATE.sessions.slice(1)));
  assert.equal(after.read().find(session => session.id === STATE.sessions[3]!.id)?.deletedAt, 1790000300000);
  // A session that is deleted is not found again; what else lies in its folder is.
  after.adopt(STATE.sessions);
  writeFileSync(join(logs, STATE.sessions[1]!.id, '0.log'), 'output');
  await after.keep(STATE.sessions.slice(2));
  assert.equal(ids(after.read()), ids(STATE.sessions.slice(2)));
  assert.equal(
    readdirSync(logs).filter(name => /^[0-9a-f]{8}$/.test(name)).length,
    STATE.sessions.length - 1,
  );
});

test.run();
