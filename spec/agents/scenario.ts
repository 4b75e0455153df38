/**
 * What every agent must live through in mux, whichever it is: one session from its start to its resumption.
 */
import { existsSync, rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prefix } from '../support/keys.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';
import { Bed, isInstalled, SESSION, type AgentUnderTest } from './bed.ts';
import { ANSWER, HOLD, MAKE_FILE, THINKING } from './model.ts';

/** Shift and Enter as the kitty keyboard protocol sends them. */
const SHIFT_ENTER = '\x1b[13;2u';
/** Some hundred kilobytes: more than one read of a terminal holds, and what people paste of logs. */
const PASTED_LINES = 3000;
/** An agent that draws anew does it within some frames; nothing tells when it has. */
const WIDTH_MS = 20_000;

/** Rules of agents are as wide as their pane: one that is wider would go on in the next row. */
const fits = (terminal: OuterTerminal): boolean =>
  !terminal.screen().some(row => /^[^─]*─{1,8} *$/.test(row));

interface Shown {
  readonly pid: number;
  readonly conversation_id: string | null;
}

/** Runs it for one agent; without the agent one test that says so. */
export function scenario(agent: AgentUnderTest): void {
  const test = suite(`${agent.name}, the real one`);
  if (!isInstalled(agent.name)) {
    test.skip('it is not here', () => undefined);
    test.run();
    return;
  }
  const bed = new Bed(agent);
  const { home, model } = bed;
  const show = async (): Promise<Shown> => JSON.parse(await home.ask('show', SESSION, '--json')) as Shown;
  test.before(() => bed.start());
  test.after(() => bed.end());

  test('it works while the model thinks, and is ready when it has answered', async () => {
    await bed.say(`please ${HOLD}`);
    const { at } = await bed.asked(HOLD);
    await bed.becomes('working');
    // Its hook may tell before the model is asked.
    await bed.cameSoon('working', at, at - 5000);
    await bed.mux.waitFor('what the model said so far', THINKING);
    assert.is(await bed.state(), 'working', await home.ask('status', '-t', SESSION, '--explain'));
    model.letGo();
    await bed.becomes('ready');
    await bed.cameSoon('ready', model.last!.answeredAt!);
    await bed.mux.waitFor('the answer', ANSWER);
  });

  test('Shift-Enter begins a new line of what is typed', async () => {
    bed.mux.type('first line');
    await bed.mux.waitFor('the first line', 'first line');
    await bed.standsStill();
    bed.mux.type(SHIFT_ENTER);
    await bed.say('second line');
    const { prompt } = await bed.asked('second line');
    assert.is(prompt, 'first line\nsecond line');
    await bed.becomes('ready');
  });

  test('a big paste reaches the model whole', async () => {
    const lines = Array.from({ length: PASTED_LINES }, (_, i) => `pasted ${i} ünï 宽 ${'x'.repeat(i % 50)}`);
    const before = bed.mux.text();
    bed.mux.type(`\x1b[200~${lines.join('\r')}\x1b[201~`);
    await bed.mux.waitFor('something of it', () => bed.mux.text() !== before);
    await bed.mux.waitFor('all of it', /paste|pasted 2999/i);
    await bed.say(' the end of it');
    const { prompt } = await bed.asked('the end of it');
    const start = prompt.indexOf('pasted 0 ');
    assert.is(prompt.slice(start, start + lines.join('\n').length), lines.join('\n'));
    await bed.becomes('ready');
  });

  if (agent.dialog) asks(test, bed, agent.dialog);
  else
    test('it runs its tools without asking', async () => {
      const turns = model.turns.length;
      await bed.say(MAKE_FILE);
      await until('its tool has run', () => existsSync(bed.made));
      await until(
        'the model has answered to the result',
        () => model.turns.length > turns + 1 && model.last?.answeredAt,
      );
      await bed.cameSoon('ready', model.last!.answeredAt!);
      await bed.becomes('ready');
    });

  test('it draws itself anew for another width, and back', async () => {
    for (const [cols, rows] of [
      [70, 24],
      [100, 32],
    ] as const) {
      const before = await home.focused();
      bed.mux.resize(cols, rows);
      await until('its pane has another width', async () => (await home.focused()).cols !== before.cols);
      await bed.mux.waitFor('its prompt', agent.prompt);
      await bed.mux.waitFor('nothing of it is cut off', fits, WIDTH_MS);
      await bed.becomes('ready');
    }
  });

  test('it goes on while nobody is attached', async () => {
    await bed.say(`${HOLD} while I am away`);
    await bed.asked('while I am away');
    await bed.becomes('working');
    bed.mux.type(prefix('d'));
    assert.is(await bed.mux.ended(), 0);
    assert.is(await bed.state(), 'working');
    model.letGo();
    await bed.becomes('ready');
    await bed.cameSoon('ready', model.last!.answeredAt!);
    await bed.attach();
    await bed.mux.waitFor('what it said meanwhile', ANSWER);
    await bed.mux.waitFor('its prompt', agent.prompt);
  });

  test('SIGKILL of the server is nothing to it, and its state is right afterwards', async () => {
    const { pid } = await show();
    await bed.say(`${HOLD} once more`);
    await bed.asked('once more');
    await bed.becomes('working');
    const server = await home.serverPid();
    process.kill(server, 'SIGKILL');
    home.forgetLine();
    await until('the next server', async () => {
      const status = await home.cli('--json', 'server', 'status');
      return status.status === 0 && status.json().server_pid !== server;
    });
    assert.is((await show()).pid, pid);
    await bed.becomes('working');
    model.letGo();
    await bed.becomes('ready');
    await bed.cameSoon('ready', model.last!.answeredAt!);
    await bed.say('are you still there');
    await bed.asked('are you still there');
    await bed.becomes('ready');
  });

  test('stopped and resumed it goes on with its conversation', async () => {
    const { conversation_id, pid } = await show();
    assert.ok(conversation_id, 'its id is known');
    await home.ok('stop', SESSION);
    await bed.becomes('stopped');
    await home.ok('resume', SESSION);
    await bed.becomes('ready');
    assert.is.not((await show()).pid, pid);
    await bed.mux.waitFor('its prompt', agent.prompt);
    await bed.say('what did I say');
    const { said } = await bed.asked('what did I say');
    assert.ok(said.some(({ text }) => text.includes('first line\nsecond line')));
    await bed.becomes('ready');
    assert.is((await show()).conversation_id, conversation_id);
  });

  test.run();
}

