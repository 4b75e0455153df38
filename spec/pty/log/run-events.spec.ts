import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  appendRunEvent,
  MAX_BYTES,
  readRunEvents,
  RunEventReader,
  type RunEvent,
} from '../../../lib/pty/log/run-events.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('events of runs');

const start: RunEvent = { type: 'start', offset: 0, at: 1, pid: 2, cols: 80, rows: 24 };
const resize = (offset: number): RunEvent => ({ type: 'resize', offset, cols: 81, rows: 25 });

test('one run with sizes without end takes no more than its bound, and keeps its start and its newest sizes', () => {
  const folder = tempDir();
  const path = join(folder, 'events.jsonl');
  appendRunEvent(folder, start);
  // As many as fill it, at once: the bound is what is looked at.
  const line = JSON.stringify(resize(1)) + '\n';
  appendFileSync(path, line.repeat(Math.ceil(MAX_BYTES / line.length)));
  for (let offset = 2; offset < 100; offset++) appendRunEvent(folder, resize(offset));
  assert.ok(statSync(path).size < 0.6 * MAX_BYTES, `${statSync(path).size}`);
  const events = readRunEvents(folder);
  assert.equal(events[0], start);
  assert.equal(events.at(-1), resize(99));
  assert.equal(events.at(-98), resize(2));
});

test('a reader reads what was added, and begins anew where old events were forgotten', () => {
  const folder = tempDir();
  const reader = new RunEventReader(folder);
  assert.equal(reader.read(), []);
  appendRunEvent(folder, start);
  assert.equal(reader.read(), [start]);
  assert.is(reader.read(), reader.read());
  appendRunEvent(folder, resize(1));
  // A line that is being written.
  appendFileSync(join(folder, 'events.jsonl'), '{"type":"res');
  assert.equal(reader.read(), [start, resize(1)]);
  appendFileSync(join(folder, 'events.jsonl'), 'ize","offset":2,"cols":81,"rows":25}\n');
  assert.equal(reader.read(), [start, resize(1), resize(2)]);
  appendFileSync(join(folder, 'events.jsonl'), `${JSON.stringify(resize(3))}\n`.repeat(MAX_BYTES / 40));
  const many = reader.read().length;
  appendRunEvent(folder, resize(4));
  assert.ok(reader.read().length < many);
  assert.equal(reader.read().at(-1), resize(4));
});

test.run();
