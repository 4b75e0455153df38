import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LaunchRequest } from '../../lib/cmd/spec.ts';
import { mergeAgents } from '../../lib/config/agents.ts';
import {
  loginShell,
  paneEnvironment,
  planLaunch,
  type LaunchSettings,
  shellProblem,
} from '../../lib/server/launch.ts';
import type { SessionRecord } from '../../lib/model/types.ts';

const test = suite('what is started');

const settings: LaunchSettings = {
  agents: mergeAgents({
    robot: { command: 'robot', args: ['-x'], env: { A: 'agent', B: 'agent' }, ai: true },
  }),
  defaultAgent: 'shell',
  defaultCommand: '',
  shell: '/bin/zsh',
  self: ['node', '/mux/main.js'],
  newConversationId: () => 'conversation-1',
};
const request = (changes: Partial<LaunchRequest> = {}): LaunchRequest => ({
  command: [],
  agent: '',
  name: '',
  durable: false,
  cwd: '/work',
  role: '',
  model: '',
  labels: [],
  env: [],
  callerEnv: {},
  ...changes,
});

/** A request → what runs, and by which name it goes. */
const COMMANDS: readonly (readonly [
  Partial<LaunchRequest>,
  readonly string[],
  string,
  Partial<LaunchSettings>?,
])[] = [
  [{}, ['/bin/zsh'], 'zsh'],
  [{}, ['/bin/zsh', '-c', 'exec fish'], 'exec', { defaultCommand: 'exec fish' }],
  [{ command: ['ls', '-l', 'a b'] }, ['ls', '-l', 'a b'], 'ls'],
  [{ command: ['/usr/bin/vim', 'x'] }, ['/usr/bin/vim', 'x'], 'vim'],
  [{ command: ['make test | less'] }, ['/bin/zsh', '-c', 'make test | less'], 'make'],
  [{ command: ['ls'] }, ['/bin/zsh', '-c', 'ls'], 'ls'],
  [{ command: [''] }, ['/bin/zsh', '-c', ''], 'shell'],
  [{ command: ['$(x)'] }, ['/bin/zsh', '-c', '$(x)'], 'x'],
  [{ durable: true, name: 'a' }, ['/bin/zsh'], 'shell'],
  [{ durable: true, name: 'a' }, ['robot', '-x'], 'robot', { defaultAgent: 'robot' }],
  [{ durable: true, name: 'a', command: ['x', 'y'] }, ['x', 'y'], 'x', { defaultAgent: 'robot' }],
  [{ agent: 'robot' }, ['robot', '-x'], 'robot'],
  [{ agent: 'robot', command: ['x', 'y'] }, ['x', 'y'], 'robot'],
  [{ agent: 'claude' }, ['claude', '--session-id', 'conversation-1'], 'claude'],
  [{ agent: 'shell' }, ['/bin/zsh'], 'shell'],
];

for (const [changes, argv, agent, more] of COMMANDS) {
  test(`${JSON.stringify(changes)} runs ${argv.join(' ')}`, () => {
    const plan = planLaunch(request(changes), { ...settings, ...more });
    assert.equal([plan.launch.argv, plan.agent], [argv, agent]);
  });
}

test('a conversation has an id only where the arguments carry one', () => {
  assert.is(planLaunch(request({ agent: 'claude' }), settings).conversationId, 'conversation-1');
  assert.is(planLaunch(request({ agent: 'codex' }), settings).conversationId, '');
});

test('what was given beats the agent, which beats the caller', () => {
  const plan = planLaunch(
    request({
      agent: 'robot',
      env: ['A=given', 'C=x=y', 'D='],
      role: '//dome:keeper',
      model: 'm',
      callerEnv: { PATH: '/p', HOME: '/h' },
    }),
    settings,
  );
  assert.equal(plan.launch.env, {
    PATH: '/p',
    A: 'given',
    B: 'agent',
    C: 'x=y',
    D: '',
    MUX_ROLE: '//dome:keeper',
    MUX_MODEL: 'm',
  });
});

test('what is no NAME=VALUE, and an agent that is not there, are told', () => {
  for (const env of ['', 'A', '=x', '1A=x', 'A B=x', 'A-B=x'])
    assert.throws(() => planLaunch(request({ env: [env] }), settings), /not NAME=VALUE/, env);
  assert.throws(() => planLaunch(request({ agent: 'robto' }), settings), /agent robto: no such entry/);
  assert.throws(() => planLaunch(request({ agent: 'constructor' }), settings), /no such entry/);
});

const session = {
  id: 's1',
  isAi: false,
  agent: 'cat',
  pane: '%3',
  launch: { argv: ['cat'], cwd: '/', env: { TERM: 'mine', X: '1' } },
} as unknown as SessionRecord;
const about = {
  socket: '/run/mux.sock',
  token: 'proof',
  server: 'default',
  version: '1.2.3',
  term: 'xterm-256color',
};

test('a pane’s program knows where it runs', () => {
  const env = paneEnvironment(session, { ...about, serverEnv: { HOME: '/h', LANG: 'C.UTF-8' } });
  assert.equal(env, {
    HOME: '/h',
    LANG: 'C.UTF-8',
    X: '1',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'mux',
    TERM_PROGRAM_VERSION: '1.2.3',
    MUX_SERVER: 'default',
    MUX_SESSION: 's1',
    MUX_SOCKET: '/run/mux.sock',
    MUX_TOKEN: 'proof',
    MUX_PANE: '%3',
  });
});

test('what an outer multiplexer or agent says of itself is not inherited', () => {
  const outer = [
    'TMUX',
    'TMUX_PANE',
    'STY',
    'COLUMNS',
    'LINES',
    'TERMCAP',
    'MUX_AGENT',
    'MUX_ROLE',
    'CLAUDECODE',
    'CLAUDE_CODE',
    'GRAITH_SESSION_ID',
    'CURSOR_AGENT',
  ];
  const env = paneEnvironment(
    { ...session, pane: '' },
    { ...about, serverEnv: Object.fromEntries(outer.map(name => [name, 'outer'])) },
  );
  for (const name of [...outer, 'MUX_PANE']) assert.is(env[name], undefined, name);
  const { MUX_TOKEN } = paneEnvironment(session, { ...about, serverEnv: { MUX_TOKEN: 'outer' } });
  assert.is(MUX_TOKEN, 'proof');
});

test('only an AI agent is told that it is one', () => {
  assert.is(
    paneEnvironment({ ...session, isAi: true, agent: 'robot' }, { ...about, serverEnv: {} }).MUX_AGENT,
    'robot',
  );
});

test('a shell that cannot be run is replaced', () => {
  for (const SHELL of ['', 'bash', '/nonexistent', '/etc/passwd', '/tmp']) {
    if (SHELL === '/tmp') continue;
    assert.is(loginShell({ SHELL }), '/bin/sh', SHELL);
  }
  assert.is(loginShell({}), '/bin/sh');
  assert.is(loginShell({ SHELL: '/bin/bash' }), '/bin/bash');
});

test('a shell that cannot be run is said, one that can or none is not', () => {
  assert.is(shellProblem({ SHELL: '/bin/sh' }), undefined);
  assert.is(shellProblem({}), undefined);
  assert.match(shellProblem({ SHELL: '/nope' })!, /SHELL \/nope: it cannot be run; panes get \/bin\/sh/);
  assert.match(shellProblem({ SHELL: 'bash' })!, /no absolute path/);
});

test.run();
