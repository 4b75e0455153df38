/**
 * Whoever reads the terminal, client or server: every byte that is typed arrives once and in order, at the program while
 * mux is in the foreground, and at whoever comes after it.
 */
// spec-timeout: 300
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { prefix } from '../support/keys.ts';
import { LAUNCHER, MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';

const test = suite('typing, whoever reads the terminal');
const homes: MuxHome[] = [];
test.after(async () => {
  for (const home of homes) await home.end();
});

/** Keeps what is typed as it comes; `cat` writes what it has read before it reads on. */
const collect = (file: string): string => `stty raw -echo; printf 'colle%s' cting; exec cat >${file}`;

function newHome(): MuxHome {
  const home = new MuxHome();
  homes.push(home);
  return home;
}

function collected(home: MuxHome, file: string): string {
  return readFileSync(join(home.work, file), 'latin1');
}

/** Types numbers, a few bytes at a time and without waiting for anything. */
class Numbers {
  readonly #terminal: OuterTerminal;
  readonly #letter: string;
  #next = 0;
  typed = '';

  constructor(terminal: OuterTerminal, letter: string) {
    this.#terminal = terminal;
    this.#letter = letter;
  }

  async type(count: number): Promise<void> {
    for (const end = this.#next + count; this.#next < end; this.#next++) {
      const number = `${this.#letter}${this.#next}`;
      this.typed += number;
      this.#terminal.type(number);
      await new Promise(resolve => setImmediate(resolve));
    }
  }
}

/** Whether the server has a client's terminal open for reading. */
function serverReads(server: number, client: number): boolean {
  const tty = readlinkSync(`/proc/${client}/fd/0`);
  return readdirSync(`/proc/${server}/fd`).some(fd => {
    try {
      if (readlinkSync(`/proc/${server}/fd/${fd}`) !== tty) return false;
      const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${server}/fdinfo/${fd}`, 'utf8'))![1]!;
      // O_WRONLY is 1, O_RDWR 2.
      return (Number.parseInt(flags, 8) & 3) !== 1;
    } catch {
      // ENOENT: it was closed meanwhile.
      return false;
    }
  });
}

/** Types until the server reads, so that what follows is about that. */
async function handedOver(numbers: Numbers, server: number, client: number): Promise<void> {
  await until('the server reads', async () => {
    await numbers.type(1);
    return serverReads(server, client);
  });
}

test('5,000 numbers through hands that change: stops, a terminal that is in the background, silence, another client', async () => {
  const home = newHome();
  const { mux } = await startMux({ home });
  mux.type(`${collect('one')}\r`);
  await mux.waitFor('the program', 'collecting');
  const server = await home.serverPid();
  const client = mux.pid;
  const numbers = new Numbers(mux, 'a');
  const type = (): Promise<void> => numbers.type(1000);

  await handedOver(numbers, server, client);
  await type();
  // The kernel does not stop what nobody could continue: it must go on as before.
  mux.kill('SIGTSTP');
  await type();
  await handedOver(numbers, server, client);
  mux.kill('SIGSTOP');
  await until('the server has stopped reading', () => !serverReads(server, client));
  await numbers.type(500);
  mux.kill('SIGCONT');
  await type();
  await handedOver(numbers, server, client);
  await until('nobody types, so the client reads again', () => !serverReads(server, client));
  await handedOver(numbers, server, client);

  const other = home.start({ args: ['attach'] });
  await other.waitFor('the program', 'collecting');
  await until('all has come', () => collected(home, 'one').length === numbers.typed.length);
  assert.is(collected(home, 'one'), numbers.typed);
  const alone = numbers.typed.length;
  const others = new Numbers(other, 'b');
  await Promise.all([type(), others.type(500)]);
  await handedOver(others, server, other.pid);
  const both = (): string => collected(home, 'one').slice(alone);
  const length = (): number => numbers.typed.length - alone + others.typed.length;
  await until('all of both has come', () => both().length === length(), {
    describe: () => `${both().length} of ${length()}`,
  });
  // Bytes of two may mingle, even within a number; of each sort there are as many as were typed.
  const sorted = (text: string): string => text.split('').toSorted().join('');
  assert.is(sorted(both()), sorted(numbers.typed.slice(alone) + others.typed));
  other.kill('SIGKILL');
  const before = collected(home, 'one').length;
  const typed = numbers.typed.length;
  await numbers.type(500);
  await until(
    'the rest has come',
    () => collected(home, 'one').length - before === numbers.typed.length - typed,
  );
  assert.is(collected(home, 'one').slice(before), numbers.typed.slice(typed));
});

/** Ways out, each while keys keep coming. */
const WAYS: Readonly<Record<string, (mux: OuterTerminal, home: MuxHome, client: number) => unknown>> = {
  'the detach key': mux => mux.type(prefix('d')),
  'a detach from outside': (_, home) => home.ask('detach', '-a'),
  SIGTERM: (_mux, _home, client) => process.kill(client, 'SIGTERM'),
  SIGKILL: (_mux, _home, client) => process.kill(client, 'SIGKILL'),
};

for (const [name, way] of Object.entries(WAYS)) {
  test(`${name}: what the program does not get, the next reader does`, async () => {
    const home = newHome();
    const script = `"${process.execPath}" "${LAUNCHER}"; ${collect('after')}`;
    const mux = home.run(['sh', '-c', script]);
    await mux.waitFor('the shell', /^\$$/m);
    mux.type(`${collect('before')}\r`);
    await mux.waitFor('the program', 'collecting');
    const server = await home.serverPid();
    const client = childOf(mux.pid);
    const numbers = new Numbers(mux, 'a');
    await handedOver(numbers, server, client);
    await numbers.type(100);
    const left = way(mux, home, client);
    await numbers.type(100);
    await left;
    await mux.waitFor('the next program', () => existsSync(join(home.work, 'after')) && !isThere(client));
    await numbers.type(100);
    const all = (): string => collected(home, 'before') + collected(home, 'after');
    await until('all has come', () => all().length >= numbers.typed.length, {
      describe: () => `${all()}\n${numbers.typed}`,
    });
    assert.is(all(), numbers.typed);
  });
}

test('SIGKILL of the server: what is typed without one reaches the program once there is the next', async () => {
  const home = newHome();
  const mux = home.start();
  await mux.waitFor('the shell', /^\$$/m);
  mux.type(`${collect('before')}\r`);
  await mux.waitFor('the program', 'collecting');
  const server = await home.serverPid();
  const client = childOf(mux.pid);
  const numbers = new Numbers(mux, 'a');
  await handedOver(numbers, server, client);
  await numbers.type(100);
  const has = (): boolean => collected(home, 'before') === numbers.typed;
  await until('all has come', has);
  process.kill(server, 'SIGKILL');
  await numbers.type(100);
  await until('all has come by the next server', has, {
    describe: () => `${collected(home, 'before')}\n${numbers.typed}`,
  });
  await numbers.type(100);
  await until('all has come after it', has);
});

for (const signal of ['SIGTSTP', 'SIGSTOP'] as const) {
  test(`${signal} under a shell: what is typed there is the shell's, and fg goes on`, async () => {
    const home = newHome();
    const mux = home.run(['bash', '--norc', '--noprofile', '-i']);
    await mux.waitFor('the outer shell', /^\$$/m);
    mux.type(`"${process.execPath}" "${LAUNCHER}"\r`);
    await mux.waitFor('mux', t => t.modes.alternateScreen && /^\$$/m.test(t.text()));
    mux.type(`${collect('pane')}\r`);
    await mux.waitFor('the program', 'collecting');
    const server = await home.serverPid();
    const client = childOf(mux.pid);
    const numbers = new Numbers(mux, 'a');
    for (let round = 0; round < 3; round++) {
      await handedOver(numbers, server, client);
      await numbers.type(50);
      const typed = numbers.typed.length;
      await until('it has come', () => collected(home, 'pane').length === typed);
      process.kill(client, signal);
      await mux.waitFor('the outer shell', t => /Stopped/.test(t.output().toString('latin1')));
      await until('the server has stopped reading', () => !serverReads(server, client));
      mux.type(`echo shell$((${round} + 40))\r`);
      await mux.waitFor('the shell answers', t =>
        t
          .output()
          .toString('latin1')
          .includes(`shell${round + 40}`),
      );
      mux.forgetOutput();
      mux.type('fg\r');
      await mux.waitFor('mux goes on', () => !stateOf(client).startsWith('T'));
      await numbers.type(50);
      await until('it has come', () => collected(home, 'pane') === numbers.typed, {
        describe: () => `${collected(home, 'pane')}\n${numbers.typed}`,
      });
    }
  });
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: it has ended and was waited for.
    return false;
  }
}

test.run();
