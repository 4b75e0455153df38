/**
 * States with real shells, a program that stands for an agent, and the command line of hooks.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER, MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';

const test = suite('states');

/** What stands for Claude Code: it notes its arguments and does what is typed into it as shell lines. */
const AGENT = `#!/bin/sh
echo "$@" > "$HOME/args"
printf '\\033]2;\\342\\234\\263 Claude Code\\007'
while read -r line; do eval "$line"; done
`;

/** Writes what it is told to a file, with the parts apart. */
const NOTIFY = `printf '%s|%s|%s\\n' "$1" "$2" "$MUX_NOTIFY_NEED" >> "$HOME/told"`;

const home = new MuxHome({
  // Quotes and spaces in the data's path must not matter to the hooks' shell.
  config: `notifications: { command: ${JSON.stringify(NOTIFY)} }\nscreen: { hints: off }\n`,
});
let mux: OuterTerminal;
const house = join(home.dir, 'home');

/** PATH with what stands for agents. */
const path = (): string => `${join(home.dir, 'bin')}:${home.env['PATH']}`;

test.before(async () => {
  mkdirSync(join(home.dir, 'bin'), { recursive: true });
  for (const name of ['claude']) {
    writeFileSync(join(home.dir, 'bin', name), AGENT);
    chmodSync(join(home.dir, 'bin', name), 0o755);
  }
  ({ mux } = await startMux({ home }));
});
test.after(() => home.end());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly attention: string | null;
  readonly conversation_id: string | null;
  readonly summary: string | null;
}

async function show(name: string): Promise<Shown> {
  return JSON.parse(await home.ask('show', name, '--json')) as Shown;
}

async function becomes(name: string, status: string): Promise<void> {
  let last = '';
  await until(
    `${name} is ${status}`,
    async () => {
      const text = await home.ask('status', '-t', name, '--json');
      const { status: now, need } = JSON.parse(text) as { status: string; need: string | null };
      last = need ? `${now} ${need}` : now;
      return last === status;
    },
    { describe: () => `it is ${last}\n${mux.describe()}` },
  );
}

/** Types a line into a session that is in no window. */
async function type(name: string, line: string): Promise<void> {
  await home.ask('send-keys', '-t', name, '-l', line);
  await home.ask('send-keys', '-t', name, 'Enter');
}

/** Of sessions that report, by id. */
const tokens = new Map<string, string>();

/** Reports an event as a hook of the session does; resolves with its output and status. */
function hook(
  session: string,
  event: string,
  input: string,
): Promise<{ out: string; status: number | null }> {
  const env = {
    ...home.env,
    MUX_SESSION: session,
    MUX_SERVER: 'default',
    MUX_TOKEN: tokens.get(session) ?? '',
  };
  const child = spawn(process.execPath, [LAUNCHER, 'hook', 'claude', event], { env, cwd: '/' });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise(resolve => child.on('close', status => resolve({ out, status })));
}

test('a shell is ready at its prompt, and works while a silent command runs', async () => {
  await home.ok('new', 'sh');
  await becomes('sh', 'ready');
  mux.type('sleep 1000\r');
  await becomes('sh', 'working');
  assert.match(await home.ask('status', '-t', 'sh', '--explain'), /decided by foreground: sleep runs/);
  mux.type('\x03');
  await becomes('sh', 'ready');
});

test('a shell that marks its prompts is believed', async () => {
  mux.type(`printf '\\033]133;C\\007'; read x\r`);
  await becomes('sh', 'working');
  assert.match(await home.ask('status', '-t', 'sh', '--explain'), /decided by prompt: OSC 133;C/);
  mux.type('\r');
  await becomes('sh', 'working');
  mux.type(`printf '\\033]133;D;0\\007\\033]133;A\\007'\r`);
  await becomes('sh', 'ready');
});

test('an agent says its state by OSC 7501', async () => {
  mux.type(`printf '\\033]7501;state=working:app=codex\\007'; read x\r`);
  await becomes('sh', 'working');
  assert.match(await home.ask('status', '-t', 'sh', '--explain'), /OSC 7501 state=working/);
  mux.type('\r');
  mux.type(`printf '\\033]7501;state=idle:app=codex\\007'\r`);
  await becomes('sh', 'ready');
});

test('an agent gets a file of hooks that only its person can read, and tells by them', async () => {
  await home.ok('new', 'cl', '--agent', 'claude', '--background', '--env', `PATH=${path()}`);
  await until('it has started', () => existsSync(join(house, 'args')));
  const [flag, file = '', ...rest] = readFileSync(join(house, 'args'), 'utf8').trim().split(' ');
  assert.is(flag, '--settings');
  assert.equal([statSync(file).mode & 0o777, rest[0]], [0o600, '--session-id']);
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
    hooks: Record<string, [{ hooks: [{ command: string }] }]>;
  };
  await becomes('cl', 'ready');
  // By the command of the file itself, from inside the session.
  const { command } = hooks['UserPromptSubmit']![0].hooks[0];
  await type('cl', `echo '{"session_id":"c-1","prompt":"go"}' | ${command}`);
  await becomes('cl', 'working');
  assert.is((await show('cl')).conversation_id, 'c-1');
});

