/**
 * After a program that was killed with everything turned on: the shell behind it is typed what a person types, and
 * nothing else.
 */
// spec-timeout: 300
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_MODES } from '../support/no-modes.ts';
import { hasPrograms, MuxHome, PROMPT, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

const test = suite('a program that was killed');
const home = new MuxHome({
  files: {
    // What an agent sets, and what an editor does to the screen.
    'victim.sh':
      "printf '\\033[?1049h\\033[?1003h\\033[?1006h\\033[?1004h\\033[?2004h\\033[?1h\\033=\\033[>31u\\033[>4;2m\\033[?25l'\n" +
      "printf '\\033[?2031h\\033[2;4r\\033[Hvictim'\n" +
      'stty -echo -icanon\necho $$ >pid\nexec cat >/dev/null\n',
  },
});
test.after(() => home.end());
let mux: OuterTerminal;

/** Starts the program from a shell, and kills it once it is shown. */
async function killed(command = 'sh ./victim.sh'): Promise<void> {
  const file = join(home.work, 'pid');
  mux.type(`rm -f pid; clear; echo before; ${command}\r`);
  await mux.waitFor('it is there', t => t.text().includes('victim') && !t.text().includes('before'));
  await mux.waitFor('its pid', () => existsSync(file) && readFileSync(file, 'latin1').endsWith('\n'));
  process.kill(Number(readFileSync(file, 'latin1')), 'SIGKILL');
}

test('after a crash the shell fills with 35;72;12M: a killed program leaves no mode behind, and the shell is seen', async () => {
  ({ mux } = await startMux({ home }));
  await killed();
  await mux.waitFor('the prompt below what was there before', t => /before[^]*\$ *$/m.test(t.text()));
  await mux.waitFor('the terminal is asked for no more', t => t.modes.mouseTracking === 'drag');
  assert.is(mux.modes.kittyFlags & ~5, 0);
  assert.is(mux.cursor.visible, true);
  mux.type('\x1b[<35;10;10M\x1b[O\x1b[I\x1b[<0;10;10M\x1b[<0;10;10m');
  mux.resize(90, 24);
  mux.type('echo "is $((40+2))"\r');
  await mux.waitFor('only that was typed', /\$ echo "is [^]*\nis 42$/m);
  assert.not.match(mux.text(), /\d;\d+M|\[I|\[O|\d+u/);
});

test('a shell without a line editor is typed no mouse and focus reports either', async () => {
  if (!hasPrograms('dash')) return;
  await home.ok('new-window', "PS1='% ' exec dash -i");
  await mux.waitFor('dash', /^% $|^%$/m);
  await killed();
  await mux.waitFor('it has died', t => t.text().includes('Killed') || t.modes.mouseTracking === 'drag');
  mux.type('\x1b[<35;10;10M\x1b[<35;11;10M\x1b[O\x1b[I');
  mux.resize(80, 24);
  mux.type("printf 'is %s\\n' $((40+2)) >answer\r");
  const file = join(home.work, 'answer');
  await mux.waitFor('the answer', () => existsSync(file) && readFileSync(file, 'latin1') === 'is 42\n');
  await home.ok('kill-window');
});

test('a program that is stopped, and one that a script runs after another, keep what they have set', async () => {
  await mux.waitFor('bash', PROMPT);
  const script = 'clear; sh -c \'printf "\\033[?1003h\\033[?1006h"; read _; kill -STOP $$; echo again; cat\'';
  mux.type(`${script}\r`);
  await mux.waitFor('set', t => t.modes.mouseTracking === 'any');
  mux.type('\r');
  await mux.waitFor('stopped', /^\[1\]\+ +Stopped/m);
  assert.is(mux.modes.mouseTracking, 'any');
  mux.type('fg\r');
  await mux.waitFor('again', /^again$/m);
  assert.is(mux.modes.mouseTracking, 'any');
  mux.type('\x03');
  await mux.waitFor('over', t => t.modes.mouseTracking === 'drag');
  mux.type('clear; sh -c \'tput smcup; sh -c "echo inner; cat"; tput rmcup\'\r');
  await mux.waitFor('inside', /^inner/m);
  assert.is((await home.ask('display-message', '-p', '#{alternate_on}')).trim(), '1');
  mux.type('\x03');
  await mux.waitFor('the prompt', PROMPT);
});

test('what the shell itself has set stays', async () => {
  mux.type("clear; printf '\\033[?1003h\\033[?1006h'\r");
  await mux.waitFor('set', t => t.modes.mouseTracking === 'any');
  mux.type('true\r\r');
  await mux.waitFor('three prompts', t => t.text().split(/^\$/m).length > 3);
  assert.is(mux.modes.mouseTracking, 'any');
  mux.type("printf '\\033[?1003l'\r");
  await mux.waitFor('taken back', t => t.modes.mouseTracking === 'drag');
  assert.equal(NO_MODES.mouseTracking, 'none');
});

test.run();