/** It asks before it runs a tool: allowed and refused in its own dialog, and by mux where it has a hook for that. */
function asks(test: ReturnType<typeof suite>, bed: Bed, dialog: NonNullable<AgentUnderTest['dialog']>): void {
  const { home, model, made } = bed;
  const waiting = async (): Promise<{ id: string; command: string }[]> =>
    (await home.cli('approvals', '--json')).json().approvals;
  const ask = async (): Promise<void> => {
    rmSync(made, { force: true });
    await until('nothing waits from before', async () => (await waiting()).length === 0);
    const turns = model.turns.length;
    await bed.say(MAKE_FILE);
    await until('the model has asked', () => model.turns.length > turns && model.last?.answeredAt);
    await bed.becomes('permission');
    await bed.cameSoon('permission', model.last!.answeredAt!);
    // Its dialog takes no keys before it is drawn.
    await bed.mux.waitFor('its dialog', dialog.shows);
  };

  for (const [name, key] of [
    ['allowed', dialog.yes],
    ['refused', dialog.no],
  ] as const)
    test(`it asks for permission, and is ${name} in its own dialog`, async () => {
      await ask();
      bed.mux.type(key);
      if (name === 'allowed') await until('its tool has run', () => existsSync(made));
      await bed.becomes('ready');
      assert.is(existsSync(made), name === 'allowed');
      await until('what it asked waits no more', async () => (await waiting()).length === 0);
    });

  if (!bed.agent.asksByHook) return;
  for (const verdict of ['approve', 'deny'])
    test(`what it asks is answered by mux: ${verdict}`, async () => {
      await ask();
      const first = await until('its wish waits', async () => (await waiting())[0]);
      assert.is(first.command, 'touch made');
      await home.ok(verdict, first.id);
      if (verdict === 'approve') await until('its tool has run', () => existsSync(made));
      await bed.becomes('ready');
      assert.is(existsSync(made), verdict === 'approve');
      assert.equal(await waiting(), []);
    });
}
