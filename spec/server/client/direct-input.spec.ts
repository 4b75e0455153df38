/**
 * The server's own way from a client's terminal: only while the client itself might read, and never beyond its word.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { systemClock } from '../../../lib/base/clock.ts';
import type { PtyProcess } from '../../../lib/pty/host.ts';
import { NodePtyHost } from '../../../lib/pty/node-pty-host.ts';
import { DirectInput } from '../../../lib/server/client/direct-input.ts';
import { terminalId } from '../../../lib/wire/terminal-id.ts';
import { until } from '../../support/until.ts';

const test = suite('reading the terminal of a client');
const host = new NodePtyHost(systemClock);
test.after(() => host.dispose());

const env = { PATH: process.env.PATH ?? '' };

/** A program that is in the foreground of a raw terminal and does not read it. */
async function client(): Promise<{ program: PtyProcess; path: string; id: string; pid: number }> {
  const program = host.spawn({
    argv: ['sh', '-c', 'stty raw -echo; echo ready; exec sleep 60'],
    cwd: '/',
    env,
    size: { cols: 80, rows: 24 },
  });
  let drawn = '';
  program.onData(bytes => void (drawn += Buffer.from(bytes).toString('latin1')));
  await until('the terminal is set', () => drawn.includes('ready'));
  const path = readlinkSync(`/proc/${program.pid}/fd/1`);
  return { program, path, id: terminalId(statSync(path, { bigint: true })), pid: program.pid };
}

interface Reading {
  readonly input: DirectInput;
  read: string;
  readonly stopped: boolean[];
}

function reading(terminal: { path: string; id: string; pid: number }): Reading {
  const stopped: boolean[] = [];
  const one: Reading = {
    read: '',
    stopped,
    input: new DirectInput(terminal, {
      clock: systemClock,
      received: bytes => void (one.read += Buffer.from(bytes).toString('latin1')),
      stopped: mayHandOver => void stopped.push(mayHandOver),
    }),
  };
  return one;
}

/** Descriptors of this process on a terminal. */
function descriptors(path: string): number {
  const isOn = (fd: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      // ENOENT: the one that the list was read by.
      return false;
    }
  };
  return readdirSync('/proc/self/fd').filter(isOn).length;
}

test('what is typed is read from the start to the stop, and nothing before or behind', async () => {
  const terminal = await client();
  const before = descriptors(terminal.path);
  const one = reading(terminal);
  assert.ok(one.input.isPossible);
  one.input.stop();
  assert.equal(one.stopped, [], 'it did not read');
  for (const text of ['first', 'second']) {
    one.read = '';
    one.input.start();
    one.input.start();
    terminal.program.write(Buffer.from(text));
    await until('it is read', () => one.read === text);
    one.input.stop();
    one.input.stop();
  }
  assert.equal(one.stopped, [true, true], 'one word for each start');
  assert.is(descriptors(terminal.path), before, 'nothing is left open');
  terminal.program.write(Buffer.from('for others'));
  const two = reading(terminal);
  two.input.start();
  await until('the next reader has it', () => two.read === 'for others');
  assert.is(one.read, 'second');
  two.input.dispose();
  assert.equal(two.stopped, [], 'nobody is told of the end');
  two.input.start();
  assert.equal([two.stopped, descriptors(terminal.path)], [[], before], 'the end is for good');
  terminal.program.kill('SIGKILL');
});

test('a client that is stopped has its terminal back, unasked', async () => {
  const terminal = await client();
  const one = reading(terminal);
  one.input.start();
  process.kill(terminal.pid, 'SIGSTOP');
  await until('it has stopped', () => one.stopped.length > 0);
  assert.equal(one.stopped, [true]);
  assert.is(one.input.isPossible, false);
  one.input.start();
  assert.equal(one.stopped, [true, false], 'not while it is stopped');
  process.kill(terminal.pid, 'SIGCONT');
  await until('it goes on', () => /\) S /.test(readFileSync(`/proc/${terminal.pid}/stat`, 'latin1')));
  assert.ok(one.input.isPossible);
  terminal.program.kill('SIGKILL');
});

test('silence ends it', async () => {
  const terminal = await client();
  const one = reading(terminal);
  one.input.start();
  await until('it has stopped', () => one.stopped.length > 0);
  assert.equal(one.stopped, [true]);
  terminal.program.kill('SIGKILL');
});

test('a terminal that hangs up is told as one not to be read any more', async () => {
  const terminal = await client();
  const one = reading(terminal);
  one.input.start();
  terminal.program.kill('SIGKILL');
  await until('it has stopped', () => one.stopped.length > 0);
  assert.is(one.stopped.length, 1);
  one.input.start();
  assert.is(one.stopped.at(-1), false);
});

test('another terminal, one that the client is not in the foreground of, and none at all are not read', async () => {
  const terminal = await client();
  const other = await client();
  const wrong = [
    { ...terminal, id: other.id },
    { ...terminal, path: other.path },
    { ...terminal, pid: other.pid },
    { ...terminal, pid: process.pid },
    // No process has it.
    { ...terminal, pid: -1 },
    { ...terminal, id: '' },
    { ...terminal, path: '' },
  ];
  for (const one of wrong.map(reading)) {
    assert.is(one.input.isPossible, false);
    one.input.start();
    assert.equal(one.stopped, [false]);
  }
  for (const { program } of [terminal, other]) program.kill('SIGKILL');
});

test.run();