/** The hook that waits for a verdict. */
let asking: ReturnType<typeof hook>;

test('a hook that asks waits, and the person is told once', async () => {
  const { id } = await show('cl');
  tokens.set(id, await home.tokenOf(id));
  const report = JSON.stringify({
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf "$(date)" `x`; $HOME' },
  });
  asking = hook(id, 'PermissionRequest', report);
  await becomes('cl', 'needs-you permission');
  assert.is((await show('cl')).attention, 'Bash: rm -rf "$(date)" `x`; $HOME');
  await hook(id, 'Notification', '{"notification_type":"permission_prompt"}');
  await until('it is told', () => existsSync(join(house, 'told')));
  assert.is(
    readFileSync(join(house, 'told'), 'utf8'),
    'cl needs you|Bash: rm -rf "$(date)" `x`; $HOME|permission\n',
    'word by word: no shell has read it',
  );
});

test('C-b a shows who needs somebody, though it was in no window', async () => {
  mux.type('\x02a');
  await mux.waitFor('its window', /2 cl ◆|3 cl ◆/);
  await mux.waitFor('the counts', /◆1/);
});

test('there the person says no, and the agent hears why', async () => {
  await mux.waitFor('the pop-over', /cl wants to use Bash/);
  await mux.waitFor('all of the command', /rm -rf "\$\(date\)" `x`; \$HOME/);
  mux.type('nnot on this machine\r');
  const { out, status } = await asking;
  const decision = { behavior: 'deny', message: 'denied by the person: not on this machine' };
  assert.equal(JSON.parse(out), { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  assert.is(status, 0);
  await becomes('cl', 'working');
  const lines = (await home.cli('events')).stdout.trimEnd().split('\n');
  const told = lines
    .map(line => JSON.parse(line) as Record<string, unknown>)
    .filter(event => event['type'] === 'approval')
    .map(({ name, state, verdict, reason, command }) => ({ name, state, verdict, reason, command }));
  const event = { name: 'cl', command: 'rm -rf "$(date)" `x`; $HOME' };
  assert.equal(told, [
    { ...event, state: 'asked', verdict: null, reason: null },
    { ...event, state: 'answered', verdict: 'deny', reason: 'not on this machine' },
  ]);
});

test('an answer that comes by itself ends it', async () => {
  const { id } = await show('cl');
  await hook(id, 'PostToolUse', '{"tool_name":"Bash"}');
  await becomes('cl', 'working');
  await hook(id, 'Stop', '{}');
  await becomes('cl', 'ready');
});

test('a session says what it does, and that it needs somebody, by commands', async () => {
  await home.ask('status', '-t', 'cl', 'mending the lock');
  assert.is((await show('cl')).summary, 'mending the lock');
  await home.ask('status', '-t', 'cl', '--clear');
  assert.is((await show('cl')).summary, null);
  await home.ask('attention', '-t', 'sh', 'which of the two?');
  await becomes('sh', 'needs-you question');
  assert.is((await home.ask('attention', '-t', 'sh')).trim(), 'which of the two?');
  await home.ask('attention', '-t', 'sh', '--clear');
  await becomes('sh', 'ready');
  assert.is((await home.cli('status', '-t', 'sh', 'x', '--clear')).status, 2);
});

test('hooks are gone with their session', async () => {
  const [, file = ''] = readFileSync(join(house, 'args'), 'utf8').split(' ');
  await home.ok('delete', 'cl');
  assert.ok(existsSync(file), 'a deleted session can be restored');
  await home.ok('purge', 'cl', '-y');
  await until('the file is gone', () => !existsSync(file));
});

test('a hook is silent and well wherever there is nobody to tell', async () => {
  assert.equal(await hook('nobody', 'Stop', '{}'), { out: '', status: 0 });
  assert.equal(await hook('', 'Stop', '{}'), { out: '', status: 0 });
  const { id } = await show('sh');
  tokens.set(id, await home.tokenOf(id));
  const huge = await hook(id, 'Stop', `{"x":"${'y'.repeat(3 << 20)}"}`);
  assert.equal(huge, { out: '{}\n', status: 0 }, 'of a report that is too long the event is taken');
  assert.equal(await hook(id, 'Stop', 'no JSON \u0000\u001b'), { out: '{}\n', status: 0 });
  await home.ok('kill-server', '-y');
  assert.equal(await hook(id, 'Stop', '{}'), { out: '', status: 0 });
  assert.is((await home.cli('list')).status, 3, 'and no server was started');
});

test.run();
