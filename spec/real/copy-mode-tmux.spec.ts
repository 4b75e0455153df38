/**
 * The same actions on the same text, here and in tmux: the cursor ends at the same place, the same text is copied.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Played } from '../mode/copy/play.ts';
import { hasPrograms } from '../support/mux.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

const test = suite('copy mode beside tmux');
const COLS = 24;
const ROWS = 8;

const TEXT = [
  'first line of all',
  '',
  '',
  'int main(int argc, char **argv) {',
  '    printf("hello %d\\n", f(a[0], {b}));',
  '}',
  '',
  'foo_bar baz-qux  two  blanks',
  'word   ',
  'a line that is so long that it wraps around more than once, really',
  '  indented, with trailing   ',
  '漢字 and kana かな, mixed',
  'exactly twenty four cols',
  'after it',
  '',
  'ünïcödé e\u0301 done.',
  'x',
  'last (but one)',
  'the last line',
].join('\n');

interface Outcome {
  readonly at: string;
  readonly copied: string;
}

/** tmux with the text in a window of its own. */
class Tmux {
  readonly #dir = tempDir({});
  readonly #socket = join(this.#dir, 'tmux');
  readonly #copied = join(this.#dir, 'copied');

  constructor(text: string) {
    const file = join(tempDir({ text: text.replaceAll('\n', '\r\n') }), 'text');
    const size = ['-x', String(COLS), '-y', String(ROWS)];
    this.run(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      ...size,
      `stty raw -echo; cat ${file}; printf '\\033]2;done\\007'; exec cat`,
    );
    this.run('set', '-g', 'status', 'off', ';', 'resize-window', ...size);
  }

