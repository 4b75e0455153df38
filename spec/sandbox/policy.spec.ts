import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decide } from '../../lib/sandbox/decide.ts';
import { buildPolicy, type Surroundings } from '../../lib/sandbox/policy.ts';
import { mergeRules, NO_RULES } from '../../lib/sandbox/rules.ts';
import type { SandboxRules } from '../../lib/sandbox/types.ts';

const test = suite('policy');

const AROUND: Surroundings = {
  home: '/home/ann',
  agent: 'claude',
  work: ['/home/ann/code/app'],
  gitDirs: ['/home/ann/code/app/.git'],
  programs: ['/usr/bin/node'],
  stores: ['/home/ann/.local/share/mux/default/documents/app-1'],
  files: ['/home/ann/.local/share/mux/default/hooks/s1'],
  private: ['/home/ann/.local/share/mux', '/home/ann/.local/state/mux', '/run/user/1/mux'],
  settings: '/home/ann/.config/mux/config.yaml',
  temp: '/home/ann/.local/share/mux/default/sandbox/s1/tmp',
  server: undefined,
};
const LINKS: Readonly<Record<string, string>> = {
  '/home/ann/link': '/srv/data',
  '/home/ann/code/app/evil': '/home/ann/private',
};
const real = (path: string): string => LINKS[path] ?? path;
const build = (rules: Partial<SandboxRules> = {}, around: Partial<Surroundings> = {}) =>
  buildPolicy({ ...NO_RULES, ...rules }, { ...AROUND, ...around }, real);
const may = (rules: Partial<SandboxRules>, path: string): string =>
  (['read', 'write'] as const).filter(op => decide(build(rules).policy, path, op).allowed).join('+');

test('always granted: where it works, git, temp, its documents, its agent’s own, the system and the programs', () => {
  for (const path of [
    '/home/ann/code/app/x',
    '/home/ann/code/app/.git/objects/x',
    '/home/ann/.claude/projects/x',
    '/home/ann/.local/share/mux/default/documents/app-1/x',
  ])
    assert.is(may({}, path), 'read+write', path);
  for (const path of [
    '/usr/lib/x',
    '/etc/hosts',
    '/home/ann/.gitconfig',
    '/home/ann/.local/share/mux/default/hooks/s1/x',
    '/home/ann/.config/mux/config.yaml',
  ])
    assert.is(may({}, path), 'read', path);
});

test('never granted: state, tokens, other sessions, credentials, the rest of home', () => {
  for (const path of [
    '/home/ann/.ssh/id',
    '/home/ann/.aws/credentials',
    '/home/ann/.local/state/mux/default/person.token',
    '/home/ann/.local/share/mux/default/tokens/x',
    '/home/ann/.local/share/mux/default/documents/other-2/x',
    '/home/ann/.local/share/mux/default/hooks/s2/x',
    '/run/user/1/mux/default.host',
    '/home/ann/Documents/x',
    '/etc/shadow',
    '/root/x',
  ])
    assert.is(may({}, path), '', path);
});

test('a grant of all of home gives neither credentials nor what is mux’s own, and its settings only to be read', () => {
  const rules = { write: ['~'] };
  assert.is(may(rules, '/home/ann/notes'), 'read+write');
  assert.is(may(rules, '/home/ann/.ssh/id'), '');
  assert.is(may(rules, '/home/ann/.local/state/mux/x'), '');
  assert.is(may(rules, '/home/ann/.config/mux/config.yaml'), 'read');
});

test('credentials that are named are granted, and only those', () => {
  assert.is(may({ read: ['~/.ssh'] }, '/home/ann/.ssh/id'), 'read');
  assert.is(may({ read: ['~/.ssh/known_hosts'] }, '/home/ann/.ssh/known_hosts'), 'read');
  assert.is(may({ read: ['~/.ssh/known_hosts'] }, '/home/ann/.ssh/id'), '');
});

test('what is mux’s own is refused by whatever name, and so is everything', () => {
  for (const path of [
    '~/.local/share/mux',
    '~/.local/state/mux/default/person.token',
    '/run/user/1/mux',
    '/',
  ])
    assert.throws(() => build({ read: [path] }), /refused|never granted|everything/, path);
});

test('a folder whose name begins as another’s is another folder', () => {
  assert.is(may({ read: ['/srv/foo'] }, '/srv/foobar'), '');
  assert.is(may({}, '/home/ann/code/app2/x'), '');
});

test('git’s hooks and settings are only read, for they are run outside', () => {
  assert.is(may({}, '/home/ann/code/app/.git/hooks/pre-commit'), 'read');
  assert.is(may({}, '/home/ann/code/app/.git/config'), 'read');
  assert.is(
    may({ write: ['/home/ann/code/app/.git/config'] }, '/home/ann/code/app/.git/config'),
    'read+write',
  );
});

test('a link is granted as what it leads to, but not one that whoever is inside may have made', () => {
  assert.is(may({ read: ['~/link'] }, '/srv/data/x'), 'read');
  const { policy, warnings } = build({ read: ['/home/ann/code/app/evil'] });
  assert.not.ok(decide(policy, '/home/ann/private/x', 'read').allowed);
  assert.match(warnings.join(), /leads out of where the session works/);
});

test('what is not there is left out with a warning', () => {
  const { warnings } = buildPolicy({ ...NO_RULES, write: ['~/gone'] }, AROUND, path =>
    path.endsWith('gone') ? undefined : path,
  );
  assert.equal(warnings, ['sandbox.write: ~/gone is not there, so it is left out']);
});

test('nothing works in a folder that holds home', () => {
  for (const work of ['/', '/home', '/home/ann'])
    assert.throws(() => build({}, { work: [work] }), /holds your home/);
});

test('layers: lists are joined, of the rest the last that says something counts', () => {
  const merged = mergeRules([
    { enabled: true, read: ['a'], network: 'none', backend: 'x' },
    { read: ['a', 'b'], env: ['K'] },
    undefined,
    { enabled: false, network: { allow: ['h'] }, backend: '' },
  ]);
  assert.equal(merged, {
    enabled: false,
    backend: 'x',
    read: ['a', 'b'],
    write: [],
    env: ['K'],
    network: { allow: ['h'] },
  });
});

test.run();
