import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultConfig, loadConfig } from '../../lib/config/load.ts';
import { formatProblem } from '../../lib/config/problems.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('load');

/** The problems of a file, one line each. */
function problems(text: string): string[] {
  return loadConfig({ path: 'c.yaml', text }).problems.map(formatProblem);
}

test('an absent, an empty and a file of empty sections all mean the defaults', () => {
  for (const text of [undefined, '', '# nothing\n', 'server:\nscreen: {}\nkeys:\nagents:\n  claude:\n'])
    assert.equal(loadConfig({ path: 'c.yaml', text }), { config: defaultConfig(), problems: [] });
});

test('the defaults are those of the contract, in the units of the program', () => {
  const config = defaultConfig();
  assert.equal(config.server, {
    default_size: { cols: 80, rows: 24 },
    window_size: 'latest',
    remain_on_exit: 'on',
    history_lines: 10_000,
    log_limit: 256_000_000,
  });
  assert.equal(config.screen, {
    prefix: 'C-b',
    theme: 'dark',
    sidebar: 'auto',
    sidebar_width: 28,
    hints: true,
    mouse: true,
    clipboard: 'write',
  });
  assert.equal(config.lifecycle, {
    delete_retention: 86_400_000,
    idle_stop: 0,
    kill_grace: 5000,
    launch_max: 3,
  });
  assert.is(config.default_agent, 'shell');
  assert.is(config.ai.providers['ollama']?.base_url, 'http://127.0.0.1:11434');
  assert.equal(config.agent.sub_agents, { max_concurrent: 4, max_depth: 2 });
  assert.equal(config.sandbox, {
    enabled: false,
    backend: '',
    read: [],
    write: [],
    env: [],
    network: 'open',
    roles: {},
  });
});

test('values are read in the forms that people write', () => {
  const { config, problems: none } = loadConfig({
    path: 'c.yaml',
    text: [
      'server: { default_size: 120x36, remain_on_exit: false, log_limit: 16KiB }',
      'screen: { mouse: off, hints: true, sidebar: on }',
      'keys: { prefix: { "|": split-window -h } }',
      'lifecycle: { delete_retention: 7d12h }',
      'permissions: [{ tool: exec_shell, argv: [git, status], mode: allow }]',
      'mcp_servers: [{ name: files, command: mcp-files, env: { PORT: 8080 } }]',
      'hooks: [{ event: after_turn, command: "notify-send done", timeout: 5s }]',
      'sandbox: { network: { allow: [example.com] } }',
    ].join('\n'),
  });
  assert.equal(none, []);
  assert.equal(config.server.default_size, { cols: 120, rows: 36 });
  assert.is(config.server.remain_on_exit, 'off');
  assert.is(config.server.log_limit, 16_384);
  assert.equal([config.screen.mouse, config.screen.hints, config.screen.sidebar], [false, true, 'on']);
  assert.is(config.keys['prefix']?.['|'], 'split-window -h');
  assert.is(config.lifecycle.delete_retention, 648_000_000);
  assert.is(config.permissions[0]?.mode, 'allow');
  assert.equal(config.mcp_servers[0]?.env, { PORT: '8080' });
  assert.is(config.hooks[0]?.timeout, 5000);
  assert.equal(config.sandbox.network, { allow: ['example.com'] });
});

test('entries of agents and providers change the built-in ones key by key', () => {
  const { config } = loadConfig({
    path: 'c.yaml',
    text: 'agents:\n  claude: { command: /opt/claude }\n  mine: { command: x }\nai: { providers: { openai: { base_url: "http://h/v1" } } }',
  });
  assert.is(config.agents['claude']?.command, '/opt/claude');
  assert.equal(config.agents['claude']?.resume_args, ['--resume', '{conversation_id}']);
  const { command, args, hooks, conversation, ai } = config.agents['mine']!;
  assert.equal([command, args, hooks, conversation, ai], ['x', [], 'none', 'none', false]);
  assert.ok(config.agents['codex']);
  assert.is(config.ai.providers['openai']?.base_url, 'http://h/v1');
  assert.is(config.ai.providers['openai']?.api_key_env, 'OPENAI_API_KEY');
  assert.ok(config.ai.providers['anthropic']);
});

test('an unknown key is an error at its own place, with what was meant', () => {
  assert.equal(problems('screen:\n  mouse: on\n  sidbar: on\n'), [
    'c.yaml:3:3: screen.sidbar: unknown key (did you mean sidebar?)',
  ]);
  assert.equal(problems('theme: dark'), ['c.yaml:1:1: theme: unknown key (it belongs under screen)']);
  assert.match(
    problems('agents: { claude: { comand: x } }')[0]!,
    /^c\.yaml:1:21: agents\.claude\.comand.*command\?/,
  );
});

