import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../../lib/base/clock.ts';
import { Drafts, DRAFTS_MAX, type SavedDraft } from '../../../lib/server/mail/drafts.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const test = suite('server/mail/drafts');

function draft(key: string, text = 'half a word'): SavedDraft {
  return { key, to: ['session:s1'], text, answers: null, sendId: '', changedAt: 1 };
}

function open(path = join(tempDir(), 'drafts.json')): {
  drafts: Drafts;
  clock: ManualClock;
  path: string;
  reports: string[];
} {
  const clock = new ManualClock(1_000_000);
  const reports: string[] = [];
  const drafts = new Drafts({ path, clock, report: text => void reports.push(text) });
  drafts.load();
  return { drafts, clock, path, reports };
}

test('a draft is on the disk half a second after it was begun, also for who never pauses', async () => {
  const { drafts, clock, path } = open();
  for (let n = 0; n < 5; n++) {
    drafts.set(draft('a', `text ${n}`));
    clock.advance(100);
  }
  await until('the file', () => existsSync(path) && /text 4/.test(readFileSync(path, 'utf8')));
  assert.equal(open(path).drafts.list(), [draft('a', 'text 4')]);
});

test('the end of the server writes what no pause has written', () => {
  const { drafts, path } = open();
  drafts.set(draft('a'));
  drafts.dispose();
  assert.equal(open(path).drafts.list(), [draft('a')]);
});

test('what was sent, and what has no text, is gone', async () => {
  const { drafts, path } = open();
  drafts.set(draft('a'));
  drafts.set(draft('b'));
  drafts.set(draft('b', ''));
  drafts.remove('a');
  await drafts.flush();
  assert.equal(open(path).drafts.list(), []);
});

test('a file that is damaged is put aside and told of; drafts go on', async () => {
  for (const text of ['{"version":1,"dra', '[]', '{"version":9,"drafts":[]}', '']) {
    const path = join(tempDir(), 'drafts.json');
    writeFileSync(path, text);
    const { drafts, reports } = open(path);
    assert.is(reports.length, 1, text);
    assert.is(readdirSync(join(path, '..')).filter(name => name.includes('corrupt')).length, 1);
    drafts.set(draft('a'));
    await drafts.flush();
    assert.is(open(path).drafts.list().length, 1);
  }
});

test('a row that is no draft is left out, and the others are kept', () => {
  const path = join(tempDir(), 'drafts.json');
  writeFileSync(path, JSON.stringify({ version: 1, drafts: [null, { key: 1 }, draft('good')] }));
  assert.equal(open(path).drafts.list(), [draft('good')]);
});

test('a disk that cannot be written is told once, and no more drafts are kept than fit', async () => {
  const { drafts, reports } = open('/proc/none/drafts.json');
  for (let n = 0; n < DRAFTS_MAX; n++) assert.ok(drafts.set(draft(`d${n}`)));
  assert.not(drafts.set(draft('one too many')));
  assert.ok(drafts.set(draft('d3', 'changed')));
  await drafts.flush();
  await drafts.flush();
  assert.is(reports.length, 1);
  assert.match(reports[0]!, /drafts cannot be written/);
});

test('a draft is written on one terminal at a time', () => {
  const { drafts } = open();
  assert.ok(drafts.take('a'));
  assert.not(drafts.take('a'));
  drafts.release('a');
  assert.ok(drafts.take('a'));
});

test.run();
