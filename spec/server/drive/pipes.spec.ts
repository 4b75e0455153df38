import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emitter } from '../../../lib/base/event.ts';
import type { Exit, PtyProcess } from '../../../lib/pty/host.ts';
import { Pipes } from '../../../lib/server/drive/pipes.ts';
import { SessionTerminal } from '../../../lib/server/programs/session-terminal.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const test = suite('pipes');

/** A pane's terminal whose program is played by the spec. */
function play(): { terminal: SessionTerminal; print: (text: string) => void; end: () => void } {
  const data = new Emitter<Uint8Array>();
  const exit = new Emitter<Exit>();
  const process: PtyProcess = {
    pid: 1,
    started: Promise.resolve(),
    offset: 0,
    onData: data.event,
    onExit: exit.event,
    write: () => true,
    resize: () => undefined,
    kill: () => undefined,
  };
  const emulator = new Emulator({ cols: 80, rows: 24, historyLines: 0 });
  return {
    terminal: new SessionTerminal(process, emulator, { log: () => undefined }),
    print: text => data.fire(Buffer.from(text)),
    end: () => exit.fire({ code: 0, signal: 0 }),
  };
}

/** A command that copies its input and then, at the end of it, says so. */
function copying(dir: string): { command: string; copied: () => string } {
  const [copy, done] = [join(dir, 'copy'), join(dir, 'done')];
  return {
    command: `cat > '${copy}'; cp '${copy}' '${done}'`,
    copied() {
      try {
        return readFileSync(done, 'utf8');
      } catch {
        // ENOENT: the command still waits for more.
        return '';
      }
    },
  };
}

test('the command gets what the pane prints from then on, and the end of it when the pipe is closed', async () => {
  const { terminal, print } = play();
  const { command, copied } = copying(tempDir());
  const pipes = new Pipes(assert.unreachable);
  print('before ');
  pipes.set(7, terminal, command, '/bin/sh');
  print('\x1b[31mred ');
  print('more');
  assert.ok(pipes.has(7));
  pipes.close(7);
  print('after');
  assert.not(pipes.has(7));
  await until('the copy', () => copied() !== '');
  assert.is(copied(), '\x1b[31mred more');
});

test('the end of the program, or of the pane, is the end of the input', async () => {
  const pipes = new Pipes(assert.unreachable);
  const [ending, closed, staying] = [play(), play(), play()];
  const [first, second] = [copying(tempDir()), copying(tempDir())];
  pipes.set(1, ending.terminal, first.command, '/bin/sh');
  pipes.set(2, closed.terminal, second.command, '/bin/sh');
  pipes.set(3, staying.terminal, 'cat >/dev/null', '/bin/sh');
  ending.print('one');
  closed.print('two');
  ending.end();
  pipes.keep(pane => pane !== 2);
  assert.equal(
    [1, 2, 3].filter(pane => pipes.has(pane)),
    [3],
  );
  await until('both copies', () => first.copied() === 'one' && second.copied() === 'two');
  pipes.dispose();
  assert.not(pipes.has(3));
});

test('a command that does not read is given no more than a bounded backlog, with a word', () => {
  const told: string[] = [];
  const { terminal, print } = play();
  const pipes = new Pipes(message => told.push(message));
  const release = join(tempDir(), 'release');
  pipes.set(1, terminal, `until [ -e '${release}' ]; do sleep 0.02; done`, '/bin/sh');
  const megabyte = 'x'.repeat(1 << 20);
  for (let i = 0; i < 20; i++) print(megabyte);
  writeFileSync(release, '');
  assert.not(pipes.has(1));
  assert.is(told.length, 1);
  assert.match(told[0]!, /does not keep up with pane %1/);
});

test('a shell that cannot be started is told of, and costs the pipe only', async () => {
  const told: string[] = [];
  const { terminal, print } = play();
  const pipes = new Pipes(message => told.push(message));
  pipes.set(1, terminal, 'cat', '/nowhere/sh');
  print('x');
  await until('the message', () => told.length > 0);
  assert.match(told[0]!, /^pipe-pane: .*ENOENT/);
  assert.not(pipes.has(1));
});

test.run();
