/**
 * The server's own way to a client's terminal: taken only where it is surely that terminal, and never waited for.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../lib/base/clock.ts';
import type { PtyProcess } from '../../../lib/pty/host.ts';
import { NodePtyHost } from '../../../lib/pty/node-pty-host.ts';
import { DirectTty } from '../../../lib/server/client/direct-tty.ts';
import { terminalId } from '../../../lib/wire/terminal-id.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const test = suite('writing to the terminal of a client');
const host = new NodePtyHost(systemClock);
test.after(() => host.dispose());

const env = { PATH: process.env.PATH ?? '' };

/** A terminal that nobody draws on, its path and what was drawn. */
async function terminal(): Promise<{ program: PtyProcess; path: string; id: string; drawn: () => string }> {
  const program = host.spawn({
    argv: ['sh', '-c', 'stty ixon -echo; echo ready; exec sleep 60'],
    cwd: '/',
    env,
    size: { cols: 80, rows: 24 },
  });
  let drawn = '';
  program.onData(bytes => void (drawn += Buffer.from(bytes).toString('latin1')));
  await until('the terminal is set', () => drawn.includes('ready'));
  const path = readlinkSync(`/proc/${program.pid}/fd/1`);
  return { program, path, id: terminalId(statSync(path, { bigint: true })), drawn: () => drawn };
}

test('what is written is drawn', async () => {
  const { program, path, id, drawn } = await terminal();
  const tty = new DirectTty(path, id);
  assert.is(tty.write(Buffer.from('echoed')), 6);
  await until('it is drawn', () => drawn().includes('echoed'));
  tty.dispose();
  assert.is(tty.write(Buffer.from('late')), 0, 'nothing after the end');
  program.kill('SIGKILL');
});

test('another terminal under the same path is left alone', async () => {
  const one = await terminal();
  const two = await terminal();
  assert.is(new DirectTty(one.path, two.id).write(Buffer.from('x')), 0);
  assert.is(new DirectTty(one.path, '').write(Buffer.from('x')), 0);
  for (const { program } of [one, two]) program.kill('SIGKILL');
});

test('a file, a folder and a path that is not there are left alone', () => {
  const folder = tempDir();
  const file = join(folder, 'file');
  writeFileSync(file, 'untouched');
  for (const path of [file, folder, '/dev/null'])
    assert.is(
      new DirectTty(path, terminalId(statSync(path, { bigint: true }))).write(Buffer.from('x')),
      0,
      path,
    );
  assert.is(new DirectTty(join(folder, 'none'), '1:2:3').write(Buffer.from('x')), 0);
  assert.is(statSync(file).size, 'untouched'.length);
});

test('a terminal that is stopped never holds the server', async () => {
  const { program, path, id } = await terminal();
  const tty = new DirectTty(path, id);
  // Ctrl-S: the kernel takes no more output for this terminal.
  program.write(Buffer.from('\x13'));
  await until('it takes no more', () => tty.write(Buffer.from('x'.repeat(1000))) === 0);
  program.kill('SIGKILL');
});

test('a screenful is left to the client', async () => {
  const { program, path, id } = await terminal();
  assert.is(new DirectTty(path, id).write(Buffer.alloc(100_000, 'x')), 0);
  program.kill('SIGKILL');
});

test.run();
