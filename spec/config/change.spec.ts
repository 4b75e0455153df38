import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { settingsDiff, withSettings } from '../../lib/config/change.ts';
import { loadConfig } from '../../lib/config/load.ts';

const test = suite('changing settings');
const FILE = 'config.yaml';

const PERSONS = `# my settings

screen:   {theme: light,   mouse: off}   # by hand
hooks:
    - event:  status          # told
      command:    "notify-send 'x'"


ai:
    # which one
    default_model: 'haiku'   # small
    providers:
        openai: {base_url: "http://127.0.0.1:1/v1",   models: [a,b]}

keys: {}
`;

test('a key is set and everything else stays as the person wrote it, to the space', () => {
  const next = withSettings(FILE, PERSONS, [{ path: ['ai', 'default_model'], value: 'opus' }]);
  assert.is(next, PERSONS.replace("'haiku'", 'opus'));
  const more = withSettings(FILE, PERSONS, [
    { path: ['ai', 'default_model'], value: 'opus' },
    { path: ['ai', 'providers', 'far'], value: { kind: 'openai', base_url: 'https://far/v1' } },
    { path: ['default_agent'], value: 'claude' },
  ]);
  for (const line of PERSONS.split('\n').filter(one => !one.includes('haiku')))
    assert.ok(more.includes(line), line);
  const { config, problems } = loadConfig({ path: FILE, text: more });
  assert.equal(
    problems.filter(({ message }) => !/hooks|status|event/.test(message)),
    [],
  );
  assert.is(config.ai.default_model, 'opus');
  assert.is(config.ai.providers['far']?.base_url, 'https://far/v1');
  assert.equal(config.ai.providers['openai']?.models, ['a', 'b']);
  assert.is(config.default_agent, 'claude');
});

test('a file that is empty, or has comments alone, gets its first settings', () => {
  for (const text of ['', '# nothing yet\n', '---\n', 'ai:\n', 'ai: ~ # later\n']) {
    const next = withSettings(FILE, text, [{ path: ['ai', 'default_model'], value: 'opus' }]);
    assert.is(loadConfig({ path: FILE, text: next }).config.ai.default_model, 'opus', JSON.stringify(text));
    for (const comment of text.match(/#.*/g) ?? []) assert.ok(next.includes(comment), next);
  }
});

test('a file that is no mapping where one is needed is refused, and so is one that is no YAML', () => {
  for (const text of [
    '- a\n',
    'ai: 3\n',
    'ai: [a]\n',
    'ai:\n  providers: x\n',
    'a: [\n',
    'a: 1\na: 2\n',
    'just words\n',
  ]) {
    const set = (): string => withSettings(FILE, text, [{ path: ['ai', 'providers', 'x'], value: {} }]);
    assert.throws(set, (error: { code: string }) => error.code === 'invalid_config', text);
  }
});

test('line ends of another system stay', () => {
  const next = withSettings(FILE, 'ai:\r\n  default_model: a # x\r\nkeys: {}\r\n', [
    { path: ['ai', 'default_model'], value: 'b' },
  ]);
  assert.is(loadConfig({ path: FILE, text: next }).config.ai.default_model, 'b');
  assert.match(next, /# x/);
});

test('a change is shown as a diff, and none as nothing', () => {
  assert.is(settingsDiff(FILE, 'a: 1\n', 'a: 1\n'), '');
  assert.match(
    settingsDiff(FILE, 'a: 1\n', 'a: 2\n'),
    /^--- config.yaml.*\n\+\+\+ .*\n@@ .*\n-a: 1\n\+a: 2\n$/,
  );
});

test.run();