test('a wrong type says what is expected and what is there', () => {
  assert.equal(problems('screen: { sidebar_width: wide }'), [
    'c.yaml:1:26: screen.sidebar_width: expected a whole number from 10 to 80, found the text "wide"',
  ]);
  assert.equal(problems('git: nope'), [
    'c.yaml:1:6: git: expected a mapping (key: value), found the text "nope"',
  ]);
  assert.equal(problems('agents:\n  a:\n    args: [x, 5]'), [
    'c.yaml:3:15: agents.a.args[1]: expected text, found the number 5 (put it in quotes)',
  ]);
  assert.match(
    problems('server: { window_size: lates }')[0]!,
    /one of latest, smallest, largest.*mean latest/,
  );
  assert.match(problems('lifecycle: { kill_grace: 5 }')[0]!, /the unit is missing \(write it like 30s/);
  assert.match(problems('[1]')[0]!, /1:1: the file: expected a mapping/);
});

test('all problems are listed, in the order of the file', () => {
  const found = problems('git: 1\nscreen:\n  mouse: x\n  huh: 1\nhooks: 5\nserver: { log_limit: 5 }\n');
  assert.equal(
    found.map(line => line.split(' ', 1)[0]),
    ['c.yaml:1:6:', 'c.yaml:3:10:', 'c.yaml:4:3:', 'c.yaml:5:8:', 'c.yaml:6:22:'],
  );
});

test('a missing key points at the entry that lacks it', () => {
  assert.equal(problems('permissions:\n  - { tool: x, mode: deny }\n  - { mode: deny }'), [
    'c.yaml:3:5: permissions[1].tool: it is missing',
  ]);
});

test('broken YAML is reported where it breaks, and the defaults hold', () => {
  const { config, problems: found } = loadConfig({ path: 'c.yaml', text: 'screen:\n  mouse: [\n' });
  assert.ok(found.length > 0 && found.every(p => p.message.startsWith('not valid YAML: ')));
  assert.equal(config, defaultConfig());
  assert.match(problems('a: 1\na: 2').join(), /c\.yaml:2:1: .*'a' stands twice/);
  assert.match(problems('server: !!js/function x')[0]!, /1:9: not valid YAML: Unresolved tag/);
  assert.match(problems('a: 1\n---\nb: 1')[0]!, /multiple documents/);
});

test('what is right in a file with mistakes still counts', () => {
  const { config } = loadConfig({
    path: 'c.yaml',
    text: 'screen: { mouse: off, theme: 5, huh: 1 }\npermissions:\n  - { tool: a, mode: deny }\n  - { tool: b, mode: alow }\n',
  });
  assert.is(config.screen.mouse, false);
  assert.is(config.screen.theme, 'dark');
  // Half a list of rules would be other rules.
  assert.equal(config.permissions, []);
});

test('names must lead somewhere', () => {
  assert.equal(problems('default_agent: claud'), [
    'c.yaml:1:16: default_agent: there is no agent "claud" (did you mean claude?)',
  ]);
  assert.match(
    problems('ai: { service: far }')[0]!,
    /ai\.service: there is no grpc client "far" \(known: embedded\)/,
  );
  assert.equal(problems('ai: { service: far }\ngrpc_clients: [{ name: far, base_url: "https://h" }]'), []);
});

test('a secret in the file is refused and not repeated', () => {
  const found = problems('ai: { providers: { openai: { api_key: sk-1, api_key_env: "sk 2" } } }');
  assert.is(found.length, 2);
  assert.match(found[0]!, /secrets are never written here: name a variable/);
  for (const line of found) assert.not.match(line, /sk/);
});

test('an MCP server is local or remote, not both and not neither', () => {
  assert.match(problems('mcp_servers: [{ name: x }]')[0]!, /expected either command or url/);
  assert.is(problems('mcp_servers: [{ name: x, command: a, url: b }]').length, 1);
  assert.equal(
    problems('mcp_servers: [{ name: x, url: "https://h", headers_env: { Authorization: TOKEN } }]'),
    [],
  );
});

test('what belongs to the other kind of MCP server, and a name that stands twice, are told', () => {
  assert.match(
    problems('mcp_servers: [{ name: x, command: a, headers_env: { A: B } }]')[0]!,
    /mcp_servers\[0\]\.headers_env: goes with url/,
  );
  assert.match(
    problems('mcp_servers: [{ name: x, url: "https://h", env_vars: [A] }]')[0]!,
    /goes with command/,
  );
  assert.match(
    problems('mcp_servers: [{ name: x, command: a }, { name: x, command: b }]')[0]!,
    /mcp_servers\[1\]\.name: x stands twice/,
  );
});

test('hostile files are refused soon and without harm', () => {
  const hostile = [
    '['.repeat(100_000),
    '- '.repeat(60_000),
    '{a: '.repeat(30_000),
    'x: &x [1,1,1,1,1,1,1,1,1,1]\ny: &y [*x,*x,*x,*x,*x,*x,*x,*x,*x]\nz: [*y,*y,*y,*y,*y,*y,*y,*y,*y,*y,*y,*y]',
    '&a [*a]',
    Array.from({ length: 10_000 }, (_, i) => `a${i}: 1`).join('\n'),
    'a'.repeat(10_000_000),
    '__proto__: { mouse: 1 }',
    'screen: { __proto__: { mouse: off } }',
    'keys: { prefix: { "\\e[0m": "\\e[31mred" } }',
  ];
  for (const text of hostile) {
    const started = cpuMs();
    const { problems: found } = loadConfig({ path: 'c.yaml', text });
    assert.ok(found.length > 0 && found.length <= 101, text.slice(0, 30));
    for (const p of found) assert.not.match(formatProblem(p), /[\u0000-\u001f\u007f-\u009f]/);
    assert.ok(cpuMs() - started < 5000, text.slice(0, 30));
  }
  assert.is(({} as { mouse?: unknown }).mouse, undefined);
});

test('no text makes loading throw, and every problem has a place in the file', () => {
  const word = fc.constantFrom(
    'server',
    'screen',
    'mouse',
    'agents',
    'claude',
    'args',
    ': ',
    '\n',
    '  ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    '&a',
    '*a',
    '|',
    '#',
    '5',
    'on',
    '\t',
    '~',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), words => {
      const text = words.join('');
      const lines = text.split('\n').length;
      return loadConfig({ path: 'c', text }).problems.every(
        p => p.line >= 1 && p.line <= lines && p.column >= 1 && p.message !== '',
      );
    }),
    { numRuns: 300 },
  );
});

test.run();
