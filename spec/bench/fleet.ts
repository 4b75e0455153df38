/**
 * Many sessions: what starting, listing, keeping and taking them over costs. There is nothing of tmux's to hold beside it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMs } from '../support/process.ts';
import type { CommandLine } from '../support/command-line.ts';
import { PROMPT, type Contender } from './contender.ts';
import { percentile } from './report.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

const MUX = ['mux'] as const;

/** `count` sessions that run a shell each and show nothing. Resolves once all have their prompts. */
async function fleet(line: CommandLine, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await ok(line, 'new', `s${i}`, '--background');
  for (let i = 0; i < count; i++) await prompt(line, `s${i}`);
}

async function prompt(line: CommandLine, session: string): Promise<void> {
  await ok(line, 'wait', session, '--contains', PROMPT.replace('$', '\\$'));
}

async function ok(line: CommandLine, ...words: string[]): Promise<string> {
  const { exit, out, err } = await line.run(words);
  if (exit !== 0) throw new Error(`${words.join(' ')}: exit ${exit} ${out}${err}`);
  return out;
}

/** A whole `mux list` beside a whole `mux version`, which asks no server. */
function list({ quick }: Setting): Measurement {
  return {
    name: 'list',
    contenders: MUX,
    rows: [
      {
        name: 'list of 50 sessions: beyond version',
        unit: 'ms',
        better: 'less',
        target: atMost(40, '<= 40 ms'),
      },
    ],
    measure: async contender => {
      await contender.attach();
      const line = await contender.line();
      await fleet(line, quick ? 5 : 50);
      line.close();
      const beyond: number[] = [];
      for (let i = 0; i < (quick ? 5 : 20); i++)
        beyond.push(-(await contender.timed('version')) + (await contender.timed('list')));
      return [percentile(beyond, 50)];
    },
  };
}

/** From the request at the server to the prompt of a shell, as seen by who asked for it. */
function spawnTime({ quick }: Setting): Measurement {
  return {
    name: 'spawn',
    contenders: MUX,
    rows: [
      { name: 'spawn: first output of bash p50', unit: 'ms', better: 'less', target: atMost(60, '<= 60 ms') },
    ],
    measure: async contender => {
      await contender.attach();
      const line = await contender.line();
      const times: number[] = [];
      for (let i = 0; i < (quick ? 5 : 30); i++) {
        const start = performance.now();
        await ok(line, 'new', `s${i}`, '--background');
        await prompt(line, `s${i}`);
        times.push(performance.now() - start);
        // Its end is not measured with the next one.
        await ok(line, 'delete', `s${i}`);
      }
      line.close();
      return [percentile(times, 50)];
    },
  };
}

/** From the order, or the death, to the screen of the client that was attached. */
function restart({ quick }: Setting): Measurement {
  const limit = atMost(1500, '<= 1500 ms');
  return {
    name: 'restart',
    contenders: MUX,
    rows: [
      { name: 'server restart, 20 sessions: repainted', unit: 'ms', better: 'less', target: limit },
      { name: 'server killed, 20 sessions: repainted', unit: 'ms', better: 'less', target: limit },
    ],
    measure: async contender => {
      const outer = await contender.attach();
      const line = await contender.line();
      await fleet(line, quick ? 3 : 20);
      line.close();
      let start = performance.now();
      let seen = outer.seen(PROMPT, 'the screen after a restart');
      const order = contender.command('server', 'restart');
      const restarted = (await seen) - start;
      await order;
      await sleep(500);
      const pid = await contender.serverPid();
      start = performance.now();
      seen = outer.seen(PROMPT, 'the screen after a death');
      process.kill(pid, 'SIGKILL');
      return [restarted, (await seen) - start];
    },
  };
}

/** Server and host together, while nothing happens. */
function idleFleet({ quick }: Setting): Measurement {
  const seconds = quick ? 2 : 10;
  return {
    name: 'idle-50',
    contenders: MUX,
    rows: [{ name: 'idle CPU, 50 sessions', unit: '%', better: 'less', target: atMost(2, '< 2 %') }],
    measure: async contender => {
      await contender.attach();
      const line = await contender.line();
      await fleet(line, quick ? 5 : 50);
      line.close();
      const pids = await pidsOf(contender);
      // What the new sessions set in motion is over then.
      await sleep(5000);
      const used = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
      const before = used();
      await sleep(seconds * 1000);
      return [(used() - before) / (seconds * 10)];
    },
  };
}

async function pidsOf(contender: Contender): Promise<number[]> {
  const status = JSON.parse(await contender.command('--json', 'server-status')) as {
    server_pid: number;
    host_pid: number;
  };
  return [status.server_pid, status.host_pid];
}

/** All of them, in the order of the table. */
export function fleetMeasurements(setting: Setting): Measurement[] {
  return [spawnTime(setting), list(setting), restart(setting), idleFleet(setting)];
}
