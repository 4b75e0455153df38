/**
 * Agents as they are, where MUX_AGENTS names a folder with NAME/node_modules/.bin/NAME: each starts in mux without waiting
 * for an answer, and shows what it shows on a bare terminal. No account and no network is needed for that.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { seenDifferences } from '../support/seen.ts';

const test = suite('agents');
const FOLDER = process.env['MUX_AGENTS'];
/** Rows of chrome above a pane: tabs and header. */
const ABOVE = 2;
/** A screen that has not changed for so long is the agent's first. */
const STILL_MS = 2000;
/** How much longer an agent may take in mux: one unanswered question costs a second. */
const SLACK_MS = 900;
/** Agents load for seconds, and for many on a machine that does other things too. */
const START_MS = 60_000;
/** Settings under which each starts without account, network or questions about updates. */
const AGENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  codex: {},
  pi: { PI_OFFLINE: '1' },
};

const home = new MuxHome({ config: 'screen:\n  hints: off\n' });
test.after(() => home.end());

/** Waits until a screen that shows something stands still; resolves with the ms it took to get there. */
async function firstScreen(terminal: OuterTerminal, isDrawn: () => boolean): Promise<number> {
  const start = performance.now();
  let last = '';
  let since = start;
  await terminal.waitFor(
    'the first screen stands still',
    () => {
      const text = terminal.dump();
      if (text !== last) since = performance.now();
      last = text;
      return isDrawn() && performance.now() - since > STILL_MS;
    },
    START_MS,
  );
  return since - start;
}

for (const [name, settings] of Object.entries(AGENTS)) {
  test(`${name} starts, asks, and looks as on a bare terminal`, async () => {
    const program = FOLDER && join(FOLDER, name, 'node_modules/.bin', name);
    if (!program || !existsSync(program)) {
      console.log(`skipped: ${name}: ${FOLDER ? 'not in MUX_AGENTS' : 'MUX_AGENTS is not set'}`);
      return;
    }
    const { mux } = await startMux({ home, cols: 90, rows: 32, env: { TERM: 'xterm-kitty' } });
    const pane = await home.focused();
    const command = `exec env ${Object.entries(settings).map(([k, v]) => `${k}=${v}`).join(' ')} ${program}`; // prettier-ignore
    const bare = home.run(['sh', '-c', command], { cols: pane.cols, rows: pane.rows });
    const alone = await firstScreen(bare, () => bare.text().trim() !== '');
    const id = (await home.ask('new-window', '-P', '-F', '#{pane_id}', command)).trim();
    const paneText = (): string => mux.screen().slice(ABOVE).join('').trim();
    const inMux = await firstScreen(mux, () => paneText() !== '');
    assert.is(seenDifferences(mux.emulator, bare.emulator, { x: pane.left, y: pane.top + ABOVE }), '');
    assert.ok(inMux < alone * 2 + SLACK_MS, `${Math.round(inMux)} ms in mux, ${Math.round(alone)} ms alone`);
    bare.close();
    await home.ask('kill-pane', '-t', id);
  });
}

test.run();
