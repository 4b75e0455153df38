import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configKeys, explainConfig, plainConfig } from '../../lib/config/explain.ts';
import { defaultConfig, loadConfig } from '../../lib/config/load.ts';

const test = suite('explain');

test('what is explained loads to the same configuration, with and without comments', () => {
  const text =
    'screen: { mouse: off }\nlifecycle: { kill_grace: 1m30s }\nagents: { x: { command: y, env: { A: b } } }\nsandbox: { network: { allow: [h] } }\nmcp_servers: [{ name: x, url: "https://h" }]\n';
  for (const config of [defaultConfig(), loadConfig({ path: 'c', text }).config])
    for (const comments of [false, true]) {
      const again = loadConfig({ path: 'c', text: explainConfig(config, { comments }) });
      assert.equal(again, { config, problems: [] });
    }
});

test('values are shown as people write them', () => {
  const shown = explainConfig(defaultConfig());
  for (const line of [
    'default_size: 80x24',
    'log_limit: 256MB',
    'mouse: on',
    'delete_retention: 24h',
    'idle_stop: 0',
  ])
    assert.match(shown, new RegExp(`^ +${line}$`, 'm'));
  assert.is((plainConfig(defaultConfig())['lifecycle'] as Record<string, unknown>)['kill_grace'], '5s');
});

test('every key has a description of one line, and every plain key a default or an owner', () => {
  const keys = configKeys();
  for (const { path, description } of keys) assert.match(description, /^[^\n]{3,100}$/, path);
  for (const path of [
    'server.default_size',
    'agents.*.command',
    'permissions[].tool',
    'agent.sub_agents.max_depth',
  ])
    assert.ok(
      keys.some(key => key.path === path),
      path,
    );
  const open = keys.filter(key => key.default === undefined && !key.section && !/[*[]/.test(key.path));
  assert.equal(
    open.map(key => key.path),
    [],
  );
});

test.run();
