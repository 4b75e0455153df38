/**
 * Every measurement of the bench. Each is run once per round for one contender after the other, so that whatever else
 * loads the machine loads all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMs, residentMb } from '../support/process.ts';
import { Contender, PROMPT, type Name, type Place } from './contender.ts';
import { makeWide, MARK_LETTERS, type DataFile } from './data.ts';
import { typeKeys } from './echo.ts';
import { Outer } from './outer.ts';
import { percentile, type Row } from './report.ts';

/** What measurements are given. */
export interface Setting {
  readonly place: Place;
  readonly files: readonly DataFile[];
  /** Less of everything, to see that it works. */
  readonly quick: boolean;
}

/** How one number of a measurement is shown. */
type Shown = Omit<Row, 'values'>;

/** A measurement: some numbers for one contender in one round, in the order of `rows`. */
export interface Measurement {
  readonly name: string;
  readonly contenders: readonly Name[];
  readonly rows: readonly Shown[];
  measure(contender: Contender, round: number): Promise<readonly number[]>;
}

const ALL: readonly Name[] = ['bare', 'tmux', 'mux'];
const BOTH: readonly Name[] = ['tmux', 'mux'];

const faster = { text: '>= 1.0x tmux', isMet: (_: number, ratio: number | undefined) => (ratio ?? 1) >= 1 };
/** A target in the row's own unit. */
export const atMost = (limit: number, text: string) => ({ text, isMet: (mux: number) => mux <= limit });

/** Letters of a marker: long enough to be nothing else. */
const MARK_LENGTH = 6;

/**
 * A word to wait for. Neighbours differ in every letter: what a renderer finds on the screen already it does not draw
 * again, and half a marker would never be found.
 */
function marker(turn: number): string {
  return Array.from({ length: MARK_LENGTH }, (_, i) => MARK_LETTERS[(turn + i) % MARK_LETTERS.length]).join(
    '',
  );
}

/** Types a command and resolves with the time until what it prints last has been drawn. */
async function timed(outer: Outer, command: string, turn: number): Promise<number> {
  const mark = marker(turn);
  const seen = outer.seen(mark);
  const start = performance.now();
  // The command line itself does not hold the marker in one piece.
  outer.type(`clear; ${command}; printf '%s%s\\n' ${mark.slice(0, 2)} ${mark.slice(2)}\r`);
  return (await seen) - start;
}

function throughput(setting: Setting): Measurement[] {
  return setting.files.map(file => ({
    name: `throughput-${file.name}`,
    contenders: ALL,
    rows: [
      {
        name: `throughput ${file.name} ${Math.round(file.bytes / 1e6)} MB`,
        unit: 'ms',
        better: 'less',
        target: faster,
      },
    ],
    measure: async (contender, round) => {
      const outer = await contender.attach();
      return [await timed(outer, `cat ${file.path}`, round)];
    },
  }));
}

function echoRows(where: string, target: boolean): Shown[] {
  return [
    {
      name: `echo ${where} p50`,
      unit: 'ms',
      better: 'less',
      ...(target ? { target: atMost(1.5, '<= 1.5 ms') } : {}),
    },
    {
      name: `echo ${where} p99`,
      unit: 'ms',
      better: 'less',
      ...(target ? { target: atMost(10, '<= 10 ms') } : {}),
    },
  ];
}

function echo({ files, quick }: Setting): Measurement[] {
  const keys = quick ? 50 : 500;
  return [
    {
      name: 'echo-idle',
      contenders: ALL,
      rows: [...echoRows('idle', true), { name: 'client bytes per key', unit: 'B', better: 'less' }],
      measure: async contender => {
        const { latencies, bytes } = await typeKeys(await contender.attach(), keys);
        return [percentile(latencies, 50), percentile(latencies, 99), bytes];
      },
    },
    {
      name: 'echo-flood',
      contenders: BOTH,
      rows: echoRows('beside a flood', false),
      measure: async contender => {
        const outer = await contender.attach();
        await contender.command('split-window', '-d', `while :; do cat ${files[0]!.path}; done`);
        const { latencies } = await typeKeys(outer, keys);
        return [percentile(latencies, 50), percentile(latencies, 99)];
      },
    },
  ];
}

