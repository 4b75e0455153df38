import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../lib/config/load.ts';
import { formatProblem } from '../../lib/config/problems.ts';
import { loadProject } from '../../lib/config/project.ts';

const test = suite('settings of a project');

const problemsOf = (text: string): string[] => loadProject({ path: 'p', text }).problems.map(formatProblem);

test('an empty file wants nothing', () => {
  const none = {
    agent: { default_tools: [], default_lores: [] },
    permissions: [],
    mcp_servers: [],
    hooks: [],
  };
  for (const text of ['', '# nothing\n', 'hooks:\n', '{}'])
    assert.equal(loadProject({ path: 'p', text }).project, none);
});

test('the keys that a project may have are read as in config.yaml, all others are told', () => {
  const { project } = loadProject({
    path: 'p',
    text: [
      'agent: { default_tools: [diff] }',
      'permissions: [{ tool: exec_shell, argv: [git, push], mode: deny }]',
      'hooks: [{ event: before_tool, match: "diff|write_*", command: ./check }]',
    ].join('\n'),
  });
  assert.equal(project?.hooks, [
    { event: 'before_tool', match: 'diff|write_*', command: './check', timeout: 30_000 },
  ]);
  assert.is(project?.permissions[0]?.mode, 'deny');
  assert.match(problemsOf('server: {}')[0]!, /^p:1:1: server: unknown key/);
  assert.match(problemsOf('agent: { mode: auto }')[0]!, /agent\.mode: unknown key/);
});

test('a file with one thing wrong says nothing at all', () => {
  const text = 'permissions: [{ tool: "*", mode: deny }]\nhooks: [{ event: before_tol, command: x }]\n';
  const loaded = loadProject({ path: 'p', text });
  assert.is(loaded.project, undefined);
  assert.equal(loaded.problems.map(formatProblem), [
    'p:2:18: hooks[0].event: expected one of before_tool, after_tool, before_turn, after_turn, found the text "before_tol" (did you mean before_tool?)',
  ]);
});

test('hooks that could not work are told where they stand', () => {
  const cases: readonly [string, RegExp][] = [
    ['{ event: after_turn, match: diff, command: x }', /hooks\[0\]\.match: turns have no name/],
    ['{ event: after_turn, command: x, timeout: 0 }', /hooks\[0\]\.timeout: expected 1ms to 10m/],
    ['{ event: after_turn, command: x, timeout: 2h }', /hooks\[0\]\.timeout/],
    ['{ event: after_turn }', /hooks\[0\]\.command: it is missing/],
  ];
  for (const [entry, problem] of cases) {
    assert.match(problemsOf(`hooks: [${entry}]`).join('\n'), problem);
    assert.match(loadConfig({ path: 'c', text: `hooks: [${entry}]` }).problems[0]!.message, problem);
  }
});

test('no text makes it throw (property)', () => {
  const line = fc.constantFrom(
    'hooks:',
    '- {',
    'event: before_tool',
    'permissions: [',
    ']',
    '&a',
    '*a',
    '  x: y',
    '}',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(line).map(lines => lines.join('\n')),
      ),
      text => {
        const { project, problems } = loadProject({ path: 'p', text });
        assert.is(project === undefined, problems.length > 0);
      },
    ),
    { numRuns: 300 },
  );
});

test.run();
