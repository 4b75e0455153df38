/**
 * What programs in panes may do with the clipboard of the terminal outside (OSC 52), by the option.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTER } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('clipboard of the terminal outside');
const home = new MuxHome();
test.after(() => home.end());
const copied: string[] = [];
let mux: OuterTerminal;

/** Has the program copy a word, and says so on its screen afterwards. */
async function copy(word: string): Promise<void> {
  const base64 = Buffer.from(word).toString('base64');
  mux.type(`clear; printf '\\033]52;c;${base64}\\033\\\\did %s\\n' ${word.length}` + ENTER);
  await mux.waitFor('it has copied', `did ${word.length}`);
}

test('OSC 52 from a pane stops: by default it reaches the terminal that is attached', async () => {
  ({ mux } = await startMux({ home, cols: 100, rows: 20 }));
  mux.emulator.onSignal(signal => {
    if (signal.type === 'clipboard') copied.push(Buffer.from(signal.data).toString());
  });
  await copy('first');
  await mux.waitFor('the clipboard', () => copied.includes('first'));
});

test('asked first, yes lets it and no does not', async () => {
  await home.ok('set-option', 'set-clipboard', 'ask');
  await copy('second');
  await mux.waitFor('the question', /wants to copy 6 bytes/);
  assert.not(copied.includes('second'));
  mux.type('y');
  await mux.waitFor('the clipboard', () => copied.includes('second'));
  await copy('unwanted');
  await mux.waitFor('the question', /wants to copy 8 bytes/);
  mux.type('n');
  await mux.waitFor('no question', terminal => !terminal.text().includes('wants to copy'));
});

test('turned off, nothing is copied', async () => {
  await home.ok('set-option', 'set-clipboard', 'off');
  await copy('nothing!!');
  await home.ok('set-option', 'set-clipboard', 'write');
  await copy('last');
  await mux.waitFor('the clipboard', () => copied.includes('last'));
  assert.equal(copied, ['first', 'second', 'last']);
});

test('OSC 52 read blocks the program: it is told nothing, at once', async () => {
  mux.type(
    `clear; printf '\\033]52;c;?\\033\\\\'; IFS= read -rs -d '\\' -t 10 x; printf '%q\\n' "$x"` + ENTER,
  );
  await mux.waitFor('the answer', /\$'\\E\]52;c;\\E'/);
});

test('an empty OSC 52 wipes the clipboard: it is ignored', async () => {
  mux.type(`clear; printf '\\033]52;c;\\033\\\\done'` + ENTER);
  await mux.waitFor('its end', /│done/);
  await copy('after');
  await mux.waitFor('the clipboard', () => copied.includes('after'));
  assert.equal(copied.slice(-2), ['last', 'after']);
});

test.run();
