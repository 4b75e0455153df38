import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/base/clock.ts';
import type { CodedError } from '../../lib/base/errors.ts';
import { feed } from '../../lib/clipboard/feed.ts';
import { clipboardTool } from '../../lib/clipboard/tool.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const test = suite('clipboard');

/** A folder with programs of these names. */
function programs(...names: readonly string[]): string {
  const dir = tempDir(Object.fromEntries(names.map(name => [name, '#!/bin/sh\n'])));
  for (const name of names) chmodSync(join(dir, name), 0o755);
  return dir;
}

test('the tool is the one that the desktop has', () => {
  const PATH = programs('wl-copy', 'xclip', 'xsel');
  assert.equal(clipboardTool({ PATH, WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }), ['wl-copy']);
  assert.is(clipboardTool({ PATH, DISPLAY: ':0' })?.[0], 'xclip');
  assert.is(clipboardTool({ PATH: programs('xsel'), DISPLAY: ':0' })?.[0], 'xsel');
  assert.is(clipboardTool({ PATH: programs('pbcopy') })?.[0], 'pbcopy');
});

test('without a desktop or a tool there is none', () => {
  assert.is(clipboardTool({ PATH: programs('xclip', 'wl-copy') }), undefined);
  assert.is(clipboardTool({ PATH: '/nonexistent', DISPLAY: ':0' }), undefined);
  assert.is(clipboardTool({}), undefined);
});

const run = (script: string, data: Uint8Array, limitMs = 10_000): Promise<void> =>
  feed({ argv: ['sh', '-c', script], data, env: process.env, clock: systemClock, limitMs });

async function failure(given: Promise<void>): Promise<string> {
  try {
    await given;
  } catch (error) {
    return `${(error as CodedError).code} ${(error as Error).message}`;
  }
  return 'none';
}

test('a program gets all of it', async () => {
  const file = join(tempDir({}), 'got');
  const data = Buffer.alloc(3_000_000, 'x');
  await run(`cat >${file}`, data);
  assert.ok(readFileSync(file).equals(data));
});

test('one that stays behind with the text does not hold anybody up', async () => {
  await run('cat >/dev/null; (sleep 30; echo late) & exit 0', Buffer.from('x'));
});

test('one that hangs is ended with all it started', async () => {
  const file = join(tempDir({}), 'pid');
  assert.match(
    await failure(run(`sleep 600 & echo $! >${file}; wait`, Buffer.alloc(1_000_000), 300)),
    /^timeout sh: it hangs/,
  );
  const pid = Number(readFileSync(file, 'utf8'));
  await until('its child has ended', () => {
    try {
      return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      // ENOENT: it has ended.
      return true;
    }
  });
});

test('one that fails or is missing says so', async () => {
  assert.is(await failure(run('exit 3', Buffer.from('x'))), 'failed sh: it ended with status 3');
  const missing = feed({
    argv: ['/nonexistent/tool'],
    data: Buffer.from('x'),
    env: {},
    clock: systemClock,
    limitMs: 1000,
  });
  assert.match(await failure(missing), /^not_found .*ENOENT/);
});

test.run();
