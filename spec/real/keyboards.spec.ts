/**
 * Keys that have no byte of their own, from terminals with each keyboard protocol to programs that asked for one.
 */
// spec-timeout: 300
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as pause } from 'node:timers/promises';
import { ESCAPE, prefix } from '../support/keys.ts';
import { hasPrograms, MuxHome, startMux } from '../support/mux.ts';
import type { Keyboard, OuterTerminal } from '../support/outer-terminal.ts';
import { Reader } from '../support/reader.ts';

const test = suite('keyboards');
const running = new Map<Keyboard, Promise<Started>>();
test.after(async () => {
  for (const started of running.values()) await (await started).home.end();
});

interface Started {
  readonly home: MuxHome;
  readonly mux: OuterTerminal;
}

/** A mux on a terminal with that keyboard; the same one for every test. */
function start(keyboard: Keyboard): Promise<Started> {
  const started = running.get(keyboard) ?? startNew(keyboard);
  running.set(keyboard, started);
  return started;
}

async function startNew(keyboard: Keyboard): Promise<Started> {
  const home = new MuxHome();
  const { mux } = await startMux({ home, keyboard });
  if (keyboard === 'kitty') await mux.waitFor('the kitty keyboard', t => t.modes.kittyFlags === 5);
  if (keyboard === 'xterm') await mux.waitFor('modifyOtherKeys', t => t.modes.modifyOtherKeys === 2);
  return { home, mux };
}

/** A key as terminals send it by the kitty protocol and by modifyOtherKeys, and as a program without both reads it. */
interface Row {
  readonly key: string;
  readonly kitty: string;
  readonly other: string;
  readonly legacy: string;
}

function row(key: string, code: number, modifiers: number, legacy: string): Row {
  const other = `\x1b[27;${modifiers};${code}~`;
  return { key, kitty: `\x1b[${code};${modifiers}u`, other, legacy };
}

const F13 = 57376;
/** xterm's numbers for F13 to F24. */
const NUMBERS = [25, 26, 28, 29, 31, 32, 33, 34, 42, 43, 44, 45];

const ROWS: readonly Row[] = [
  row('Shift-Enter', 13, 2, '\x1b\r'),
  row('Ctrl-Enter', 13, 5, '\r'),
  row('Alt-Enter', 13, 3, '\x1b\r'),
  row('Alt-Backspace', 127, 3, '\x1b\x7f'),
  row('Ctrl-Space', 32, 5, '\0'),
  row('Ctrl-/', 47, 5, '\x1f'),
  row('Ctrl-i', 105, 5, '\t'),
  row('Ctrl-m', 109, 5, '\r'),
  row('Alt-x', 120, 3, '\x1bx'),
  ...NUMBERS.map((number, i) => {
    const legacy = `\x1b[${number}~`;
    return { key: `F${13 + i}`, kitty: `\x1b[${F13 + i}u`, other: legacy, legacy };
  }),
];

/** What programs print that want each protocol. */
const ASKS = { kitty: '\\e[>1u', other: '\\e[>4;2m', legacy: '' } as const;

for (const [keyboard, typed] of [
  ['kitty', 'kitty'],
  ['xterm', 'other'],
] as const) {
  test(`from a terminal with ${typed} keys every program reads the form it asked for`, async () => {
    const { home, mux } = await start(keyboard);
    for (const wanted of ['kitty', 'other', 'legacy'] as const) {
      const reader = await Reader.open(home, mux, ASKS[wanted]);
      for (const key of ROWS) await reader.arrives(key[typed], key[wanted], `${key.key} for ${wanted}`);
      await reader.close();
    }
  });
}

test('from a terminal that answers nothing legacy keys reach programs that asked for a protocol', async () => {
  const { home, mux } = await start('silent');
  const reader = await Reader.open(home, mux, ASKS.kitty);
  await reader.arrives('\x1b\x7f\0\x1f\x1b[25~ab\r', '\x1b[127;3u\x1b[32;5u\x1b[47;5u\x1b[57376uab\r');
  assert.is(mux.modes.kittyFlags, 0);
  assert.is(mux.modes.modifyOtherKeys, 0);
});