function idle({ quick }: Setting): Measurement {
  const seconds = quick ? 2 : 10;
  return {
    name: 'idle',
    contenders: BOTH,
    rows: [{ name: 'idle CPU, 8 quiet panes', unit: '%', better: 'less', target: atMost(1, '< 1 %') }],
    measure: async contender => {
      await contender.attach();
      for (let i = 1; i < 8; i++) {
        await contender.command('split-window', '-d');
        await contender.command('select-layout', 'tiled');
      }
      const pid = await contender.serverPid();
      // What the new panes set in motion is over then.
      await sleep(3000);
      const before = processorMs(pid);
      await sleep(seconds * 1000);
      return [(processorMs(pid) - before) / (seconds * 10)];
    },
  };
}

/** Time until a Node that does nothing else has written a word: no client in Node can be faster. */
async function nodeAlone({ dir }: Place): Promise<number> {
  const start = performance.now();
  const argv = [process.execPath, '-e', `console.log('${MARK_LETTERS}')`];
  const outer = new Outer(argv, { cwd: dir, env: { PATH: process.env.PATH ?? '' } });
  const seen = await outer.seen(MARK_LETTERS);
  await outer.end();
  return seen - start;
}

function starts({ place }: Setting): Measurement[] {
  return [
    {
      name: 'first-paint',
      contenders: ALL,
      rows: [
        {
          name: 'attach: first paint (bare: node -e)',
          unit: 'ms',
          better: 'less',
          target: atMost(250, '<= 250 ms'),
        },
        { name: 'attach: client memory', unit: 'MB', better: 'less' },
      ],
      measure: async (contender, round) => {
        if (contender.name === 'bare') return [await nodeAlone(place), NaN];
        const outer = await contender.attach();
        await timed(outer, 'true', round);
        await contender.detach();
        const times: number[] = [];
        let memory = 0;
        for (let i = 0; i < 3; i++) {
          const start = performance.now();
          const again = contender.open();
          times.push((await again.seen(marker(round), 'the screen again')) - start);
          memory = residentMb(again.pid);
          await contender.detach();
        }
        return [percentile(times, 50), memory];
      },
    },
    {
      name: 'new-server',
      contenders: ALL,
      rows: [{ name: 'new server: first prompt', unit: 'ms', better: 'less' }],
      measure: async contender => {
        const start = performance.now();
        return [(await contender.open().seen(PROMPT)) - start];
      },
    },
  ];
}

/** Agents wait for their hooks at each tool. Both are run in turn, since the machine does other things too. */
function hook({ quick }: Setting): Measurement {
  return {
    name: 'hook',
    contenders: ['mux'],
    rows: [
      {
        name: 'hook: beyond an empty Node program',
        unit: 'ms',
        better: 'less',
        target: atMost(50, '<= 50 ms'),
      },
    ],
    measure: async contender => {
      await contender.attach();
      const { sessions } = JSON.parse(await contender.command('--json', 'list')) as {
        sessions: { id: string; pid: number }[];
      };
      const beyond: number[] = [];
      for (let i = 0; i < (quick ? 5 : 20); i++) {
        const empty = await contender.emptyNode();
        beyond.push((await contender.hook(sessions[0]!)) - empty);
      }
      return [percentile(beyond, 50)];
    },
  };
}

