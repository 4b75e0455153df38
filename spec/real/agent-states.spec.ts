/**
 * States of the real Claude Code, where MUX_AGENTS names a folder that has it and a model server that stands for the
 * real one (see spec/real/agents.spec.ts): idle, working, asking, answered, each seen soon.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MuxHome, startMux } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('agent states');
const FOLDER = process.env['MUX_AGENTS'] ?? '';
const CLAUDE = join(FOLDER, 'claude/node_modules/.bin');
const MODEL = join(FOLDER, 'aimock/node_modules/.bin/llmock');
/** Agents load for seconds, and for many on a machine that does other things too. */
const START_MS = 60_000;

const FIXTURES = {
  fixtures: [
    {
      match: { userMessage: 'make a file', hasToolResult: false },
      response: {
        toolCalls: [{ name: 'Bash', arguments: JSON.stringify({ command: 'touch made', description: 'x' }) }],
      },
    },
    { match: { userMessage: 'make a file', hasToolResult: true }, response: { content: 'Done.' } },
    { match: { userMessage: '' }, response: { content: 'word after word '.repeat(60) } },
  ],
};

/** A port that nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** A verdict given from the command line answers Claude Code's dialog: yes runs its tool, no does not. */
async function byMux(
  home: MuxHome,
  becomes: (state: string) => Promise<unknown>,
  type: () => void,
  enter: () => void,
  describe: () => string,
): Promise<void> {
  const made = join(home.work, 'made');
  const waits = (): Promise<{ id: string; command: string }> =>
    until('its wish waits', async () => (await home.cli('approvals', '--json')).json().approvals[0], {
      deadlineMs: START_MS,
      describe,
    });
  for (const verdict of ['approve', 'deny']) {
    rmSync(made, { force: true });
    await until('nothing waits of what its own dialog has answered', async () => {
      const { approvals } = (await home.cli('approvals', '--json')).json();
      return approvals.length === 0;
    });
    type();
    await until('it is typed', () => describe().includes('❯ make a file'), { describe });
    enter();
    const { id, command } = await waits();
    assert.is(command, 'touch made');
    await home.ok(verdict, id);
    if (verdict === 'approve')
      await until('its tool has run', () => existsSync(made), { deadlineMs: 15_000, describe });
    await becomes('ready');
    assert.is(existsSync(made), verdict === 'approve', verdict);
    assert.equal((await home.cli('approvals', '--json')).json(), { approvals: [] });
  }
}

test('Claude Code is ready, works, asks and is answered', async () => {
  if (!FOLDER || !existsSync(join(CLAUDE, 'claude')) || !existsSync(MODEL)) {
    console.log(`skipped: ${FOLDER ? 'claude or aimock not in MUX_AGENTS' : 'MUX_AGENTS is not set'}`);
    return;
  }
  const home = new MuxHome({ config: 'screen: { hints: off }\n' });
  const port = await freePort();
  const fixtures = join(home.dir, 'fixtures');
  mkdirSync(fixtures);
  writeFileSync(join(fixtures, 'base.json'), JSON.stringify(FIXTURES));
  const model = spawn(MODEL, ['-p', String(port), '-f', fixtures, '-l', '20', '--chunk-size', '5'], {
    stdio: 'ignore',
  });
  const settings = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['mock-key'], rejected: [] },
    projects: { [home.work]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(home.dir, 'home/.claude.json'), JSON.stringify(settings));
  try {
    const { mux } = await startMux({ home, cols: 100, rows: 32 });
    const env = {
      PATH: `${CLAUDE}:${home.env['PATH']}`,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: 'mock-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
    const words = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    await home.ok('new', 'cl', '--agent', 'claude', ...words);
    const becomes = (state: string): Promise<unknown> =>
      until(
        state,
        async () => {
          const text = await home.ask('status', '-t', 'cl', '--json');
          const { status, need } = JSON.parse(text) as { status: string; need: string | null };
          return (need ?? status) === state;
        },
        { deadlineMs: START_MS, describe: () => mux.describe() },
      );
    await becomes('ready');
    await mux.waitFor('its prompt', '❯', START_MS);
    mux.type('tell me much');
    await mux.waitFor('what was typed', 'tell me much');
    mux.type('\r');
    await becomes('working');
    await becomes('ready');
    mux.type('make a file');
    await mux.waitFor('what was typed', 'make a file');
    mux.type('\r');
    await becomes('permission');
    await mux.waitFor('its dialog', 'Do you want to proceed?');
    // The screen may be seen before the hook has come.
    await until('what it asks is known', async () =>
      /"Bash: touch made"/.test(await home.ask('show', 'cl', '--json')),
    );
    mux.type('\r');
    await becomes('ready');
    assert.ok(existsSync(join(home.work, 'made')));
    await byMux(
      home,
      becomes,
      () => mux.type('make a file'),
      () => mux.type('\r'),
      () => mux.describe(),
    );
    mux.type('make a file');
    await mux.waitFor('what was typed', /❯ make a file/);
    mux.type('\r');
    await becomes('permission');
    // Its dialog takes no keys before it is drawn.
    await mux.waitFor('its dialog', 'Do you want to proceed?');
    mux.type('\x1b');
    await becomes('ready');
    await until('what it asked waits no more', async () => {
      const { approvals } = (await home.cli('approvals', '--json')).json();
      return approvals.length === 0;
    });
  } finally {
    model.kill();
    await home.end();
  }
});

test.run();
