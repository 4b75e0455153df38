import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import fc from 'fast-check';
import { posix } from 'node:path';
import { formatProblem } from '../../lib/config/problems.ts';
import { fleetLines } from '../../lib/fleet/describe.ts';
import { cycleIn, waves } from '../../lib/fleet/order.ts';
import { problemError, readFleet } from '../../lib/fleet/read.ts';
import type { Fleet, FleetPane, Member } from '../../lib/fleet/types.ts';
import { writeFleet } from '../../lib/fleet/write.ts';

const test = suite('the file of a fleet');

const read = (text: string) =>
  readFleet({
    file: 'team.yaml',
    text,
    name: 'team',
    resolve: (path, from) => posix.resolve(from || '/srv', path),
    agents: ['claude', 'codex', 'bash'],
  });

const problemsOf = (text: string): string[] => read(text).problems.map(formatProblem);

test('a file with everything in it is the fleet that it describes', () => {
  const { fleet, problems } = read(`
name: checkout
repo: app
on_failure: report
ready_timeout: 2m
sessions:
  planner: { agent: claude, role: '//:planner', model: opus, prompt: Plan it., worktree: true, base: dev }
  builder:
    command: [make, watch]
    repo: sub
    labels: ci
    env: { N: 1 }
    after: [planner, { session: tests, until: ready }]
  tests: { command: npm test }
windows:
  - name: work
    layout: main-vertical
    panes: [planner, builder, { command: top, dir: /tmp }]
messages:
  - { to: builder, from: planner, text: go }
`);
  assert.equal(problems, []);
  assert.is(fleet!.name, 'checkout');
  assert.is(fleet!.readyTimeout, 120_000);
  const [planner, builder] = fleet!.members;
  assert.is(planner!.place, 'worktree');
  assert.is(planner!.cwd, '/srv/app');
  assert.is(builder!.cwd, '/srv/app/sub');
  assert.equal(builder!.env, ['N=1']);
  assert.equal(builder!.after, [
    { name: 'planner', until: 'started' },
    { name: 'tests', until: 'ready' },
  ]);
  assert.equal(fleet!.windows[0]!.panes.at(-1), { session: '', command: ['top'], cwd: '/tmp' });
  assert.equal(fleetLines(fleet!)[1], '  1  planner  claude, //:planner, in /srv/app, worktree from dev');
});

test('a file of windows alone is a layout; one of sessions alone shows them side by side', () => {
  const layout = read('windows:\n  - panes: [vim, {}, "npm run dev"]\n').fleet!;
  assert.equal(layout.members, []);
  assert.equal(
    layout.windows[0]!.panes.map(pane => pane.command),
    [['vim'], [], ['npm run dev']],
  );
  const sessions = read('sessions:\n  a: {}\n  b: {}\n').fleet!;
  assert.equal(
    sessions.windows.map(window => window.panes.map(pane => pane.session)),
    [['a', 'b']],
  );
});

/** Mistakes, with all that is said about the file. */
const MISTAKES: readonly (readonly [what: string, text: string, said: readonly RegExp[]])[] = [
  ['nothing in it', '', [/^team.yaml:1:1: the file: it starts nothing/]],
  ['no YAML', 'a: [', [/^team.yaml:1:\d+: not valid YAML/]],
  [
    'an unknown key',
    'sessions:\n  a: {comand: x}\n',
    [/^team.yaml:2:7: sessions.a.comand: unknown key \(did you mean command\?\)/],
  ],
  [
    'an unknown agent',
    'sessions:\n  a: {agent: clade}\n',
    [/^team.yaml:2:14: .*no agent "clade" \(did you mean claude\?\)/],
  ],
  [
    'an unknown member',
    'sessions:\n  a: {after: bee}\n  beer: {}\n',
    [/^team.yaml:2:14: .*no session "bee" \(did you mean beer\?\)/],
  ],
  [
    'a cycle',
    'sessions:\n  a: {after: b}\n  b: {after: c}\n  c: {after: b}\n',
    [/^team.yaml:3:14: .*each waits for the next: b → c → b/],
  ],
  ['one that waits for itself', 'sessions:\n  a: {after: a}\n', [/each waits for the next: a → a/]],
  ['a name that is none', 'sessions:\n  "a b": {}\n', [/^team.yaml:2:3: .*session name 'a b'/]],
  ['base without a worktree', 'sessions:\n  a: {base: main}\n', [/^team.yaml:2:13: .*needs worktree: true/]],
  ['a prompt for a command', 'sessions:\n  a: {command: x, prompt: y}\n', [/a command takes no prompt/]],
  [
    'an unknown arrangement',
    'windows:\n  - {layout: tilde, panes: [x]}\n',
    [/^team.yaml:2:14: .*no arrangement "tilde" \(did you mean tiled\?\)/],
  ],
  [
    'a session in two panes',
    'sessions:\n  a: {}\nwindows:\n  - panes: [a, a]\n',
    [/^team.yaml:4:16: .*session a has a pane already/],
  ],
  [
    'a slip in a pane',
    'sessions:\n  planner: {}\nwindows:\n  - panes: [planer]\n',
    [/^team.yaml:4:13: .*did you mean planner\?/],
  ],
  [
    'a message to nobody',
    'sessions:\n  a: {}\nmessages:\n  - {to: x, text: hi}\n',
    [/^team.yaml:4:10: .*no session "x"/],
  ],
  ['two mistakes', 'sessions:\n  a: {agent: x}\n  b: {after: y}\n', [/^team.yaml:2:/, /^team.yaml:3:/]],
];

