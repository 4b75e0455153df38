import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../lib/base/clock.ts';
import { CodedError } from '../../lib/base/errors.ts';
import { decideTool, type Layer } from '../../lib/permissions/policy.ts';
import { SubAgents, type Child, type Report, type SubTask } from '../../lib/agent/sub-agents.ts';
import { WorkSlots } from '../../lib/agent/work-slots.ts';
import { until } from '../support/until.ts';

const test = suite('sub-agents');

const task = (title: string, more: Partial<SubTask> = {}): SubTask => ({
  title,
  query: title,
  files: [],
  tools: undefined,
  model: '',
  rules: [],
  ...more,
});
const answer = (response: string): Report => ({ response, chat: `chats/${response}` });

interface World {
  readonly agents: SubAgents;
  readonly slots: WorkSlots;
  readonly clock: ManualClock;
  readonly context: { readonly signal: AbortSignal; progress(text: string): void };
  readonly stop: AbortController;
}

function world(
  start: (child: Child) => Promise<Report>,
  {
    concurrent = 4,
    depth = 2,
    layers = [] as readonly Layer[],
    tools = ['agent', 'read_files', 'exec_shell'],
  } = {},
): World {
  const slots = new WorkSlots(concurrent);
  const clock = new ManualClock();
  const ports = { slots, maxConcurrent: concurrent, maxDepth: depth, clock, start };
  const agents = new SubAgents(ports, { tools: () => tools, layers: () => layers });
  const stop = new AbortController();
  return { agents, slots, clock, stop, context: { signal: stop.signal, progress: () => undefined } };
}

const codeOf = (error: unknown): string => (error instanceof CodedError ? error.code : 'none');

test('a batch works at the same time, no more of it than may, and answers in its order', async () => {
  let now = 0;
  let most = 0;
  const { agents, context, slots } = world(
    async ({ task: { title } }) => {
      most = Math.max(most, ++now);
      await new Promise(resolve => setImmediate(resolve));
      now--;
      return answer(title);
    },
    { concurrent: 2 },
  );
  const ends = await agents.runAll(
    ['a', 'b', 'c', 'd', 'e'].map(title => task(title)),
    context,
  );
  assert.equal(
    ends.map(({ text }) => text),
    ['a', 'b', 'c', 'd', 'e'],
  );
  assert.is(most, 2);
  assert.is(slots.taken, 0);
});

test('one that fails loses none of the others', async () => {
  const { agents, context, slots } = world(({ task: { title } }) => {
    if (title === 'thrown') throw new Error('before it began');
    if (title === 'failed') return Promise.reject(new CodedError('refused', 'no model', 'choose one'));
    return Promise.resolve(answer(title));
  });
  const ends = await agents.runAll([task('thrown'), task('fine'), task('failed')], context);
  assert.equal(ends, [
    { title: 'thrown', text: 'before it began', isError: true },
    { title: 'fine', text: 'fine', isError: false },
    { title: 'failed', text: 'no model (choose one)', isError: true },
  ]);
  assert.is(slots.taken, 0);
});

test('agents that wait for their own give their place back: with one place a whole tree works', async () => {
  const order: string[] = [];
  const { agents, context, slots } = world(
    async ({ task: { title }, depth, agents: own, signal, progress }) => {
      if (depth < 3) await own.runAll([task(`${title}1`), task(`${title}2`)], { signal, progress });
      assert.is(slots.taken, 1, 'none works without a place');
      order.push(title);
      return answer(title);
    },
    { concurrent: 1, depth: 3 },
  );
  await agents.runAll([task('a'), task('b')], context);
  assert.equal([...order].sort(), [
    'a',
    'a1',
    'a11',
    'a12',
    'a2',
    'a21',
    'a22',
    'b',
    'b1',
    'b11',
    'b12',
    'b2',
    'b21',
    'b22',
  ]);
  assert.is(slots.taken, 0);
});

test('any tree of agents ends, with never more at work than there are places (property)', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 }),
      fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
      async (concurrent, widths, cancelAt) => {
        let next = 0;
        let atWork = 0;
        const made = world(
          async ({ task: { title }, agents: own, signal, progress }) => {
            if (next === cancelAt) made.stop.abort();
            const count = widths[next++ % widths.length]!;
            assert.ok(++atWork <= concurrent);
            await Promise.resolve();
            atWork--;
            if (count > 0 && own.maxConcurrent > 0) {
              const tasks = Array.from({ length: count }, (_, i) => task(`${title}.${i}`));
              // Two calls beside each other, as of tools that only read.
              await Promise.all([
                own.runAll(tasks, { signal, progress }),
                own.runAll(tasks, { signal, progress }),
              ]);
            }
            if (signal.aborted) throw new CodedError('cancelled', 'cancelled');
            assert.ok(++atWork <= concurrent);
            await Promise.resolve();
            atWork--;
            return answer(title);
          },
          { concurrent, depth: 3 },
        );
        const ends = await made.agents.runAll([task('a'), task('b'), task('c')], made.context);
        assert.is(ends.length, 3);
        if (!made.stop.signal.aborted)
          assert.ok(
            ends.every(({ isError }) => !isError),
            JSON.stringify(ends),
          );
        assert.is(made.slots.taken, 0);
      },
    ),
    { numRuns: 60 },
  ));

