/**
 * capture-pane and display-message against tmux: the same programs run in both, in panes of the same size.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../lib/term/emulator.ts';
import { captureLines } from '../../lib/term/text-dump.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';
import { has, Mux } from './mux.ts';
import { Tmux } from './tmux.ts';

const test = suite('what a pane shows is told as in tmux');

const COLS = 40;
const ROWS = 10;
const numbered = (n: number): string => Array.from({ length: n }, (_, i) => `line ${i}\r\n`).join('');

/** What a program writes. Each ends with END. */
const OUTPUT: Readonly<Record<string, string>> = {
  'plain text': 'hello\r\nworld\r\nEND',
  'colours and attributes':
    '\x1b[31mred\x1b[0m plain \x1b[1;4mbold\x1b[22m under\x1b[0m\r\n\x1b[38;5;208mindexed\x1b[48;2;1;2;3mtrue\x1b[m\r\n\x1b[7minverse\x1b[27m \x1b[3mitalic\x1b[0m \x1b[9mstruck\x1b[0m\r\nEND',
  'bright colours': '\x1b[91mred\x1b[104mon blue\x1b[0m\r\n\x1b[2mdim\x1b[0m\r\nEND',
  'lines that wrap': `${'abcdefghij'.repeat(9)}\r\nshort\r\n${'x'.repeat(COLS)}\r\n${'y'.repeat(COLS + 1)}\r\nEND`,
  'wide characters': '日本語 text\r\nk\u0301 e\u0301\r\nEND',
  'a wide character at the edge': `${'a'.repeat(COLS - 1)}日\r\nEND`,
  'trailing blanks': 'abc   \r\n   \r\n\tafter a tab\r\nEND',
  'a gap in a line': 'a\x1b[10Cb\x1b[2;5Hc\x1b[4;1HEND',
  history: `${numbered(30)}END`,
  'erased lines': 'one\r\ntwo\r\nthree\x1b[2;1H\x1b[K\x1b[4;1HEND',
  'scrolled with colour': `\x1b[32m${numbered(15)}\x1b[mEND`,
};

/** Flags of capture-pane that must give the same, byte for byte. */
const TEXT_FLAGS: readonly string[] = [
  '-p',
  '-p -J',
  '-p -S -',
  '-p -S -5',
  '-p -S -5 -E 2',
  '-p -S 1 -E 2',
  '-p -S 2 -E 2',
  '-p -E -1',
  '-p -S -1000 -E -',
  '-p -J -S -',
  '-p -S 8 -E 100',
];
/** With -e the same must be seen when it is printed; the sequences themselves are each program's own. */
const STYLED_FLAGS: readonly string[] = ['-p -e', '-p -e -S -', '-p -e -J'];
/** Formats with the same answer. */
const FORMATS: readonly string[] = [
  'pane_width',
  'pane_height',
  'pane_index',
  'pane_active',
  'pane_dead',
  'pane_in_mode',
  'window_index',
  'window_name',
  'window_active',
  'window_panes',
  'window_width',
  'window_height',
  'window_zoomed_flag',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'history_size',
  'alternate_on',
  'pane_current_path',
  'pane_current_command',
  'pane_left',
  'pane_top',
];

const MARK = '====';

/** Makes a window for each output, and answers every question about each. */
class Asker {
  readonly #run: (words: readonly string[]) => string | Promise<string>;
  readonly #folder: string;

  constructor(folder: string, run: (words: readonly string[]) => string | Promise<string>) {
    this.#folder = folder;
    this.#run = run;
  }

  async start(): Promise<void> {
    for (const i of Object.keys(OUTPUT).keys()) {
      const window = [
        'new-window',
        '-d',
        '-n',
        `w${i}`,
        '-c',
        this.#folder,
        'sh',
        join(this.#folder, `${i}.sh`),
      ];
      await this.#run([...window, ';', 'resize-window', '-t', `:w${i}`, '-x', `${COLS}`, '-y', `${ROWS}`]);
    }
    writeFileSync(join(this.#folder, 'go'), '');
    await until('every program has written all', async () => {
      const shown = await this.ask([...Object.keys(OUTPUT).keys()].map(i => `capture-pane -p -t :w${i}`));
      return shown.every(text => text.includes('END'));
    });
  }

  async ask(commands: readonly string[]): Promise<string[]> {
    const words = commands.flatMap(line => [...line.split(' '), ';', 'display-message', '-p', MARK, ';']);
    const answers = (await this.#run(words.slice(0, -1))).split(`${MARK}\n`);
    return answers.slice(0, -1);
  }
}

/** What is on a screen that was sent `text`, in one spelling. */
function seen(text: string): string[] {
  const emulator = new Emulator({
    cols: 400,
    rows: 100,
    historyLines: 0,
    version: '',
    hostname: '',
    termName: '',
  });
  emulator.write(Buffer.from(text.replaceAll('\n', '\r\n')));
  return captureLines(emulator, { escapes: true });
}

if (has('tmux')) {
  const folder = tempDir();
  const questions = Object.keys(OUTPUT).flatMap((_, i) => [
    ...[...TEXT_FLAGS, ...STYLED_FLAGS].map(flags => `capture-pane ${flags} -t :w${i}`),
    ...FORMATS.map(name => `display-message -p -t :w${i} #{${name}}`),
  ]);
  const ours = new Map<string, string>();
  const theirs = new Map<string, string>();

  test('both answer all questions', async () => {
    for (const [i, text] of Object.values(OUTPUT).entries()) {
      writeFileSync(join(folder, `${i}.txt`), text);
      const script = `while [ ! -e ${folder}/go ]; do sleep 0.05; done\ncat ${folder}/${i}.txt\nexec sleep 1000\n`;
      writeFileSync(join(folder, `${i}.sh`), script);
    }
    const mux = new Mux();
    await mux.ok('--detach', '--', 'cat');
    const asker = new Asker(folder, words => mux.ok(...words));
    await asker.start();
    (await asker.ask(questions)).forEach((answer, i) => ours.set(questions[i]!, answer));
    await mux.stop();
    const tmux = new Tmux();
    const other = new Asker(folder, words => tmux.run([...words]));
    await other.start();
    for (let at = 0; at < questions.length; at += 50) {
      const some = questions.slice(at, at + 50);
      (await other.ask(some)).forEach((answer, i) => theirs.set(some[i]!, answer));
    }
    tmux.stop();
    assert.is(ours.size, questions.length);
    assert.is(theirs.size, questions.length);
  });

  for (const [i, name] of Object.keys(OUTPUT).entries()) {
    test(name, () => {
      const told = (answers: Map<string, string>): string[] =>
        questions
          .filter(question => question.includes(`-t :w${i}`) && question.split(' ').includes(`:w${i}`))
          .map(question => {
            const answer = answers.get(question) ?? 'nothing';
            return `${question}: ${JSON.stringify(question.includes(' -e') ? seen(answer) : answer)}`;
          });
      assert.equal(told(ours), told(theirs));
    });
  }
} else {
  test('there is nothing to compare with', () => undefined);
}
test.run();
