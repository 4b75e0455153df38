/** Hooks as real programs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Hook, HookAnswer } from '../../../lib/agent/hooks.ts';
import { HookRunner } from '../../../lib/app/ai/hook-runner.ts';
import { ManualClock, systemClock } from '../../../lib/base/clock.ts';
import { shellWord } from '../../../lib/base/shell-word.ts';
import { isRunning } from '../../cli/mux.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const test = suite('hooks as programs');
const dir = tempDir();
const runner = new HookRunner({
  env: { PATH: process.env['PATH'] ?? '', HOME: dir },
  clock: systemClock,
});

const hook = (command: string, timeoutMs = 10_000): Hook => ({
  event: 'before_tool',
  match: '',
  command,
  timeoutMs,
  origin: 'config.yaml',
  cwd: dir,
});
const run = (
  command: string,
  { timeoutMs = 10_000, signal = new AbortController().signal, args = {} as object } = {},
): Promise<HookAnswer> =>
  runner.run(hook(command, timeoutMs), { event: 'before_tool', tool: 'diff', arguments: args }, signal);

/** The number that a hook has written of a process. */
const pidIn = (name: string): Promise<number> =>
  until(`${name} is written`, () => {
    const path = join(dir, name);
    return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  });

test('a hook gets JSON on its input and says JSON on its output, in the working directory', async () => {
  const script = `node -e '
    const input = JSON.parse(require("fs").readFileSync(0));
    const { MUX_HOOK_EVENT, MUX_HOOK_TOOL } = process.env;
    console.log(JSON.stringify({ decision: "block", reason: [process.cwd(), MUX_HOOK_EVENT, MUX_HOOK_TOOL, input.arguments.path] + "" }));'`;
  assert.equal(await run(script, { args: { path: "a'b" } }), {
    kind: 'blocked',
    reason: `${dir},before_tool,diff,a'b`,
  });
  assert.equal(await run('echo "not here" >&2; exit 2'), { kind: 'blocked', reason: 'not here' });
  assert.equal(await run('cat >/dev/null'), { kind: 'passed' });
});

test('input that nobody reads, and much of it, breaks nothing', async () => {
  assert.equal(await run('exec 0<&-; exit 0', { args: { text: 'x'.repeat(4_000_000) } }), { kind: 'passed' });
  assert.equal(await run('head -c 10 >/dev/null', { args: { text: 'x'.repeat(4_000_000) } }), {
    kind: 'passed',
  });
});

test('what is not there or dies is a broken hook', async () => {
  assert.match(JSON.stringify(await run('no-such-program-of-ours')), /broken.*exit status 127.*not found/);
  assert.equal(await run('kill -9 $$'), { kind: 'broken', why: 'exit status 128' });
  assert.is((await run('a\0b')).kind, 'broken');
  const elsewhere = { ...hook('true'), cwd: join(dir, 'gone') };
  const { signal } = new AbortController();
  assert.is((await runner.run(elsewhere, { event: 'before_tool' }, signal)).kind, 'broken');
});

test('a hook that takes too long is ended with all that it has started, though they do not want to', async () => {
  const clock = new ManualClock();
  const slow = new HookRunner({ env: { PATH: process.env['PATH'] ?? '' }, clock });
  const inner = "trap '' TERM; echo $$ >late; while :; do sleep 0.05; done";
  const command = `trap '' TERM; sh -c ${shellWord(inner)} & wait`;
  const running = slow.run(hook(command, 30_000), { event: 'before_tool' }, new AbortController().signal);
  const pid = await pidIn('late');
  clock.advance(30_000);
  assert.ok(isRunning(pid), 'asked first');
  clock.advance(1000);
  assert.equal(await running, { kind: 'broken', why: 'no answer after 30s' });
  await until('it has ended', () => !isRunning(pid));
});

test('a hook whose child keeps its output open has answered when it has ended, and nothing is left of it', async () => {
  const start = performance.now();
  assert.equal(await run('sleep 60 & echo $! >left; echo no >&2; exit 2'), { kind: 'blocked', reason: 'no' });
  assert.ok(performance.now() - start < 5000);
  const pid = await pidIn('left');
  await until('it has ended', () => !isRunning(pid));
});

test('a hook that floods is ended, and memory does not grow with it', async () => {
  const before = process.memoryUsage().rss;
  assert.equal(await run('yes'), { kind: 'broken', why: 'it says more than 64 KiB' });
  assert.equal(await run('yes >&2'), { kind: 'broken', why: 'it says more than 64 KiB' });
  assert.ok(process.memoryUsage().rss - before < 50_000_000);
});

test('cancelling ends a hook', async () => {
  const stop = new AbortController();
  const running = run('echo $$ >cancelled; exec sleep 60', { signal: stop.signal });
  const pid = await pidIn('cancelled');
  stop.abort();
  await running;
  await until('it has ended', () => !isRunning(pid));
});

test.run();
