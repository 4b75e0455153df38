/**
 * The journal of events: what is read back, and what a crash or a full disk leaves of it.
 */
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Journal } from '../../lib/store/journal.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('journal');

interface Line {
  readonly cursor: number;
  readonly type: string;
  readonly n: number;
}

function open(folder: string, now: () => number = () => 1000): Journal {
  return new Journal({
    folder,
    now,
    trouble: error => {
      throw error;
    },
  });
}

function all(journal: Journal, since = 0): Line[] {
  const lines: Line[] = [];
  for (let cursor = since; ;) {
    const piece = journal.after(cursor);
    if (!piece) return lines;
    const text = Buffer.from(piece.bytes).toString();
    assert.ok(text.endsWith('\n'), 'only whole lines');
    lines.push(
      ...text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as Line),
    );
    cursor = piece.cursor;
  }
}

test('events come back in order, with cursors that grow', () => {
  const journal = open(tempDir());
  for (let n = 0; n < 100; n++) journal.append('status', { n });
  const lines = all(journal);
  assert.equal(
    lines.map(line => line.n),
    Array.from({ length: 100 }, (_, n) => n),
  );
  assert.ok(lines.every((line, i) => i === 0 || line.cursor > lines[i - 1]!.cursor));
  assert.equal(all(journal, lines[41]!.cursor).map(line => line.n)[0], 42);
  assert.is(journal.after(journal.last), undefined);
});

test('the next server goes on behind the last event, even where its clock went back', () => {
  const folder = tempDir();
  const first = open(folder, () => 9000);
  first.append('status', { n: 1 });
  first.dispose();
  const second = open(folder, () => 5);
  assert.is(second.last, first.last);
  second.append('status', { n: 2 });
  assert.ok(second.last > first.last);
  assert.equal(
    all(second, first.last).map(line => line.n),
    [2],
  );
});

test('a line that a crash has cut spoils no other', () => {
  const folder = tempDir();
  const first = open(folder);
  first.append('status', { n: 1 });
  first.dispose();
  appendFileSync(join(folder, readdirSync(folder)[0]!), '{"cursor":1001,"at":"20');
  const second = open(folder);
  second.append('status', { n: 2 });
  assert.equal(
    all(second).map(line => line.n),
    [1, 2],
  );
});

test('only the newest are kept, and it says from where on', () => {
  const folder = tempDir();
  const journal = open(folder);
  const filler = 'x'.repeat(10_000);
  for (let n = 0; n < 600; n++) journal.append('status', { n, filler });
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  assert.ok(bytes < 5 * 1024 * 1024, `${bytes}`);
  const [first] = all(journal);
  assert.ok(first!.n > 0);
  assert.ok(journal.forgotten > 0 && journal.forgotten < first!.cursor);
  assert.equal(all(journal, journal.forgotten)[0], first);
  journal.dispose();
  const again = open(folder);
  assert.is(again.forgotten, journal.forgotten);
  assert.equal(all(again).length, all(again, again.forgotten).length);
});

test('files of others and lines that are none are passed over', () => {
  const folder = tempDir({ 'notes.txt': 'x', '0000000000000.jsonl': '\n{}\nnonsense\n{"cursor":7,"n":1}\n' });
  const journal = open(folder);
  assert.is(journal.last, 7);
  assert.equal(all(journal).length, 1);
});

test('a folder in the place of a segment keeps no server from starting', () => {
  const folder = tempDir({ '0000000000fff.jsonl/x': '' });
  const journal = open(folder);
  assert.equal(all(journal), []);
  journal.dispose();
});

test('a folder that takes nothing is told once, and events go on', () => {
  const folder = tempDir({ events: 'a file' });
  const told: Error[] = [];
  const journal = new Journal({ folder: join(folder, 'events'), now: () => 1, trouble: e => told.push(e) });
  journal.append('status', {});
  journal.append('status', {});
  assert.is(told.length, 1);
  assert.is(journal.after(0), undefined);
});

test('whoever reads, from wherever and whenever, misses nothing and gets nothing twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ reader: fc.nat(3), events: fc.nat(5), size: fc.nat(400), again: fc.boolean() }), {
        maxLength: 60,
      }),
      steps => {
        const folder = tempDir();
        let journal = open(folder);
        const cursors = [0, 0, 0, 0];
        const seen: number[][] = [[], [], [], []];
        let count = 0;
        const read = (reader: number): void => {
          const piece = journal.after(cursors[reader]!);
          if (!piece) return;
          cursors[reader] = piece.cursor;
          const text = Buffer.from(piece.bytes).toString().trimEnd();
          seen[reader]!.push(...text.split('\n').map(line => (JSON.parse(line) as Line).n));
        };
        for (const { reader, events, size, again } of steps) {
          for (let i = 0; i < events; i++) journal.append('status', { n: count++, text: 'y'.repeat(size) });
          read(reader);
          if (!again) continue;
          journal.dispose();
          journal = open(folder);
        }
        const expected = Array.from({ length: count }, (_, n) => n);
        for (const reader of [0, 1, 2, 3]) {
          while (journal.after(cursors[reader]!)) read(reader);
          assert.equal(seen[reader], expected);
        }
        journal.dispose();
      },
    ),
    { numRuns: 30 },
  );
});

test('an event too large for a line is told without its facts', () => {
  const journal = open(tempDir());
  journal.append('approval', { session_id: 'abc', diff: 'z'.repeat(100_000) });
  assert.equal(
    all(journal).map(line => ({ ...line, cursor: 0, at: '' })),
    [{ cursor: 0, at: '', type: 'approval', session_id: 'abc', cut: true }] as unknown as Line[],
  );
});

test('a folder in the place of a segment is passed by: the journal goes on in another', () => {
  const folder = tempDir();
  mkdirSync(join(folder, `${(900).toString(16).padStart(13, '0')}.jsonl`));
  const journal = open(folder);
  journal.append('status', { n: 1 });
  journal.append('status', { n: 2 });
  journal.dispose();
  const next = open(folder);
  next.append('status', { n: 3 });
  assert.equal(
    all(next).map(({ n }) => n),
    [1, 2, 3],
  );
  next.dispose();
});

test('a folder that takes the place of the segment that is written is passed by after a restart', () => {
  const folder = tempDir();
  const journal = open(folder);
  journal.append('status', { n: 1 });
  journal.dispose();
  const [name = ''] = readdirSync(folder);
  rmSync(join(folder, name));
  mkdirSync(join(folder, name));
  const next = open(folder);
  next.append('status', { n: 2 });
  assert.equal(
    all(next).map(({ n }) => n),
    [2],
  );
  next.dispose();
});

test.run();
