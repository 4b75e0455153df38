import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Arguments, Outcome, Tool } from '../../../lib/agent/tool.ts';
import { systemClock } from '../../../lib/base/clock.ts';
import { OUTCOME_MAX } from '../../../lib/agent/tool.ts';
import { readToolMethods } from '../../../lib/tools/contract.ts';
import { Workspace } from '../../../lib/tools/files/workspace.ts';
import { Jobs } from '../../../lib/tools/shell/jobs.ts';
import { shellTools } from '../../../lib/tools/shell/shell-tools.ts';
import { until } from '../../support/until.ts';
import { call, callContext, named, realDir } from '../support.ts';

const test = suite('commands run by tools');
const methods = readToolMethods();

interface Place {
  readonly dir: string;
  readonly jobs: Jobs;
  tool(name: string): Tool;
  exec(args: Arguments): Promise<Outcome>;
}

async function place(env: Record<string, string> = {}): Promise<Place> {
  const dir = realDir();
  const jobs = new Jobs(systemClock);
  const workspace = await Workspace.open(dir, [], dir);
  const list = shellTools(methods, { workspace, jobs, clock: systemClock, env: { ...process.env, ...env } });
  const tool = (name: string): Tool => named(list, name);
  return { dir, jobs, tool, exec: async args => (await call(tool('exec_shell'), args)).outcome };
}

/** Processes that have a word in their command line, those that are only waiting to be reaped left out. */
function running(word: string): string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

test('both outputs come in their order, with the status', async () => {
  const { exec } = await place();
  const { content, isError } = await exec({ command: 'echo 1; echo 2 >&2; echo 3; echo 4 >&2; exit 3' });
  assert.is(content, '1\n2\n3\n4\n[exit status 3]');
  assert.ok(isError);
  assert.is((await exec({ command: 'true' })).content, '[no output; exit status 0]');
});

test('it is bash, in the directory, without a terminal and without anything to read', async () => {
  const { exec, dir } = await place();
  assert.is(
    (await exec({ command: 'pwd; [[ -t 0 ]] || echo none; cat; echo $BASH_VERSINFO | grep -c .' })).content,
    `${dir}\nnone\n1\n[exit status 0]`,
  );
  assert.ok((await exec({ command: 'read x < /dev/tty' })).isError);
  assert.is((await exec({ command: 'mkdir a' })).isError, false);
  assert.ok((await exec({ command: 'pwd', working_directory: 'a' })).content.startsWith(`${dir}/a`));
  assert.ok((await exec({ command: 'pwd', working_directory: 'nope' })).isError);
});

test('nothing of the environment runs first or gives names another meaning', async () => {
  const { dir } = await place();
  const { exec } = await place({
    BASH_ENV: join(dir, 'x'),
    'BASH_FUNC_ls%%': '() { echo evil; }',
    PROMPT_COMMAND: 'echo evil',
  });
  assert.not((await exec({ command: 'ls; echo "${BASH_ENV-none}"' })).content.includes('evil'));
});

test('a command that takes too long is ended with all that it has started', async () => {
  const { exec } = await place();
  const { content, isError } = await exec({
    command: 'echo begun; sleep 98761 & sleep 98761',
    timeout_seconds: 1,
  });
  assert.is(content, 'begun\n[ended after 1 s: it took too long; exit status 143]');
  assert.ok(isError);
  await until('nothing of it runs', () => running('98761').length === 0);
});

test('programs that ignore being asked are ended all the same', async () => {
  const { exec } = await place();
  const { content } = await exec({ command: 'trap "" TERM; sleep 98762; sleep 98762', timeout_seconds: 1 });
  assert.ok(content.includes('it took too long'), content);
  await until('nothing of it runs', () => running('98762').length === 0);
});

test('a cancelled command is ended at once', async () => {
  const { tool } = await place();
  const abort = new AbortController();
  const seen: string[] = [];
  const context = { ...callContext(seen, abort.signal) };
  const args = { command: 'echo begun; sleep 98763' };
  const preview = await tool('exec_shell').preview(args, context);
  const outcome = tool('exec_shell').run(args, preview, context);
  await until('it has begun', () => seen.join('').includes('begun'));
  abort.abort();
  assert.ok((await outcome).content.includes('cancelled'));
  await until('nothing of it runs', () => running('98763').length === 0);
});

