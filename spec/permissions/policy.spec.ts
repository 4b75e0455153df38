import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { classify } from '../../lib/permissions/classify.ts';
import {
  decideShell,
  decideTool,
  layersOfChild,
  type Layer,
  type Mode,
} from '../../lib/permissions/policy.ts';

const test = suite('permission rules');

const layer = (name: string, ...rules: readonly (readonly [Mode, string])[]): Layer => ({
  name,
  mayAllow: name !== 'project',
  rules: rules.map(([mode, words]) => ({ tool: 'exec_shell', argv: words.split(' '), mode })),
});

const modeOf = (layers: readonly Layer[], line: string): Mode =>
  decideShell(layers, 'exec_shell', classify(line)).mode;

test('what only reads runs, and the rest is asked about', () => {
  assert.is(modeOf([], 'git status && ls | wc -l'), 'allow');
  assert.is(modeOf([], 'git commit -m x'), 'ask');
  assert.is(modeOf([], ''), 'allow');
});

test('the first rule that matches counts', () => {
  const first = [layer('user', ['ask', 'git commit --amend'], ['allow', 'git commit'])];
  assert.is(modeOf(first, 'git commit -m x'), 'allow');
  assert.is(modeOf(first, 'git commit --amend -m x'), 'ask');
});

test('a rule is for each simple command, and every one must be allowed', () => {
  const layers = [layer('user', ['allow', 'npm test'])];
  assert.is(modeOf(layers, 'cd web && npm test'), 'allow');
  assert.is(modeOf(layers, 'npm test && rm -rf ~'), 'ask');
  assert.is(modeOf(layers, 'npm test; touch a'), 'ask');
  assert.is(modeOf(layers, 'npm test "$(touch a)"'), 'ask');
  assert.is(modeOf(layers, 'npm testing'), 'ask');
});

test('an allowance holds for words as they stand, without redirections', () => {
  const layers = [layer('user', ['allow', 'make'])];
  assert.is(modeOf(layers, 'make'), 'allow');
  assert.is(modeOf(layers, 'make > /dev/null 2>&1'), 'allow');
  assert.is(modeOf(layers, 'make $x'), 'ask');
  assert.is(modeOf(layers, 'make *'), 'ask');
  assert.is(modeOf(layers, 'make > log'), 'ask');
  assert.is(modeOf(layers, 'make "'), 'ask');
});

test('what is more than a write is asked about each time, what cannot be undone by a typed word', () => {
  const layers = [layer('user', ['allow', 'git'], ['allow', 'rm'])];
  assert.is(modeOf(layers, 'git push'), 'ask');
  const decision = decideShell(layers, 'exec_shell', classify('rm -rf b'));
  assert.equal([decision.mode, decision.wantsWord], ['ask', true]);
  assert.is(decideShell(layers, 'exec_shell', classify('git push')).wantsWord, false);
});

test('a denial finds its command wherever it stands, with options between', () => {
  const layers = [layer('user', ['deny', 'git push --force'], ['deny', 'curl'])];
  for (const line of [
    'git push --force',
    'git -C x push origin main --force',
    'ls && sudo git push --force',
    "bash -c 'git push --force'",
    '/usr/bin/curl x',
    'echo "$(curl x)"',
  ])
    assert.is(modeOf(layers, line), 'deny', line);
  assert.is(modeOf(layers, 'git push'), 'ask');
});

test('what may come to a denied command when it runs is asked about at least', () => {
  const layers = [layer('user', ['deny', 'git push'], ['allow', 'git'])];
  assert.is(modeOf(layers, 'git $x'), 'ask');
  assert.is(modeOf(layers, '$x push'), 'ask');
});

test('a project only tightens', () => {
  assert.is(modeOf([layer('project', ['allow', 'npm'])], 'npm test'), 'ask');
  const both = [layer('user', ['allow', 'npm']), layer('project', ['deny', 'npm run'])];
  assert.is(modeOf(both, 'npm test'), 'allow');
  assert.is(modeOf(both, 'npm run x'), 'deny');
  assert.is(modeOf([layer('user', ['deny', 'npm']), layer('session', ['allow', 'npm'])], 'npm test'), 'deny');
  assert.is(modeOf([layer('user'), layer('session', ['allow', 'npm'])], 'npm test'), 'allow');
});

test('a child only tightens what its parent has', () => {
  const parent = [layer('user', ['allow', 'npm'])];
  const child = layersOfChild(parent, [layer('session', ['allow', 'git commit'], ['deny', 'npm run'])]);
  assert.is(modeOf(child, 'npm test'), 'allow');
  assert.is(modeOf(child, 'npm run x'), 'deny');
  assert.is(modeOf(child, 'git commit -m x'), 'ask');
});

test('it is told which piece and which rule decided', () => {
  const layers = [layer('user', ['allow', 'npm']), layer('project', ['deny', 'git push'])];
  const [first] = decideShell(layers, 'exec_shell', classify('npm test && git push')).opinions;
  assert.equal(first, { part: 'git push', mode: 'deny', why: 'project rule 1: deny git push' });
});

test('a star stands for any characters of one word', () => {
  const layers = [layer('user', ['allow', 'npm run test:*'], ['deny', 'npm run *deploy*'])];
  assert.is(modeOf(layers, 'npm run test:unit'), 'allow');
  assert.is(modeOf(layers, 'npm run pre-deploy-x'), 'deny');
  assert.is(modeOf(layers, 'npm run test'), 'ask');
});

test('other tools have rules as well', () => {
  const layers: Layer[] = [
    { name: 'user', mayAllow: true, rules: [{ tool: 'write_file', argv: ['docs/*'], mode: 'allow' }] },
  ];
  assert.is(decideTool(layers, 'write_file', ['docs/a.md'], 'write').mode, 'allow');
  assert.is(decideTool(layers, 'write_file', ['src/a.ts'], 'write').mode, 'ask');
  assert.is(decideTool(layers, 'read_files', ['x'], 'read').mode, 'allow');
});

test('of several things that a tool gets each is judged by itself', () => {
  const layers: Layer[] = [
    {
      name: 'user',
      mayAllow: true,
      rules: [
        { tool: 'write_file', argv: ['docs/*'], mode: 'allow' },
        { tool: '*', argv: ['*.pem'], mode: 'deny' },
        { tool: 'send', argv: ['all=true', 'to=*'], mode: 'deny' },
      ],
    },
  ];
  const mode = (tool: string, words: string[], tier: 'read' | 'write'): string =>
    decideTool(layers, tool, words, tier).mode;
  assert.is(mode('write_file', ['docs/a', 'docs/b'], 'write'), 'allow');
  assert.is(mode('write_file', ['docs/a', 'src/b'], 'write'), 'ask');
  assert.is(mode('read_files', ['a', 'key.pem'], 'read'), 'deny');
  assert.is(mode('send', ['all=true', 'body=x', 'to=bob'], 'write'), 'deny');
});

test.run();
