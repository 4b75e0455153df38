import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Keeper, type Asked } from '../../lib/messages/keeper.ts';
import { formOf, keptAside, openDatabase, type Schema } from '../../lib/sqlite/open.ts';
import { draft } from '../messages/support.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('databases');

const ONE: Schema = { what: 'things', steps: ['CREATE TABLE t (x)'], probes: ['SELECT x FROM t'] };
const TWO: Schema = {
  what: 'things',
  steps: [...ONE.steps, 'ALTER TABLE t ADD COLUMN y DEFAULT 7'],
  probes: ['SELECT x, y FROM t'],
};
const now = (): number => 1_700_000_000_000;

test('a database is made for its owner alone, and what it holds is there the next time', () => {
  const path = join(tempDir(), 'deep/things.sqlite');
  const { db } = openDatabase({ path, schema: ONE, now });
  db.exec('INSERT INTO t VALUES (1)');
  db.close();
  assert.is(statSync(path).mode & 0o777, 0o600);
  const again = openDatabase({ path, schema: ONE, now });
  assert.equal([again.db.prepare('SELECT x FROM t').all(), again.reports], [[{ x: 1 }], []]);
  again.db.close();
});

test('an older form is copied whole, then brought forward', () => {
  const path = join(tempDir(), 'things.sqlite');
  const { db } = openDatabase({ path, schema: ONE, now });
  db.exec('INSERT INTO t VALUES (1)');
  db.close();
  const next = openDatabase({ path, schema: TWO, now });
  assert.equal(next.db.prepare('SELECT x, y FROM t').all(), [{ x: 1, y: 7 }]);
  next.db.close();
  const backup = openDatabase({ path: `${path}.v1.bak`, schema: ONE, now });
  assert.equal(backup.db.prepare('SELECT * FROM t').all(), [{ x: 1 }]);
  backup.db.close();
});

test('a newer form is refused and not touched', () => {
  const path = join(tempDir(), 'things.sqlite');
  openDatabase({ path, schema: TWO, now }).db.close();
  const before = readFileSync(path);
  assert.throws(() => openDatabase({ path, schema: ONE, now }), /a newer mux wrote it in form 2/);
  assert.equal(readFileSync(path), before);
  assert.is(formOf(path, ONE), 2);
});

test('whatever is no whole database is kept aside, byte for byte, and told', () => {
  const whole = join(tempDir(), 'whole.sqlite');
  openDatabase({ path: whole, schema: ONE, now }).db.close();
  const bytes = readFileSync(whole);
  const damaged: Record<string, Buffer> = {
    text: Buffer.from('this is no database, but it is longer than nothing at all'.repeat(100)),
    'half of it': bytes.subarray(0, bytes.length / 2),
    'another program’s': (() => {
      const path = join(tempDir(), 'other.sqlite');
      openDatabase({
        path,
        schema: { what: 'x', steps: ['CREATE TABLE o (z)'], probes: [] },
        now,
      }).db.close();
      return readFileSync(path);
    })(),
  };
  for (const [what, content] of Object.entries(damaged)) {
    const path = join(tempDir(), 'things.sqlite');
    writeFileSync(path, content);
    const { db, reports } = openDatabase({ path, schema: ONE, now });
    db.exec('INSERT INTO t VALUES (1)');
    db.close();
    assert.is(reports.length, 1, what);
    assert.match(reports[0]!, /it is kept as .*corrupt-20231114T221320Z/);
    const [aside] = keptAside(path);
    assert.equal(readFileSync(aside!), content, what);
  }
});

const publish = (id: number, body = 'text'): Asked => ({ id, name: 'publish', given: draft('x', { body }) });
const read = (id: number): Asked => ({
  id,
  name: 'read',
  given: { stream: 'x', subscriber: 's', after: 0, all: true, thread: '', limit: 1000 },
});
const errorOf = (outcome: unknown): string => (outcome as { error?: Error }).error?.message ?? '';
const valueOf = (outcome: unknown): unknown => (outcome as { value?: unknown }).value;

