import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logRange, readLogBetween } from '../../../lib/pty/log/log-reader.ts';
import { OutputLog } from '../../../lib/pty/log/output-log.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('output log');
const MB = 1024 * 1024;

function open(
  folder: string,
  options: { limit?: number; now?: () => number; told?: string[] } = {},
): OutputLog {
  const told = options.told ?? [];
  return new OutputLog({
    folder,
    limit: options.limit ?? 64 * MB,
    now: options.now ?? (() => 0),
    trouble: error => told.push(error ? (error as NodeJS.ErrnoException).code! : 'well'),
  });
}

function read(folder: string, from = 0, to = Infinity): Buffer {
  return Buffer.concat([...readLogBetween(folder, from, to, 1000)].map(piece => piece.bytes));
}

test('what is appended in any pieces, over any number of lives, is read as it was written', () => {
  const step = fc.oneof(fc.uint8Array({ maxLength: 3000 }), fc.constant('again' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(), fc.nat(), (steps, a, b) => {
      const folder = join(tempDir({}), 'log');
      let log = open(folder);
      const written: Uint8Array[] = [];
      for (const one of steps) {
        if (one === 'again') {
          log.dispose();
          log = open(folder);
        } else {
          log.append(one);
          written.push(one);
        }
      }
      const all = Buffer.concat(written);
      assert.is(log.end, all.length);
      const [from, to] = [a % (all.length + 1), b % (all.length + 1)].toSorted((x, y) => x - y);
      assert.equal(read(folder, from, to), all.subarray(from, to));
      log.dispose();
    }),
    { numRuns: 60 },
  );
});

test('beyond its limit a log forgets the oldest and keeps the newest', () => {
  const folder = join(tempDir({}), 'log');
  const log = open(folder, { limit: 4 * MB });
  for (let i = 0; i < 200; i++) log.append(Buffer.alloc(100_000, i));
  const { start, end } = logRange(folder);
  assert.is(end, 20_000_000);
  assert.ok(end - start <= 4 * MB, `${end - start} bytes kept`);
  assert.ok(end - start >= 2 * MB, `${end - start} bytes kept`);
  const kept = read(folder);
  assert.is(kept.length, end - start);
  assert.is(kept.at(-1), 199);
  assert.is(kept[0], Math.floor(start / 100_000));
});

test('logs are for their owner alone', () => {
  const folder = join(tempDir({}), 'log');
  open(folder).append(Buffer.from('x'));
  assert.is(statSync(folder).mode & 0o777, 0o700);
  for (const file of readdirSync(folder)) assert.is(statSync(join(folder, file)).mode & 0o777, 0o600);
});

test('a full disk is told once, counts what is missing, and the log goes on when there is room', () => {
  const disk = tempDir({});
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', disk], { stdio: 'ignore' });
  } catch {
    console.log('skipped: no file system can be mounted here');
    return;
  }
  try {
    let now = 0;
    const told: string[] = [];
    const folder = join(disk, 'log');
    const log = open(folder, { now: () => now, told });
    for (let i = 0; i < 30; i++) log.append(Buffer.alloc(100_000, i));
    assert.equal(told, ['ENOSPC']);
    assert.is(log.end, 3_000_000);
    const [first] = readdirSync(folder);
    execFileSync('rm', [join(folder, first!)]);
    now += 1000;
    log.append(Buffer.from('and on'));
    assert.equal(told, ['ENOSPC', 'well']);
    assert.is(read(folder, 2_999_999).toString(), 'and on');
    assert.is(log.end, 3_000_006);
    log.dispose();
  } finally {
    execFileSync('umount', [disk]);
  }
});

test('a log whose folder was taken away ends quietly, and what is written meanwhile is told as missing', () => {
  const folder = join(tempDir({}), 'log');
  const told: string[] = [];
  const log = open(folder, { told, limit: MB });
  const takeAway = (): void => {
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, '');
  };
  log.append(Buffer.alloc(2 * MB));
  takeAway();
  log.append(Buffer.from('x'));
  assert.is(log.end, 2 * MB + 1);
  assert.equal(told, ['ENOTDIR']);
  rmSync(folder);
  const other = open(folder);
  other.append(Buffer.from('x'));
  takeAway();
  other.dispose();
});

test.run();
