import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatKey } from '../../lib/input/keyname.ts';
import { loadConfig } from '../../lib/config/load.ts';
import { Settings, unusable } from '../../lib/server/settings.ts';
import { ROOT } from '../cli/mux.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('settings');

/** Settings of a file that can be changed, and what they told. */
function settingsOf(text: string): {
  settings: Settings;
  problems: string[];
  changes: () => number;
  rewrite(next: string | undefined): void;
} {
  const config = join(tempDir({ 'config.yaml': text }), 'config.yaml');
  const settings = new Settings({ config, themesDir: join(ROOT, 'themes') });
  const problems: string[] = [];
  let changes = 0;
  settings.onProblem(problem => problems.push(problem));
  settings.onChange(() => changes++);
  return {
    settings,
    problems,
    changes: () => changes,
    rewrite(next) {
      if (next === undefined) rmSync(config);
      else writeFileSync(config, next);
      settings.reload();
    },
  };
}

test('an absent file gives the defaults', () => {
  const settings = new Settings({ config: '/nonexistent/config.yaml', themesDir: join(ROOT, 'themes') });
  assert.equal(
    [settings.startProblems, formatKey(settings.prefix), settings.options.get('mouse')],
    [[], 'C-b', true],
  );
});

test('what is wrong at the start is told and the rest holds', () => {
  const { settings } = settingsOf(
    'screen: { prefix: C-o, theme: nowhere, sidbar: on }\nkeys: { prefix: { NoKey: list } }\n',
  );
  assert.ok(settings.startProblems.length >= 1, settings.startProblems.join('\n'));
  for (const problem of settings.startProblems) assert.not.match(problem, /\n/);
  assert.ok(settings.theme);
});

test('a change is taken over and told', () => {
  const { settings, problems, changes, rewrite } = settingsOf('screen: { prefix: C-a }\n');
  assert.is(formatKey(settings.prefix), 'C-a');
  rewrite('screen: { prefix: C-o, mouse: off }\nkeys: { prefix: { "|": split-window -h } }\n');
  assert.equal([formatKey(settings.prefix), settings.options.get('mouse'), problems], ['C-o', false, []]);
  assert.ok(changes() >= 1);
  assert.ok(
    settings.keys
      .list('prefix')
      .some(row => row.binding.command === 'split-window -h' && formatKey(row.key) === '|'),
  );
});

test('a file that became wrong keeps the old settings and says so', () => {
  for (const wrong of [
    'screen: { prefix: [',
    'screen: { prefx: C-o }',
    'screen: { mouse: perhaps }',
    '- a list',
  ]) {
    const { settings, problems, rewrite } = settingsOf('screen: { prefix: C-a, mouse: off }\n');
    rewrite(wrong);
    assert.equal([formatKey(settings.prefix), settings.options.get('mouse')], ['C-a', false], wrong);
    assert.is(problems.length, 1, wrong);
    assert.match(problems[0]!, /config\.yaml:\d+:\d+: .*the old settings stay$/, wrong);
  }
});

test('a file that was put right again is taken over', () => {
  const { settings, problems, rewrite } = settingsOf('screen: { prefix: C-a }\n');
  rewrite('screen: {');
  rewrite('screen: { prefix: C-o }\n');
  assert.equal([formatKey(settings.prefix), problems.length], ['C-o', 1]);
});

test('a file that was removed gives the defaults', () => {
  const { settings, rewrite } = settingsOf('screen: { prefix: C-a }\n');
  rewrite(undefined);
  assert.is(formatKey(settings.prefix), 'C-b');
});

test('a binding that was taken from the file is as it was without it', () => {
  const { settings, rewrite } = settingsOf('keys: { prefix: { c: list, F5: list } }\n');
  const command = (key: string): string | undefined =>
    settings.keys.list('prefix').find(row => formatKey(row.key) === key)?.binding.command;
  assert.equal([command('c'), command('F5')], ['list', 'list']);
  rewrite('{}\n');
  assert.equal([command('c'), command('F5')], ['new-window', undefined]);
});

test('an option that a person set in the running server outlives a change of the file', () => {
  const { settings, rewrite } = settingsOf('screen: { mouse: on }\n');
  settings.options.setText('mouse', 'off');
  rewrite('screen: { mouse: on, prefix: C-o }\n');
  assert.equal([settings.options.get('mouse'), formatKey(settings.prefix)], [false, 'C-o']);
});

test('a binding whose command is none is told and the others hold', () => {
  const { settings } = settingsOf('keys: { prefix: { F5: frobnicate, F6: list } }\n');
  assert.ok(settings.keys.list('prefix').some(row => formatKey(row.key) === 'F6'));
  assert.match(settings.startProblems.join('\n'), /frobnicate/);
});

test('a file that cannot be read at the start is told in one line', () => {
  assert.throws(
    () => new Settings({ config: tempDir(), themesDir: join(ROOT, 'themes') }),
    /config .*: it is a directory/,
  );
});

test('a check tells what only turns out when a setting is used: keys, the prefix, the theme', () => {
  const bad = join(tempDir({ 'mine.yaml': 'name: mine\nroles: 7\n' }), 'mine.yaml');
  const text = `screen: { prefix: Foo, theme: ${bad} }\nkeys: { prefix: { NoKey: list } }\n`;
  const { config, problems } = loadConfig({ path: 'c.yaml', text });
  assert.equal(problems, []);
  const said = unusable(config, join(ROOT, 'themes'));
  assert.is(said.length, 3);
  assert.match(said[0]!, /^keys\.prefix\.NoKey: /);
  assert.match(said[1]!, /^prefix: .*Foo/);
  assert.match(said[2]!, /^theme: .*mine\.yaml:2:8: /);
  assert.equal(unusable(loadConfig({ path: 'c.yaml', text: '' }).config, join(ROOT, 'themes')), []);
});

test('a file that is right again takes the place of what was wrong with it, once', () => {
  const { settings, problems, rewrite } = settingsOf('screen: [');
  const repaired: string[] = [];
  settings.onRepaired(text => repaired.push(text));
  rewrite('screen: { huh: 1 }');
  assert.equal([problems.length, repaired.length], [1, 0]);
  rewrite('screen: { mouse: off }');
  rewrite('screen: { mouse: on }');
  assert.equal([problems.length, repaired.length], [1, 1]);
});

test.run();