test('a database that another program holds is told after two seconds, and used once it is let go', () => {
  const path = join(tempDir(), 'messages.sqlite');
  let time = 0;
  const keeper = new Keeper(
    path,
    () => time,
    () => undefined,
  );
  keeper.run([publish(1)]);
  const holder = openDatabase({ path, schema: { what: 'x', steps: ['x'], probes: [] }, now }).db;
  holder.exec('BEGIN IMMEDIATE');
  assert.match(errorOf(keeper.run([publish(2)])[0]), /another program holds/);
  assert.is((valueOf(keeper.run([read(3)])[0]) as unknown[]).length, 1, 'reading goes on');
  holder.exec('COMMIT');
  holder.close();
  time += 5000;
  assert.is(errorOf(keeper.run([publish(4)])[0]), '');
  keeper.close();
});

test('a database that breaks while it is used is kept aside, and the call is carried out all the same', () => {
  const path = join(tempDir(), 'messages.sqlite');
  const reports: string[] = [];
  const keeper = new Keeper(path, now, text => reports.push(text));
  for (let n = 0; n < 50; n++) keeper.run([publish(n, 'x'.repeat(3000))]);
  keeper.close();
  const bytes = readFileSync(path);
  // Its first pages stay as they are: only who looks for a message finds out.
  bytes.fill(0xa5, Math.floor(bytes.length / 3));
  writeFileSync(path, bytes);
  const again = new Keeper(path, now, text => reports.push(text));
  const outcomes = [read(1), publish(2)].flatMap(one => again.run([one]));
  assert.equal(outcomes.map(errorOf), ['', '']);
  assert.is(reports.length, 1);
  assert.is(keptAside(path).length, 1);
  again.close();
});

test('a mistake of one caller costs nobody else their message', () => {
  const keeper = new Keeper(join(tempDir(), 'messages.sqlite'), now, () => undefined);
  const wrong: Asked = { id: 2, name: 'publish', given: draft('x', { replyTo: 'msg_none' }) };
  const [first, second, third] = keeper.run([publish(1), wrong, publish(3)]);
  assert.match(errorOf(second), /no such message/);
  assert.equal(
    [valueOf(first), valueOf(third)].map(value => (value as { message: { seq: number } }).message.seq),
    [1, 2],
  );
  keeper.close();
});

test('a full disk is told in one line, loses nothing that was answered, and is used again when there is room', () => {
  const disk = smallDisk();
  if (!disk) return;
  try {
    const path = join(disk, 'messages.sqlite');
    const keeper = new Keeper(path, now, () => undefined);
    let answered = 0;
    let error = '';
    for (let n = 0; n < 1000 && error === ''; n++) {
      error = errorOf(keeper.run([publish(n, 'x'.repeat(20_000))])[0]);
      if (error === '') answered++;
    }
    assert.match(error, /no space left/);
    assert.ok(answered > 3, String(answered));
    // A small one may still fit, and never takes others with it.
    keeper.run([publish(1, 'y'.repeat(400_000)), publish(2, 'small')]);
    keeper.close();
    const copy = join(tempDir(), 'messages.sqlite');
    for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part);
    const elsewhere = new Keeper(copy, now, () => undefined);
    const all = valueOf(elsewhere.run([read(1)])[0]) as { seq: number }[];
    assert.ok(all.length >= Math.min(answered, 13));
    elsewhere.close();
  } finally {
    execFileSync('umount', [disk]);
  }
});

/** A file system of 512 KiB; undefined where none can be had. */
function smallDisk(): string | undefined {
  const disk = join(tempDir(), 'disk');
  mkdirSync(disk);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk]);
  if (status === 0) return disk;
  console.log('skipped: no file system can be mounted');
  return undefined;
}

test.run();