function memory({ files }: Setting): Measurement {
  return {
    name: 'memory',
    contenders: BOTH,
    rows: [
      { name: 'server RSS, 1 pane', unit: 'MB', better: 'less' },
      { name: 'server RSS, 16 panes', unit: 'MB', better: 'less' },
      { name: 'server RSS, 16 full histories', unit: 'MB', better: 'less' },
    ],
    measure: async (contender, round) => {
      const outer = await contender.attach();
      const pid = await contender.serverPid();
      const one = residentMb(pid);
      for (let i = 1; i < 16; i++) await contender.command('new-window', '-d');
      await sleep(1000);
      const quiet = residentMb(pid);
      await timed(outer, `head -n 12000 ${files[0]!.path}`, round);
      // tmux has cut its history to 9,000 lines by then; mux keeps 10,000.
      for (let i = 1; i < 16; i++)
        await contender.command('new-window', '-d', `head -n 12000 ${files[0]!.path}; exec cat`);
      await timed(outer, 'sleep 5', round + 1);
      return [one, quiet, residentMb(pid)];
    },
  };
}

/** Windows, for each of which the server keeps a screen and its history. */
const MANY_PANES = 64;
const MANY_LINES = 10_000;
/** Windows filled at the same time: this row is about memory, not about who answers while 64 programs print. */
const AT_ONCE = 4;
/** Processor time in a second below which a server has nothing left to read; ticks are 10 ms. */
const SETTLED_MS = 30;

/** Memory with long histories everywhere: what a day with many agents comes to. */
function histories({ place, quick }: Setting): Measurement {
  const panes = quick ? 4 : MANY_PANES;
  const { path } = makeWide(place.dir, quick ? 1000 : MANY_LINES);
  return {
    name: 'histories',
    contenders: BOTH,
    rows: [
      {
        name: `server RSS, ${panes} panes x ${quick ? 1000 : MANY_LINES} lines x 200`,
        unit: 'MB',
        better: 'less',
        target: { text: "<= tmux's", isMet: (mux, ratio) => mux > 0 && (ratio ?? 1) >= 1 },
      },
    ],
    measure: async (contender, round) => {
      const outer = await contender.attach();
      const pid = await contender.serverPid();
      for (let i = 1; i < panes; i++) {
        const open = (): Promise<string> => contender.command('new-window', '-d', `cat ${path}; exec cat`);
        // A server that is busy with so much may refuse one; its memory is what is asked for.
        await open().catch(() => settled(() => processorMs(pid)).then(open));
        if (i % AT_ONCE === 0) await settled(() => processorMs(pid));
      }
      await timed(outer, `cat ${path}`, round);
      await settled(() => processorMs(pid));
      return [residentMb(pid)];
    },
  };
}

/** Resolves when a number has stood still for a second. */
async function settled(read: () => number): Promise<void> {
  for (let before = -1, now = read(); now - before > SETTLED_MS; before = now, now = read())
    await sleep(1000);
}

function scrolling({ quick }: Setting): Measurement {
  const lines = quick ? 20 : 100;
  return {
    name: 'bytes',
    contenders: ALL,
    rows: [
      { name: 'client bytes per Enter, full screen', unit: 'B', better: 'less' },
      { name: 'client bytes per 60-column line', unit: 'B', better: 'less' },
    ],
    measure: async (contender, round) => {
      const outer = await contender.attach();
      await timed(outer, 'seq 1 100', round);
      await sleep(500);
      const start = outer.bytes;
      for (let i = 0; i < lines; i++) {
        outer.type('\r');
        await sleep(40);
      }
      const enter = (outer.bytes - start) / lines;
      // The screen is one digit everywhere, so that no line shares its cells with the one above.
      const filler = `for i in $(seq ${lines}); do printf '%060d\\n' $((i * 1234567891)); sleep 0.04; done`;
      const before = outer.bytes;
      await timed(outer, filler, round + 1);
      return [enter, (outer.bytes - before) / lines];
    },
  };
}

/** All of them, in the order of the table. */
export function measurements(setting: Setting): Measurement[] {
  return [
    ...throughput(setting),
    ...echo(setting),
    idle(setting),
    ...starts(setting),
    hook(setting),
    memory(setting),
    histories(setting),
    scrolling(setting),
  ];
}
