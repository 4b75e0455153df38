import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionId } from '../../../lib/model/types.ts';
import { Tokens } from '../../../lib/server/access/tokens.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('tokens');

type Session = Parameters<Tokens['issue']>[0];

function places(): ConstructorParameters<typeof Tokens>[0] {
  const dir = tempDir();
  return { folder: join(dir, 'tokens'), person: join(dir, 'person'), logger: { log: () => undefined } };
}

function session(id: string, { isAi = false, parent = '' } = {}): Session {
  return { id: id as SessionId, isAi, parentId: parent as SessionId };
}

function fails(): never {
  throw new Error('no such folder');
}

test('a token is good until the next start, and for no other session', () => {
  const tokens = new Tokens(places());
  const first = tokens.issue(session('a', { isAi: true }));
  assert.equal(tokens.speaker(first), { session: 'a', isPerson: false });
  const second = tokens.issue(session('a', { isAi: true }));
  assert.throws(() => tokens.speaker(first), /belongs to nobody/);
  assert.equal(tokens.speaker(second), { session: 'a', isPerson: false });
  tokens.forget('a' as SessionId);
  assert.throws(() => tokens.speaker(second), /belongs to nobody/);
});

test('the next server knows every token by its hash, and no file but the person’s holds one', () => {
  const where = places();
  const tokens = new Tokens(where);
  const token = tokens.issue(session('a'));
  const [name = ''] = readdirSync(where.folder);
  assert.not.match(readFileSync(join(where.folder, name), 'utf8'), token);
  for (const path of [join(where.folder, name), where.person]) assert.is(statSync(path).mode & 0o777, 0o600);
  assert.equal(new Tokens(where).speaker(token), { session: 'a', isPerson: true });
  const person = readFileSync(where.person, 'utf8').trim();
  assert.equal(new Tokens(where).speaker(person), { session: '', isPerson: true });
});

test('an agent’s shell is not made a person’s by a start that fails after the agent has gone', () => {
  const tokens = new Tokens(places());
  tokens.issue(session('agent', { isAi: true }));
  const before = tokens.issue(session('shell', { parent: 'agent' }));
  assert.throws(() => tokens.forStart(session('shell', { parent: 'agent' }), fails), 'no such folder');
  assert.throws(() => tokens.speaker(before), /belongs to nobody/);
  tokens.forget('agent' as SessionId);
  // Its children are those of its parent then: of nobody.
  const after = tokens.forStart(session('shell'), token => token);
  assert.equal(tokens.speaker(after), { session: 'shell', isPerson: false });
});

test('nothing is kept of a session that never started', () => {
  const where = places();
  const tokens = new Tokens(where);
  let token = '';
  assert.throws(() =>
    tokens.forStart(session('a'), given => {
      token = given;
      fails();
    }),
  );
  assert.equal(readdirSync(where.folder), []);
  assert.throws(() => tokens.speaker(token), /belongs to nobody/);
});

test('a shell whose token could not be kept is no person’s after a restart, also when who started it has gone', () => {
  const where = places();
  const first = new Tokens(where);
  first.issue(session('agent', { isAi: true }));
  // A folder in the place of its file: as little can be written as on a full disk.
  mkdirSync(join(where.folder, 'shell.json.new'));
  first.issue(session('shell', { parent: 'agent' }));
  const next = new Tokens(where);
  next.keep([session('agent', { isAi: true }), session('shell', { parent: 'agent' }), session('own')]);
  next.forget('agent' as SessionId);
  assert.equal(next.speaker(next.issue(session('shell'))), { session: 'shell', isPerson: false });
  assert.equal(next.speaker(next.issue(session('own'))), { session: 'own', isPerson: true });
});

test('what could not be kept is kept before the one that started it is forgotten', () => {
  const where = places();
  const first = new Tokens(where);
  first.issue(session('agent', { isAi: true }));
  const obstacle = join(where.folder, 'shell.json.new');
  mkdirSync(obstacle);
  first.issue(session('shell', { parent: 'agent' }));
  rmdirSync(obstacle);
  first.forget('agent' as SessionId);
  const next = new Tokens(where);
  next.keep([session('shell')]);
  assert.equal(next.speaker(next.issue(session('shell'))), { session: 'shell', isPerson: false });
});

test('sessions of an earlier server that are gone are forgotten', () => {
  const where = places();
  const token = new Tokens(where).issue(session('a'));
  const next = new Tokens(where);
  next.keep([]);
  assert.throws(() => next.speaker(token), /belongs to nobody/);
});

test.run();