for (const [what, text, said] of MISTAKES)
  test(`a file with ${what} is no fleet, and told with line and column`, () => {
    assert.is(read(text).fleet, undefined);
    const problems = problemsOf(text);
    assert.is(problems.length, said.length, problems.join('\n'));
    for (const [i, regex] of said.entries()) assert.match(problems[i]!, regex);
    assert.is(problemError(read(text).problems).exit, 2);
  });

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const graph = fc
  .uniqueArray(fc.constantFrom(...NAMES))
  .chain(names =>
    fc.tuple(
      ...names.map(name =>
        fc
          .subarray(names)
          .map(after => ({ name, after: after.map(one => ({ name: one, until: 'started' as const })) })),
      ),
    ),
  );

test('members start after all that they wait for, as early as they can; or there is a cycle, and it is one', () => {
  fc.assert(
    fc.property(graph, members => {
      const cycle = cycleIn(members);
      if (cycle) {
        assert.is(cycle[0], cycle.at(-1));
        for (const [i, name] of cycle.slice(0, -1).entries())
          assert.ok(members.find(one => one.name === name)!.after.some(one => one.name === cycle[i + 1]));
        return;
      }
      const found = waves(members);
      const waveOf = new Map(found.flatMap((wave, i) => wave.map(one => [one.name as string, i] as const)));
      assert.is(waveOf.size, members.length);
      for (const { name, after } of members)
        assert.is(waveOf.get(name), Math.max(-1, ...after.map(one => waveOf.get(one.name)!)) + 1);
    }),
    { numRuns: 500 },
  );
});

const word = fc.stringMatching(/^[a-z][a-z0-9 '"#:{}[\]-]{0,8}[a-z]$/);
/** Objects as the code under test makes them. */
const PLAIN = { noNullPrototype: true } as const;
const member = (name: string, index: number): fc.Arbitrary<Member> =>
  fc.record(
    {
      name: fc.constant(name),
      agent: fc.constant(''),
      command: fc.array(word, { maxLength: 3 }),
      role: fc.oneof(fc.constant(''), word),
      model: fc.oneof(fc.constant(''), word),
      prompt: fc.constant(''),
      cwd: word.map(part => `/srv/${part}`),
      place: fc.constantFrom('plain', 'in-place', 'worktree'),
      base: fc.constant(''),
      fetch: fc.constant(true),
      labels: fc.constantFrom([], ['x'], ['x', 'y z']),
      env: fc.constantFrom([], ['A=1'], ['A=b=c', 'B= ']),
      after: fc.constantFrom(
        [],
        ...NAMES.slice(0, index).map(one => [{ name: one, until: 'ready' as const }]),
      ),
    },
    PLAIN,
  );
const pane = (command: string[]): FleetPane => ({ session: '', command, cwd: '/tmp' });

test('a fleet that is written is read as the same fleet', () => {
  const fleets: fc.Arbitrary<Fleet> = fc.record(
    {
      name: fc.constantFrom('team', 'x.y'),
      members: fc.tuple(...NAMES.slice(0, 3).map(member)),
      windows: fc.array(fc.array(word, { maxLength: 2 }), { minLength: 1, maxLength: 2 }).map(commands => [
        {
          name: 'w',
          layout: 'tiled',
          panes: [{ session: 'b', command: [], cwd: '' }, ...commands.map(pane)],
        },
      ]),
      messages: fc.constantFrom([], [{ to: 'a', from: 'b', text: 'line\n: {x}' }]),
      onFailure: fc.constantFrom('rollback', 'report'),
      readyTimeout: fc.constantFrom(60_000, 5000),
    },
    PLAIN,
  );
  fc.assert(
    fc.property(fleets, fleet => {
      const { fleet: again, problems } = read(writeFleet(fleet));
      assert.equal(problems, []);
      assert.equal(again, fleet);
    }),
    { numRuns: 200 },
  );
});

test('no text makes reading throw', () => {
  const keys = fc.constantFrom('name', 'sessions', 'windows', 'panes', 'after', 'messages', 'x');
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('tree')),
      fc.dictionary(keys, tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, value => void read(JSON.stringify(value))),
    { numRuns: 500 },
  );
});

test.run();