test('programs left running are ended, and what is written behind the shell’s back still comes', async () => {
  const { exec } = await place();
  const { content } = await exec({ command: 'sleep 98764 & echo done' });
  assert.is(
    content,
    'done\n[programs that it left running were ended: use background for those; exit status 0]',
  );
  await until('nothing of it runs', () => running('98764').length === 0);
  assert.is((await exec({ command: 'echo hi > >(sleep 0.05; cat)' })).content, 'hi\n[exit status 0]');
});

test('of much output the beginning and the end are kept, and memory stays small', async () => {
  const { exec } = await place();
  const before = process.memoryUsage().rss;
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const { content } = await exec({
    command: 'echo first; head -c 300000000 /dev/zero | tr "\\0" x; echo; echo last',
  });
  clearInterval(watch);
  assert.ok(content.startsWith('first\n') && content.includes('\nlast\n[exit status 0]'));
  assert.match(content, /\[… \d+ bytes left out …\]/);
  assert.ok(Buffer.byteLength(content) <= OUTCOME_MAX);
  assert.ok(most - before < 100_000_000, `${most - before} bytes more`);
});

test('characters are not broken where output is cut or comes in pieces', async () => {
  const { exec } = await place();
  const { content } = await exec({ command: 'for i in {1..30000}; do printf "€x漢"; done' });
  assert.not(content.includes('\ufffd'));
});

test('output is shown while it comes, and a flood only now and then', async () => {
  const { tool } = await place();
  const seen: string[] = [];
  const context = callContext(seen);
  const args = { command: 'echo one; sleep 0.2; head -c 50000000 /dev/zero | tr "\\0" y; echo two' };
  const preview = await tool('exec_shell').preview(args, context);
  await tool('exec_shell').run(args, preview, context);
  assert.is(seen[0], 'one\n');
  assert.ok(seen.at(-1)!.endsWith('two\n'));
  assert.ok(seen.every(text => text.length < 10_000));
});

test('the tier is that of the line, and elevated outside of the workspace', async () => {
  const { tool } = await place();
  const tier = async (args: Arguments): Promise<string> => {
    const { subject } = await tool('exec_shell').preview(args, callContext());
    return subject.kind === 'shell' ? subject.line.tier : '';
  };
  assert.is(await tier({ command: 'cat x' }), 'read');
  assert.is(await tier({ command: 'touch x' }), 'write');
  assert.is(await tier({ command: 'rm -rf /' }), 'destructive');
  assert.is(await tier({ command: 'ls', working_directory: '/' }), 'elevated');
});

test('what is shown cannot leave its fence', async () => {
  const { tool } = await place();
  const { body } = await tool('exec_shell').preview(
    { command: 'echo "\n```\n# approved\n````"' },
    callContext(),
  );
  assert.ok(body!.startsWith('`````sh\n') && body!.endsWith('\n`````'));
});

test('a job runs on, is read piece by piece, and ends when it is told to', async () => {
  const { exec, tool, jobs, dir } = await place();
  assert.ok(
    (await exec({ command: 'echo up; sleep 98765; echo never', background: true })).content.startsWith(
      'started as job-1',
    ),
  );
  const read = async (args: Arguments): Promise<string> =>
    (await call(tool('read_job'), args)).outcome.content;
  let text = '';
  await until('it has printed', async () => (text += await read({ job_id: 'job-1' })).includes('up'));
  assert.is(await read({ job_id: 'job-1' }), '[nothing new; it is running]');
  assert.match(await read({}), /^job-1 {2}running {2}echo up/);
  assert.ok((await call(tool('stop_job'), { job_id: 'job-1' })).outcome.content.includes('stopped'));
  assert.is(running('98765').length, 0);
  await exec({ command: `sleep 0.1; echo end; touch ${dir}/made`, background: true });
  assert.is(await read({ job_id: 'job-2', wait_seconds: 20 }), 'end\n[exit status 0]');
  assert.ok(existsSync(join(dir, 'made')));
  assert.ok((await call(tool('read_job'), { job_id: 'job-9' })).outcome.isError);
  await exec({ command: 'sleep 98766', background: true });
  await jobs.dispose();
  assert.is(running('98766').length, 0);
});

test('there is an end to the number of jobs and to what they keep', async () => {
  const { exec, jobs, tool } = await place();
  for (let at = 0; at < 16; at++)
    await exec({ command: 'head -c 5000000 /dev/zero | tr "\\0" z; sleep 98767', background: true });
  assert.ok((await exec({ command: 'true', background: true })).content.includes('16 jobs are running'));
  const { content } = (await call(tool('read_job'), { job_id: 'job-3', wait_seconds: 1 })).outcome;
  assert.ok(content.length <= OUTCOME_MAX);
  await jobs.dispose();
});

test.run();
