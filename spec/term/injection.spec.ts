/**
 * Whoever prints into a pane (a file that is shown, a page that is fetched) chooses bytes. None of the answers that a
 * terminal gives may carry them: they would be typed into the shell.
 */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Recorder } from './terminal.ts';

const test = suite('injection');
const ST = '\x1b\\';

/** What the program would like to have typed. */
const WORD = 'touch PWNED';
const TEXTS = [WORD, `${WORD}\r`, `\r${WORD}\n`, `;${WORD}`, `"${WORD}"`, `\x08${WORD}`] as const;
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** Ways to set something to a text, and to ask for it. */
const WAYS: readonly ((text: string) => string)[] = [
  text => `\x1b]0;${text}\x07\x1b]1;${text}\x07\x1b]2;${text}\x07\x1b[20t\x1b[21t\x1b[22t\x1b[23t\x1b[21t`,
  text => `\x1bP$q${text}${ST}`,
  text => `\x1bP$qm${text}${ST}`,
  text => `\x1bP+q${hex(text)}${ST}`,
  text => `\x1bP+q${text}${ST}`,
  text => `\x1b]10;${text}\x07\x1b]10;?\x07\x1b]4;1;${text}\x07\x1b]4;1;?\x07\x1b]4;${text};?\x07`,
  text => `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07\x1b]52;c;?\x07`,
  text => `\x1b]7;file://${text}/${text}\x07\x1b]8;id=${text};http://${text}\x07`,
  text => `\x1b]50;${text}\x07\x1b]50;?\x07\x1b]702;?\x07`,
  text => `\x1b[?${text}$p\x1b[${text}n\x1b[?${text}u\x1b[>${text}q`,
  text => `\x05\x1b]9;${text}\x07\x1b]99;i=${text}:p=?;\x07\x1b]777;notify;${text};${text}\x07`,
  text => `\x1b_Ga=q,i=31;${text}${ST}\x1b_G${text},a=q;AAAA${ST}\x1b^${text}${ST}\x1bX${text}${ST}`,
  text => `\x1b[?1;1;${text}S\x1b[1;1;1;1;1;1*y\x1b[?26;${text}n\x1b[&${text}u`,
];

test('a terminal answers nothing that the program chose, however it asks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...WAYS), fc.constantFrom(...TEXTS)), { minLength: 1, maxLength: 6 }),
      list => {
        const terminal = new Recorder();
        terminal.write(list.map(([way, text]) => way(text)).join(''));
        const said = terminal.replies;
        // A hexadecimal name is given back as it came: no shell takes it for a command.
        assert.not.match(said, /touch|PWNED/, JSON.stringify(said));
        assert.not.match(said, /[\r\n\x08]/, JSON.stringify(said));
        assert.equal(terminal.faults, []);
      },
    ),
    { numRuns: 300 },
  );
});

test('each way by itself, and the screen goes on', () => {
  for (const way of WAYS)
    for (const text of TEXTS) {
      const terminal = new Recorder().write(`${way(text)}\x1b\\\x1b[2J\x1b[Hafter`);
      assert.not.match(terminal.replies, /touch|PWNED|[\r\n]/);
      assert.equal(terminal.text()[0]?.slice(0, 5), 'after', JSON.stringify(way(text)));
    }
});

test.run();