  run(...words: readonly string[]): string {
    const env = { ...process.env, LC_ALL: 'C.UTF-8', TMUX: undefined };
    return execFileSync('tmux', ['-S', this.#socket, '-u', ...words], { encoding: 'utf8', env });
  }

  /**
   * Runs each list of actions in a fresh copy mode: the cursor, its row counted from the top of the screen, and what was
   * copied. Many in one call: a program started for each would take most of the time.
   */
  play(lists: readonly (readonly string[])[], keys: 'vi' | 'emacs'): Outcome[] {
    const starts = Array.from({ length: Math.ceil(lists.length / AT_ONCE) }, (_, i) => i * AT_ONCE);
    return starts.flatMap(start => this.#play(lists.slice(start, start + AT_ONCE), keys));
  }

  #play(lists: readonly (readonly string[])[], keys: 'vi' | 'emacs'): Outcome[] {
    const words = ['set', '-gw', 'mode-keys', keys];
    for (const [n, actions] of lists.entries()) {
      words.push(';', 'copy-mode', '-q', ';', 'set-buffer', NOTHING, ';', 'copy-mode');
      for (const action of actions) {
        const [, count, name = '', argument] = /^(?:(\d+) )?(\S+)(?: (.*))?$/s.exec(action)!;
        const rest = argument === undefined ? [] : [argument];
        words.push(';', 'send-keys', '-N', count ?? '1', '-X', name, ...rest);
      }
      const place = '#{copy_cursor_x} #{copy_cursor_y} #{scroll_position}';
      words.push(';', 'save-buffer', `${this.#copied}-${n}`, ';', 'display-message', '-p', place);
    }
    const places = this.run(...words)
      .trim()
      .split('\n');
    return places.map((line, n) => {
      const [x, y, scroll] = line.split(' ');
      const copied = readFileSync(`${this.#copied}-${n}`, 'utf8');
      return { at: `${x},${Number(y) - Number(scroll)}`, copied: copied === NOTHING ? '' : copied };
    });
  }
}

/** Lists of actions in one call: tmux takes no command line of more than 16 KiB. */
const AT_ONCE = 20;
/** In the newest buffer before anything is copied. */
const NOTHING = '(nothing)';
const AT_START = ['history-top'];

/** Runs of actions that end at the same place. */
const MOTIONS: readonly (readonly string[])[] = [
  ...['next-word', 'next-word-end', 'next-space', 'next-space-end'].flatMap(name =>
    [1, 2, 3, 5, 8, 13, 21, 29, 36, 44].map(n => [...AT_START, `${n} ${name}`]),
  ),
  ...['previous-word', 'previous-space'].flatMap(name =>
    [1, 2, 3, 5, 8, 13, 21, 29, 38].map(n => ['history-bottom', `${n} ${name}`]),
  ),
  ...['next-paragraph'].flatMap(name => [1, 2, 3, 4, 5, 6].map(n => [...AT_START, `${n} ${name}`])),
  ...['previous-paragraph'].flatMap(name => [1, 2, 3, 4, 5].map(n => ['history-bottom', `${n} ${name}`])),
  ...[3, 9, 10, 14, 17].flatMap(n =>
    ['start-of-line', 'end-of-line', 'back-to-indentation'].map(name => [
      ...AT_START,
      `${n} cursor-down`,
      name,
    ]),
  ),
  ...[1, 7, 20].flatMap(n => [
    [...AT_START, `${n} cursor-right`],
    ['history-bottom', `${n} cursor-left`],
  ]),
  ...['top-line', 'middle-line', 'bottom-line', 'history-top', 'history-bottom'].map(name => [
    '3 scroll-up',
    name,
  ]),
  ['page-up'],
  ['history-top', 'page-down'],
  ['history-top', 'halfpage-down'],
  [...AT_START, 'jump-forward l'],
  [...AT_START, 'jump-forward l', 'jump-again'],
  [...AT_START, 'jump-forward l', 'jump-again', 'jump-reverse'],
  [...AT_START, 'jump-to-forward l', 'jump-again'],
  [...AT_START, 'end-of-line', 'jump-backward f'],
  [...AT_START, 'end-of-line', 'jump-to-backward f'],
  [...AT_START, '3 cursor-down', 'next-word', 'next-word', 'next-matching-bracket'],
];

/** Runs of actions that copy the same text. */
const COPIES: readonly (readonly string[])[] = [
  ...[1, 3, 7, 11, 15, 20].map(n => [...AT_START, 'begin-selection', `${n} next-word`, 'copy-selection']),
  ...[4, 9, 14, 22].map(n => ['history-bottom', 'begin-selection', `${n} previous-word`, 'copy-selection']),
  ...[2, 5, 10, 13].map(n => [
    ...AT_START,
    '7 cursor-down',
    'begin-selection',
    `${n} cursor-down`,
    'copy-selection',
  ]),
  ...[3, 9, 12, 13, 15].map(n => [...AT_START, `${n} cursor-down`, 'select-line', 'copy-selection']),
  ...[3, 7, 9].map(n => [...AT_START, `${n} cursor-down`, '9 cursor-right', 'copy-end-of-line']),
  ...[3, 7, 9, 12].map(n => [...AT_START, `${n} cursor-down`, 'copy-line']),
  ...[4, 8, 9, 13].map(n => [
    ...AT_START,
    '7 cursor-down',
    `${n} cursor-right`,
    'select-word',
    'copy-selection',
  ]),
  [...AT_START, 'begin-selection', '4 next-word', 'other-end', '2 cursor-right', 'copy-selection'],
];

const SEARCHES: readonly (readonly string[])[] = [
  [...AT_START, 'search-forward line'],
  [...AT_START, 'search-forward line', 'search-again'],
  [...AT_START, 'search-forward line', 'search-again', 'search-reverse'],
  ['search-backward wraps'],
  ['search-backward la[a-z]t'],
  ['search-backward-text (b'],
  [...AT_START, 'search-forward nowhere'],
  [...AT_START, 'search-forward F'],
  ['search-forward first'],
];

if (hasPrograms('tmux')) {
  let tmux: Tmux;
  test.before(async () => {
    tmux = new Tmux(TEXT);
    await until(
      'the text is there',
      () => tmux.run('display-message', '-p', '#{pane_title}').trim() === 'done',
    );
  });
  test.after(() => void tmux.run('kill-server'));

  for (const keys of ['vi', 'emacs'] as const) {
    const rows = (
      list: readonly (readonly string[])[],
      what: (p: Played, t: Outcome) => [string, string],
    ) => {
      const theirs = tmux.play(list, keys);
      const wrong = list.flatMap((actions, n) => {
        const played = new Played(TEXT, { cols: COLS, rows: ROWS, isVi: keys === 'vi' }).do(...actions);
        const [got, wanted] = what(played, theirs[n]!);
        return got === wanted
          ? []
          : [`${actions.join(' ')}: ${JSON.stringify(got)}, tmux ${JSON.stringify(wanted)}`];
      });
      assert.equal(wrong, []);
    };
    test(`${keys}: motions end where they end in tmux`, () => rows(MOTIONS, (p, t) => [p.place, t.at]));
    test(`${keys}: the same text is copied`, () => rows(COPIES, (p, t) => [p.copied.join(''), t.copied]));
    test(`${keys}: searches find the same`, () => rows(SEARCHES, (p, t) => [p.place, t.at]));
  }
}

test.run();
