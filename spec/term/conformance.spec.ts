/**
 * Recorded terminal streams with the screens they end in. MUX_SUITES names a folder with `alacritty/` (NAME.bytes,
 * NAME.json) and `xtermjs/` (NAME.in, NAME.text); a stream of mux's own is always run.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BG, CELL_WORDS, COLOR, CONTENT, FG, UNDERLINE } from '../../lib/term/cell.ts';
import type { CellLine } from '../../lib/term/cell.ts';
import { Recorder } from './terminal.ts';

const test = suite('conformance');
const FIXTURES = join(import.meta.dirname, '../../../spec/fixtures/term');
const SUITES = process.env['MUX_SUITES'];

/** Recordings that end differently here, and why that is so. */
const KNOWN: Readonly<Record<string, string>> = {
  decaln_reset: 'DECALN puts the cursor home (VT510); in the recording it stays',
  underline: 'SGR 21 is a double underline (ECMA-48); the recording takes it for the end of bold',
  saved_cursor: 'the underscore of DEC graphics is drawn as it is, not as a blank',
  saved_cursor_alt: 'a pending wrap is not saved with the cursor',
  wrapline_alt_toggle: 'a pending wrap is not saved with the cursor',
  't0055-EL': 'EL at a pending wrap erases nothing, as in tmux',
  't0084-CBT': 'CBT at a pending wrap does not move',
  't0103-reverse_wrap': 'reverse wrap-around stops at lines that were not wrapped',
  't0504-vim': 'the text was taken from a longer history than the recording holds',
};

type Run = readonly [text: string, fg: string | number, bg: string | number, flags: readonly string[]];
interface Recording {
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly history: number;
  readonly lines: readonly (readonly Run[])[];
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const UNDERLINES: Readonly<Record<number, string>> = {
  [UNDERLINE.single]: 'UNDERLINE',
  [UNDERLINE.double]: 'DOUBLE_UNDERLINE',
  [UNDERLINE.curly]: 'UNDERCURL',
};

/** A colour as recordings write it; palette colours 0–15 as numbers, however they were set. */
function colorName(word: number, plain: 'fg' | 'bg'): string {
  const mode = word & COLOR.modeMask;
  if (mode === COLOR.default) return plain;
  if (mode === COLOR.rgb) return '#' + (word & COLOR.rgbMask).toString(16).padStart(6, '0');
  return String(word & COLOR.indexMask);
}

function expectedColor(color: string | number): string {
  const name = String(color);
  const bright = name.startsWith('bright');
  const index = NAMES.indexOf(bright ? name.slice(6) : name);
  return index < 0 ? name : String(index + (bright ? 8 : 0));
}

/** What is seen of a code point: with a blank, not its text colour or weight. */
function seen(char: string, fg: string, bg: string, flags: readonly string[]): string {
  const blank = char === ' ' || char === '\t';
  const text = blank ? ' ' : char;
  const shown = blank ? flags.filter(flag => flag !== 'BOLD') : flags;
  const color = blank && shown.length === 0 ? '' : fg;
  return `${text} ${color} ${bg} ${[...shown].sort().join('+')}`;
}

function expected(line: readonly Run[]): string[] {
  return line.flatMap(([text, fg, bg, flags]) =>
    Array.from(text, char => seen(char, expectedColor(fg), expectedColor(bg), flags)),
  );
}

function flagsOf(line: CellLine, column: number): string[] {
  const fg = line.words[column * CELL_WORDS + 1]!;
  const bg = line.words[column * CELL_WORDS + 2]!;
  const flags: string[] = [];
  if (fg & FG.bold) flags.push('BOLD');
  if (fg & FG.inverse) flags.push('INVERSE');
  if (fg & FG.strikethrough) flags.push('STRIKEOUT');
  const style = bg & BG.hasExtended ? line.extended(column)!.underlineStyle : UNDERLINE.single;
  if (fg & FG.underline) flags.push(UNDERLINES[style]!);
  return flags;
}

function actual(line: CellLine, cols: number): string[] {
  const out: string[] = [];
  for (let column = 0; column < cols; column++) {
    const [content = 0, fg = 0, bg = 0] = line.words.subarray(column * CELL_WORDS, (column + 1) * CELL_WORDS);
    if ((content & (CONTENT.hasContent | CONTENT.widthMask)) === 0) continue;
    const codepoint = content & CONTENT.codepointMask;
    const single = codepoint === 0 ? ' ' : String.fromCodePoint(codepoint);
    const text = content & CONTENT.isCluster ? line.clusters[column]! : single;
    const colors = [colorName(fg, 'fg'), colorName(bg, 'bg')] as const;
    for (const char of text) out.push(seen(char, ...colors, flagsOf(line, column)));
  }
  return out;
}

const PLAIN = seen(' ', 'fg', 'bg', []);

function withoutPlainEnd(cells: string[]): string[] {
  while (cells.at(-1) === PLAIN) cells.pop();
  return cells;
}

/** The first row that differs, or undefined. */
function firstDifference(folder: string, name: string): unknown {
  const recording = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Recording;
  const { cols, rows, history } = recording;
  const { emulator, faults } = new Recorder({ cols, rows, historyLines: history });
  emulator.write(readFileSync(join(folder, `${name}.bytes`)));
  assert.equal(faults, []);
  for (let y = 0; y < rows; y++) {
    const want = withoutPlainEnd(expected(recording.lines[y] ?? []));
    const got = withoutPlainEnd(actual(emulator.line(y)!, cols));
    if (want.join('\n') !== got.join('\n')) return { y, want, got };
  }
  return undefined;
}

/** Rows of an xterm.js recording, which was made on 80×25 with LF taken as CR LF. */
function firstTextDifference(folder: string, name: string): unknown {
  const input = readFileSync(join(folder, `${name}.in`))
    .toString('latin1')
    .replace(/\r?\n/g, '\r\n');
  const recorder = new Recorder({ cols: 80, rows: 25 });
  recorder.emulator.write(Buffer.from(input, 'latin1'));
  const want = readFileSync(join(folder, `${name}.text`), 'utf8')
    .split('\n')
    .map(line => line.trimEnd());
  while (want.at(-1) === '') want.pop();
  const got = recorder.text();
  return want.join('\n') === got.join('\n') ? undefined : { want, got };
}

type Check = (folder: string, name: string) => unknown;

function checkFolder(folder: string, extension: string, check: Check): void {
  const names = readdirSync(folder)
    .filter(file => file.endsWith(extension))
    .map(file => file.slice(0, -extension.length));
  assert.ok(names.length > 0, `${folder} holds no recordings`);
  for (const name of names) {
    const difference = check(folder, name);
    if (KNOWN[name] === undefined)
      assert.is(difference, undefined, `${name}: ${JSON.stringify(difference, null, 1)}`);
    else assert.ok(difference, `${name} is the same now: take it off the list of known differences`);
  }
}

for (const [folder, extension, check] of [
  ['alacritty', '.bytes', firstDifference],
  ['xtermjs', '.in', firstTextDifference],
] as const) {
  test(`recordings of ${folder} end in the screens they were recorded with`, () => {
    const path = SUITES && join(SUITES, folder);
    if (path && existsSync(path)) checkFolder(path, extension, check);
    else
      console.log(
        `skipped: recordings of ${folder}: MUX_SUITES ${SUITES ? `has no ${folder}/` : 'is not set'}`,
      );
  });
}

test('recordings of our own end in the screens they were recorded with', () => {
  checkFolder(FIXTURES, '.bytes', firstDifference);
});

test.run();