test('keys let go are told only to a program that asked, and only of keys it was given', async () => {
  const { home, mux } = await start('kitty');
  const silent = await Reader.open(home, mux, '\\e[>1u');
  await silent.hearsNothing('\x1b[13;2:3u\x1b[97;1:3u\x1b[57441;2u\x1b[57441;1:3u');
  const asked = await Reader.open(home, mux, '\\e[>3u');
  await asked.followed(7);
  await asked.arrives('\x1b[97;5:1u\x1b[97;5:2u\x1b[97;5:3u');
  // Enter has no release until all keys are sequences: its press may be a plain CR.
  await asked.arrives('\x1b[13;2u\x1b[13;2:3u', '\x1b[13;2u');
  // The prefix and the key behind it were mux's own, so their releases are too.
  await asked.hearsNothing('\x1b[98;5u\x1b[98;5:3u\x1b[27u\x1b[27;1:3u');
  const plain = await Reader.open(home, mux);
  await plain.hearsNothing('\x1b[13;1:3u\x1b[99;9u\x1b[57358u\x1b[57441;2u\x1b[27;9;99~');
});

test('a program that wants all keys with their text gets them, and the next program plain text', async () => {
  const { home, mux } = await start('kitty');
  const all = await Reader.open(home, mux, '\\e[>31u');
  await all.followed(31);
  await all.arrives('\x1b[97;;97u\x1b[97;1:3u\x1b[97:65;2;65u\x1b[57441;2u\x1b[13u\x1b[13;1:3u');
  const plain = await Reader.open(home, mux);
  await plain.followed(5);
  // Typed before the terminal heard of the change: still read as the keys they are.
  await plain.arrives('\x1b[97;;97u\x1b[97;1:3u\x1b[97:65;2;65u\x1b[13u\x1b[13;1:3u', 'aA\r');
});

test('the prefix, copy mode and prompts work by the kitty protocol: C-[ is Escape, C-m Enter', async () => {
  const { home, mux } = await start('kitty');
  mux.type('\x1b[98;5u[');
  const inMode = async (): Promise<string> =>
    (await home.ask('display-message', '-p', '#{pane_in_mode}')).trim();
  await mux.waitFor('copy mode', async () => (await inMode()) === '1');
  mux.type('\x1b[91;5u');
  await mux.waitFor('no copy mode', async () => (await inMode()) === '0');
  mux.type(prefix('['));
  await mux.waitFor('copy mode', async () => (await inMode()) === '1');
  mux.type('\x1b[27u');
  await mux.waitFor('no copy mode', async () => (await inMode()) === '0');
  // On a Cyrillic layout: the key where b is, then a prompt, text with shift, and Enter as C-m.
  mux.type('\x1b[1080::98;5u:rename-window -t : kitty\x1b[109;5u');
  await mux.waitFor('the window is renamed', async () =>
    /^kitty$/m.test(await home.ask('list-windows', '-F', '#{window_name}')),
  );
});

test('C-[ leaves copy mode where the terminal has modifyOtherKeys, too', async () => {
  const { home, mux } = await start('xterm');
  mux.type('\x1b[27;5;98~[');
  const inMode = async (): Promise<string> =>
    (await home.ask('display-message', '-p', '#{pane_in_mode}')).trim();
  await mux.waitFor('copy mode', async () => (await inMode()) === '1');
  mux.type('\x1b[27;5;91~');
  await mux.waitFor('no copy mode', async () => (await inMode()) === '0');
});

/** Everything that a terminal may send, once. */
const STREAM = [
  '\x1b[13;2u',
  '\x1b[1;5C',
  '\x1bOP',
  '\x1b[25~',
  '\x1b[<0;3;9M',
  '\x1b[<0;3;9m',
  '\x1bx',
  'é漢🍌',
];

test('every sequence byte by byte with pauses reaches the program whole, and leaks nothing', async () => {
  const { home, mux } = await start('kitty');
  await home.ask('set-option', 'escape-time', '1000');
  const reader = await Reader.open(home, mux, '\\e[>1u');
  const bytes = Buffer.from(STREAM.join(''));
  const wanted = '\x1b[13;2u\x1b[1;5C\x1b[P\x1b[57376u\x1b[120;3u' + Buffer.from('é漢🍌').toString('latin1');
  await reader.hears(async () => {
    for (const byte of bytes) {
      mux.type(Uint8Array.of(byte));
      // The pause of a slow line is what this is about: nothing can be waited for.
      await pause(30);
    }
  }, wanted);
  await home.ask('set-option', '-u', 'escape-time');
});