test('no deeper than may be, and who may start none has no tool for it', async () => {
  const seen: [number, readonly string[]][] = [];
  const { agents, context } = world(async ({ depth, tools, agents: own, signal, progress }) => {
    seen.push([depth, tools]);
    const deeper = await own.run(task('deeper'), { signal, progress }).catch(codeOf);
    return answer(String(typeof deeper === 'string' ? deeper : deeper.response));
  });
  const { response } = await agents.run(task('a'), context);
  assert.is(response, 'refused');
  assert.equal(seen, [
    [1, ['agent', 'read_files', 'exec_shell']],
    [2, ['read_files', 'exec_shell']],
  ]);
  const off = world(async () => answer('x'), { concurrent: 0 });
  assert.is(off.agents.maxConcurrent, 0);
  assert.is(await off.agents.run(task('a'), off.context).catch(codeOf), 'refused');
});

test('a child has no tool that its starter does not have, and its rules only tighten', async () => {
  const user: Layer = { name: 'user', mayAllow: true, rules: [{ tool: 'exec_shell', mode: 'deny' }] };
  const modes: string[] = [];
  const { agents, context } = world(
    async ({ layers }) => {
      for (const tool of ['exec_shell', 'write_file', 'read_files'])
        modes.push(decideTool(layers, tool, ['x'], tool === 'read_files' ? 'read' : 'write').mode);
      return answer('x');
    },
    { layers: [user] },
  );
  const rules = [
    { tool: 'read_files', mode: 'deny' },
    { tool: '*', mode: 'allow' },
  ] as const;
  await agents.run(task('a', { rules }), context);
  assert.equal(modes, ['deny', 'ask', 'deny']);
  const more = await agents.run(task('a', { tools: ['write_file'] }), context).catch(codeOf);
  assert.is(more, 'usage');
});

test('rules of a child stay with the children that it starts itself', async () => {
  let mode = '';
  const { agents, context } = world(async ({ depth, layers, agents: own, signal, progress }) => {
    if (depth === 1) await own.run(task('inner', { tools: ['read_files'] }), { signal, progress });
    else mode = decideTool(layers, 'read_files', ['x'], 'read').mode;
    return answer('x');
  });
  await agents.run(task('a', { rules: [{ tool: 'read_files', mode: 'ask' }] }), context);
  assert.is(mode, 'ask');
});

test('cancelling the starter cancels those at work, those that wait, and what they have started', async () => {
  const aborted: string[] = [];
  const started: string[] = [];
  const { agents, context, stop, slots } = world(
    ({ task: { title }, depth, agents: own, signal, progress }) => {
      started.push(title);
      if (depth === 1) return own.run(task(`${title} inner`), { signal, progress });
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(title);
          reject(new CodedError('cancelled', 'cancelled'));
        });
      });
    },
    { concurrent: 2 },
  );
  const running = agents.runAll([task('a'), task('b'), task('c')], context);
  await until('two are at work', () => started.filter(title => title.includes('inner')).length === 2);
  const before = started.length;
  stop.abort();
  const ends = await running;
  assert.ok(ends.every(({ isError, text }) => isError && text.startsWith('cancelled')));
  assert.is(aborted.length, 2);
  assert.is(started.length, before, 'none begins after it');
  assert.is(slots.taken, 0);
});

test('one that does not end is given up after a while, and keeps its place until it has ended', async () => {
  let end = (_: Report): void => undefined;
  const { agents, context, stop, slots, clock } = world(() => new Promise(resolve => (end = resolve)));
  const running = agents.run(task('a'), context).catch(codeOf);
  await until('it is at work', () => slots.taken === 1);
  stop.abort();
  clock.advance(5000);
  assert.is(await running, 'cancelled');
  assert.is(slots.taken, 1);
  end(answer('late'));
  await until('its place is free', () => slots.taken === 0);
});

test('too many or none are no batch', async () => {
  const { agents, context } = world(async () => answer('x'));
  for (const count of [0, 17]) {
    const tasks = Array.from({ length: count }, (_, i) => task(`${i}`));
    assert.is(await agents.runAll(tasks, context).catch(codeOf), 'usage');
  }
});

test.run();
