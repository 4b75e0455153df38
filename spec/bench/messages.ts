/**
 * Messages: how many are taken a second, how soon they are there, and what they cost whoever types meanwhile.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsOver } from '../../lib/messages/calls.ts';
import { MESSAGES, MESSAGES_NAME } from '../../lib/messages/schema.ts';
import { openDatabase } from '../../lib/sqlite/open.ts';
import type { CommandLine } from '../support/command-line.ts';
import type { Contender } from './contender.ts';
import { typeKeys } from './echo.ts';
import { percentile } from './report.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

const MUX = ['mux'] as const;
const CONNECTIONS = 8;
const TOPIC = 'bench';

async function connections(contender: Contender): Promise<CommandLine[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => contender.line()));
}

/** Publishes over one connection, all at once. */
async function publish(line: CommandLine, count: number): Promise<void> {
  const words = ['msg', 'pub', '-t', TOPIC, 'a message as agents write them, of some words in one line'];
  const answers = await Promise.all(Array.from({ length: count }, () => line.run(words)));
  const failed = answers.find(({ exit }) => exit !== 0);
  if (failed) throw new Error(failed.err);
}

/** None lost, and none doubled: numbers from 1 on without a gap. */
async function check(contender: Contender, count: number): Promise<void> {
  const child = contender.follow('--json', 'msg', 'sub', '-t', TOPIC, '--all');
  let out = '';
  child.stdout!.on('data', (piece: Buffer) => (out += piece.toString()));
  await once(child, 'close');
  const seqs = out
    .split('\n')
    .slice(0, -1)
    .map(line => (JSON.parse(line) as { seq: number }).seq);
  if (seqs.length !== count || seqs.some((seq, at) => seq !== at + 1))
    throw new Error(`${seqs.length} of ${count} messages, the last #${seqs.at(-1)}`);
}

function rate({ quick }: Setting): Measurement {
  const each = quick ? 50 : 1250;
  const title = `publish of ${each * CONNECTIONS} over ${CONNECTIONS} connections`;
  const target = { text: '>= 2000 a second', isMet: (mux: number) => mux >= 2000 };
  return {
    name: 'messages-publish',
    contenders: MUX,
    rows: [{ name: title, unit: '/s', better: 'more', target }],
    measure: async contender => {
      await contender.attach();
      const lines = await connections(contender);
      const start = performance.now();
      await Promise.all(lines.map(line => publish(line, each)));
      const seconds = (performance.now() - start) / 1000;
      for (const line of lines) line.close();
      await check(contender, each * CONNECTIONS);
      return [(each * CONNECTIONS) / seconds];
    },
  };
}

/** From the moment before it is sent until it stands in what a follower has printed. */
function follower({ quick }: Setting): Measurement {
  const count = quick ? 20 : 300;
  return {
    name: 'messages-follow',
    contenders: MUX,
    rows: [{ name: 'follower of a topic p99', unit: 'ms', better: 'less', target: atMost(30, '<= 30 ms') }],
    measure: async contender => {
      await contender.attach();
      const line = await contender.line();
      const child = contender.follow('--json', 'msg', 'sub', '-t', TOPIC, '-f');
      const arrivals = new Map<string, () => void>();
      child.stdout!.on('data', (piece: Buffer) => {
        for (const [, body = ''] of piece.toString().matchAll(/"body":"([^"]*)"/g)) arrivals.get(body)?.();
      });
      const latencies: number[] = [];
      for (let n = -1; n < count; n++) {
        const arrived = new Promise<void>(resolve => arrivals.set(`m${n}`, resolve));
        const start = performance.now();
        await line.run(['msg', 'pub', '-t', TOPIC, `m${n}`]);
        await arrived;
        // With the first one it has come up.
        if (n >= 0) latencies.push(performance.now() - start);
        await sleep(5);
      }
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      line.close();
      return [percentile(latencies, 99)];
    },
  };
}

/** A whole `mux msg inbox` with ten unread messages behind a million, beside a whole `mux version`. */
function inbox({ quick }: Setting): Measurement {
  const count = quick ? 10_000 : 1_000_000;
  return {
    name: 'messages-inbox',
    contenders: MUX,
    rows: [
      {
        name: `inbox of ${count} messages: beyond version`,
        unit: 'ms',
        better: 'less',
        target: atMost(30, '<= 30 ms'),
      },
    ],
    measure: async contender => {
      fill(join(contender.dataDir, MESSAGES_NAME), count);
      await contender.attach();
      const beyond: number[] = [];
      for (let i = 0; i < (quick ? 5 : 20); i++)
        beyond.push(-(await contender.timed('version')) + (await contender.timed('msg', 'inbox')));
      return [percentile(beyond, 50)];
    },
  };
}

/** Writes a database with that many messages for the person, all but ten of them read. */
function fill(path: string, count: number): void {
  const { db } = openDatabase({ path, schema: MESSAGES, now: () => Date.now() });
  db.exec(`
    INSERT INTO streams (name, next_seq, latest_at) VALUES ('inbox:human', ${count + 1}, 1);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO messages (stream_id, seq, id, sender_id, sender_name, body, no_reply, quiet, direct, created_at)
    SELECT 1, i, printf('msg_%016x', i), 's', 'session', 'a message of some words, number ' || i, 0, 0, 1, 1 FROM n;
  `);
  callsOver(db, () => Date.now()).acknowledge({
    subscriber: 'human',
    stream: 'inbox:human',
    upTo: count - 10,
  });
  db.close();
}

/** Keys typed while eight connections publish without a pause. */
function storm({ quick }: Setting): Measurement {
  return {
    name: 'messages-echo',
    contenders: MUX,
    rows: [
      { name: 'echo in a publish storm p50', unit: 'ms', better: 'less' },
      { name: 'echo in a publish storm p99', unit: 'ms', better: 'less' },
    ],
    measure: async contender => {
      const outer = await contender.attach();
      const lines = await connections(contender);
      let isOver = false;
      const storms = lines.map(async line => {
        while (!isOver) await publish(line, 1);
      });
      const { latencies } = await typeKeys(outer, quick ? 50 : 300);
      isOver = true;
      await Promise.all(storms);
      for (const line of lines) line.close();
      return [percentile(latencies, 50), percentile(latencies, 99)];
    },
  };
}

/** All measurements of messages. */
export function messageMeasurements(setting: Setting): Measurement[] {
  return [rate(setting), follower(setting), inbox(setting), storm(setting)];
}