test('Escape, then a key later, are two keys', async () => {
  const { home, mux } = await start('silent');
  const reader = await Reader.open(home, mux);
  await reader.arrives(ESCAPE);
  await reader.arrives('x');
});

test('answers that nobody asked for, or that come late, are typed nowhere', async () => {
  const { home, mux } = await start('xterm');
  const reader = await Reader.open(home, mux);
  await reader.hearsNothing(
    '\x1b[?1u\x1b[?62;22c\x1b[>0;276;0c\x1b]11;rgb:0/0/0\x07\x1b[5;7R\x1b[?2026;2$y\x1bP>|foot(1)\x1b\\\x1b[>4;2m\x1b_Gi=1;OK\x1b\\',
  );
});

test('send-keys speaks what the program asked for', async () => {
  const { home, mux } = await start('kitty');
  const kitty = await Reader.open(home, mux, '\\e[>1u');
  await kitty.hears(() => home.ask('send-keys', 'S-Enter', 'C-i', 'F13'), '\x1b[13;2u\x1b[105;5u\x1b[57376u');
  const other = await Reader.open(home, mux, '\\e[>4;2m');
  await other.hears(
    () => home.ask('send-keys', 'S-Enter', 'C-i', 'F13'),
    '\x1b[27;2;13~\x1b[27;5;105~\x1b[25~',
  );
  const plain = await Reader.open(home, mux, '\\e[?1h');
  await plain.hears(() => home.ask('send-keys', 'S-Enter', 'C-i', 'F13', 'Up'), '\x1b\r\t\x1b[25~\x1bOA');
});

test('the keypad has its own sequences for a program that asked (DECKPAM)', async () => {
  const { home, mux } = await start('silent');
  const reader = await Reader.open(home, mux, '\\e=');
  await mux.waitFor('the terminal follows', t => t.modes.applicationKeypad);
  await reader.arrives('\x1bOp\x1bOM');
  await Reader.open(home, mux);
  await mux.waitFor('and goes back', t => !t.modes.applicationKeypad);
});

test('vim is told Shift-Enter, Ctrl-Enter and F13 apart', async () => {
  if (!hasPrograms('vim')) return;
  const { home, mux } = await start('kitty');
  const maps = ['<S-CR> [shift]', '<C-CR> [ctrl]', '<C-Space> [space]', '<M-BS> [back]'];
  const commands = maps.map(map => `-c 'imap ${map}'`).join(' ');
  await home.ask('new-window', `vim -u NONE -i NONE -N -n -c 'set timeoutlen=50' ${commands}`);
  await mux.waitFor('vim', /^~$/m);
  mux.type('i\x1b[13;2u\x1b[13;5u\x1b[32;5u\x1b[127;3uend');
  await mux.waitFor('the keys', /^\[shift\]\[ctrl\]\[space\].*end$/m);
  mux.type('\x1b[27u:q!\r');
  await mux.waitFor('vim has ended', 'exit 0');
});

test('who leaves before a terminal far away has answered finds no answer typed at the prompt', async () => {
  const { home } = await start('kitty');
  const far = home.start({ keyboard: 'far', args: ['attach', 'nobody'] });
  assert.not.equal(await far.ended(), 0);
  await far.waitFor('it has answered', t => t.answers > 0);
  // What is typed is echoed there, so an answer would be seen before this.
  far.type('typed later');
  await far.waitFor('the shell echoes', 'typed later');
  assert.match(far.text(), /nobody/);
  assert.not.match(far.text(), /\^\[|62;22/);
});

for (const keyboard of ['kitty', 'xterm', 'silent'] as const) {
  test(`a terminal with the keyboard of ${keyboard} gets it back as it was`, async () => {
    const { mux } = await start(keyboard);
    mux.type(prefix('d'));
    assert.is(await mux.ended(), 0);
    assert.is(mux.modes.kittyFlags, 0);
    assert.is(mux.modes.modifyOtherKeys, 0);
    assert.not.ok(mux.modes.applicationKeypad);
  });
}

test.run();
