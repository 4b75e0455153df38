import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/base/clock.ts';
import { MAX_PENDING_INPUT, type Exit, type PtyHost, type PtyProcess } from '../../lib/pty/host.ts';
import { foregroundProgram } from '../../lib/pty/foreground.ts';
import { NodePtyHost } from '../../lib/pty/node-pty-host.ts';
import { HostProcess } from '../support/host-process.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' };

/** What holds for programs of this process holds for those of another one, too. */
contract('programs on ptys of this process', async () => {
  const host = new NodePtyHost(systemClock);
  return { host, end: async () => host.dispose() };
});
contract('programs on ptys of the host process', async () => {
  const process = await HostProcess.start(join(tempDir({}), 'host'));
  const host = process.connect();
  await host.open();
  return { host, end: () => process.end() };
});

function contract(name: string, make: () => Promise<{ host: PtyHost; end: () => Promise<void> }>): void {
  const test = suite(name);
  let host: PtyHost;
  let end: () => Promise<void>;
  test.before(async () => void ({ host, end } = await make()));
  test.after(() => end());

  function start(...argv: string[]): { child: PtyProcess; text: () => string; exit: () => Exit | undefined } {
    const size = { cols: 80, rows: 24 };
    const child = host.spawn({ argv, cwd: '/', env, size, session: 'spec', logLimit: 1e8 });
    const chunks: Uint8Array[] = [];
    let exit: Exit | undefined;
    child.onData(chunk => chunks.push(chunk));
    child.onExit(e => (exit = { code: e.code, signal: e.signal }));
    return { child, text: () => Buffer.concat(chunks).toString(), exit: () => exit };
  }

  test('no output is lost at exit, however fast it comes', async () => {
    for (let round = 0; round < 10; round++) {
      const { text, exit } = start('sh', '-c', 'seq 1 20000; exit 3');
      await until('exit', exit);
      const lines = text().trimEnd().split('\r\n');
      assert.is(lines.length, 20_000);
      assert.is(lines.at(-1), '20000');
      assert.equal(exit(), { code: 3, signal: 0 });
    }
  });

  test('the end by a signal names the signal', async () => {
    const { child, exit } = start('sleep', '100');
    child.kill('SIGTERM');
    await until('exit', exit);
    assert.is(exit()!.signal, 15);
  });

  test('a program whose child keeps the terminal open still ends', async () => {
    const { exit, text } = start('sh', '-c', 'sleep 3 & echo started');
    await until('exit', exit, { deadlineMs: 2000 });
    assert.match(text(), /started/);
  });

  test('input reaches the program byte for byte', async () => {
    const { child, text } = start('sh', '-c', 'stty raw -echo; echo ready; head -c 4 | od -An -tx1');
    await until('ready', () => text().includes('ready'));
    child.write(Buffer.from([0xff, 0x00, 0x1b, 0x9b]));
    await until('dump', () => /ff 00 1b 9b/.test(text()));
  });

  test('the terminal knows that its characters are UTF-8, and other bytes come through all the same', async () => {
    const { child, text } = start('sh', '-c', 'stty -a; read x; printf "%s" "$x" | od -An -tx1; echo over');
    await until('flags', () => text().includes(' iutf8'));
    child.write(Buffer.from('aé\x7fb\r'));
    await until('the character is gone whole', () => / 61 62\r?\n/.test(text()));
    const raw = start('sh', '-c', "stty raw; printf '\\377\\303(\\200'; sleep 100");
    const chunks: Uint8Array[] = [];
    raw.child.onData(chunk => chunks.push(chunk));
    await until('the bytes', () => Buffer.concat(chunks).toString('hex').includes('ffc32880'));
    raw.child.kill('SIGKILL');
  });

  test('a program that does not read costs a bounded queue and loses nothing', async () => {
    const { child, text } = start(
      'sh',
      '-c',
      'stty raw -echo; echo ready; sleep 0.3; head -c 1000000 | wc -c',
    );
    await until('ready', () => text().includes('ready'));
    for (let i = 0; i < 10; i++) assert.ok(child.write(Buffer.alloc(100_000, 120)));
    assert.not(child.write(Buffer.alloc(MAX_PENDING_INPUT)));
    await until('all of it', () => /1000000/.test(text()));
  });

  test('the size is the one asked for, and changes', async () => {
    const { child, text } = start('sh', '-c', 'stty size; read x; stty size');
    await until('first', () => text().includes('24 80'));
    child.resize({ cols: 133, rows: 41 });
    child.write(Buffer.from('\r'));
    await until('second', () => text().includes('41 133'));
  });

  test('a program or directory that cannot be used is said in one line', () => {
    const bad =
      (argv: string[], cwd = '/'): (() => void) =>
      () =>
        void host.spawn({ argv, cwd, env, size: { cols: 80, rows: 24 }, session: 'spec', logLimit: 1e8 });
    assert.throws(bad(['no-such-program-here']), /no-such-program-here: no such program/);
    assert.throws(bad(['/etc/passwd']), /not executable/);
    assert.throws(bad(['sh'], '/no/such/dir'), /directory \/no\/such\/dir: it does not exist/);
    assert.throws(bad(['sh'], '/etc/passwd'), /not a directory/);
  });

  test('the program in the foreground has a name', async () => {
    const { child, text } = start('sh', '-c', 'echo up; exec sleep 5');
    await until('up', () => text().includes('up'));
    await until('sleep', () => foregroundProgram(child.pid) === 'sleep');
    child.kill('SIGKILL');
  });

  test.run();
}

const own = suite('pids');

own('a program whose end was noticed is not signalled any more, whoever has its pid by then', async () => {
  const host = new NodePtyHost(systemClock);
  const size = { cols: 80, rows: 24 };
  const child = host.spawn({ argv: ['sh', '-c', 'echo left; exit 0'], cwd: '/', env, size });
  // What it left is not read, so that its end is not complete.
  child.pause();
  let isOver = false;
  child.onExit(() => (isOver = true));
  await until('its end is noticed', () => child.checkEnded());
  assert.not(isOver);
  const signalled: unknown[] = [];
  const { kill } = process;
  process.kill = (pid, signal) => {
    signalled.push([pid, signal]);
    return true;
  };
  try {
    child.kill('SIGTERM');
    child.kill('SIGKILL');
  } finally {
    process.kill = kill;
  }
  assert.equal(signalled, []);
  child.resume();
  await until('it is over', () => isOver);
  host.dispose();
});

own.run();
