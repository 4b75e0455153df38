import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LaunchRequest } from '../../../lib/cmd/spec.ts';
import { mergeAgents } from '../../../lib/config/agents.ts';
import {
  loginShell,
  paneEnvironment,
  planLaunch,
  planNext,
  type LaunchSettings,
  shellProblem,
} from '../../../lib/server/programs/launch.ts';
import type { SessionRecord } from '../../../lib/model/types.ts';

const test = suite('what is started');

const settings: LaunchSettings = {
  agents: mergeAgents({
    robot: {
      command: 'robot',
      args: ['-x'],
      env: { A: 'agent', B: 'agent' },
      ai: true,
      role_args: ['-s', '{role_prompt}'],
    },
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
  [{ command: [''] }, ['/bin/zsh', '-c', ''], 'zsh'],
  [{ command: ['$(x)'] }, ['/bin/zsh', '-c', '$(x)'], 'zsh'],
  [{ command: ['CI=1 make test; ls'] }, ['/bin/zsh', '-c', 'CI=1 make test; ls'], 'make'],
  [{ command: ['env|grep x'] }, ['/bin/zsh', '-c', 'env|grep x'], 'env'],
  [{ command: ['i=0; while :; do x; done'] }, ['/bin/zsh', '-c', 'i=0; while :; do x; done'], 'zsh'],
  [{ command: ['while :; do x; done'] }, ['/bin/zsh', '-c', 'while :; do x; done'], 'zsh'],
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

/** What is started next of a session of `agent`, made with these. */
function next(
  agent: string,
  kind: 'resume' | 'fork' | 'fresh',
  changes: {
    known?: string;
    source?: string;
    settings?: Partial<LaunchSettings>;
    command?: readonly string[];
  } = {},
): ReturnType<typeof planNext> {
  const { known = '', source = '', command = [] } = changes;
  const plan = planLaunch(request({ agent, name: 'a', durable: true, command, env: ['B=own'] }), settings);
  const session = { ...plan, role: '', model: 'm', conversationId: known };
  const now = { ...settings, newConversationId: () => 'conversation-2', ...changes.settings };
  return planNext(session, kind, now, { source });
}

test('an agent goes on with its conversation, and never with an empty id', () => {
  const known = next('claude', 'resume', { known: 'x' });
  assert.equal(known.launch.argv, ['claude', '--resume', 'x', '--model', 'm']);
  assert.equal([known.kind, known.conversationId], ['resume', 'x']);
  // Those that tell their id themselves have told none yet: "the last one in this folder" may be another session's.
  for (const agent of ['codex', 'opencode', 'cursor-agent', 'amp']) {
    const unknown = next(agent, 'resume');
    assert.is(unknown.kind, 'fresh', agent);
    assert.not(
      unknown.launch.argv.some(word => word === '' || /resume|session|continue/.test(word)),
      agent,
    );
  }
  assert.equal(next('codex', 'resume', { known: 'y' }).launch.argv, ['codex', 'resume', 'y', '-m', 'm']);
});

test('an agent that starts afresh gets a new conversation, for the old one may be there', () => {
  for (const started of [next('claude', 'fresh', { known: 'x' }), next('claude', 'resume', { known: '' })]) {
    assert.equal(started.launch.argv.slice(0, 3), ['claude', '--session-id', 'conversation-2']);
    assert.equal([started.kind, started.conversationId], ['fresh', 'conversation-2']);
  }
});

test('a fork goes on from the conversation of its source, as a conversation of its own', () => {
  const fork = next('claude', 'fork', { known: 'x', source: 'x' });
  assert.equal(fork.launch.argv.slice(1, 6), [
    '--resume',
    'x',
    '--fork-session',
    '--session-id',
    'conversation-2',
  ]);
  assert.is(fork.conversationId, 'conversation-2');
  assert.is(next('claude', 'fork').kind, 'fresh');
});

test('a session goes on with its agent as the settings now have it, and with its own environment', () => {
  const agents = mergeAgents({
    robot: { command: 'robot2', args: ['-y'], env: { A: 'new', B: 'new' }, ai: true },
  });
  const { launch } = next('robot', 'resume', { settings: { agents } });
  assert.equal(launch.argv, ['robot2', '-y']);
  assert.equal([launch.env['A'], launch.env['B']], ['new', 'own']);
  const own = next('robot', 'resume', { settings: { agents }, command: ['make', 'x'] });
  assert.equal(own.launch.argv, ['make', 'x'], 'a command of its own stays as it is');
  assert.equal(next('robot', 'resume', { settings: { agents: {} } }).launch.argv, ['robot', '-x']);
});

test.run();
