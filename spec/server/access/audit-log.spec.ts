import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AuditLog } from '../../../lib/server/access/audit-log.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('audit log');
const line = { at: 1, session: 's', who: 'agent', command: 'stop', outcome: 'refused', why: 'no' } as const;
const silent = { log: (): void => undefined };

test('acts are lines of JSON for their owner alone', () => {
  const path = join(tempDir(), 'audit.log');
  const log = new AuditLog(path, silent);
  log.add(line);
  log.add({ ...line, why: 'a\nb\u001b[2J' });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.is(lines.length, 2);
  assert.equal(JSON.parse(lines[0]!), line);
  assert.is(statSync(path).mode & 0o777, 0o600);
});

test('the log is put aside before it grows without end, and reasons are cut', () => {
  const path = join(tempDir(), 'audit.log');
  const log = new AuditLog(path, silent);
  for (let n = 0; n < 4000; n++) log.add({ ...line, why: 'x'.repeat(10_000) });
  assert.ok(statSync(path).size <= 1024 * 1024 + 1000);
  assert.ok(statSync(`${path}.old`).size <= 1024 * 1024 + 1000);
});

test('a disk that takes nothing is told, and nothing is thrown', () => {
  const told: string[] = [];
  new AuditLog('/nowhere/at/all/audit.log', { log: (_, message) => told.push(message) }).add(line);
  assert.equal(told, ['an act was not noted']);
});

test.run();
