/**
 * Recorded streams with the screens they end in, and what an emulator makes of them.
 *
 * `NAME.bytes` + `NAME.json`: a grid of styled cells. `NAME.in` + `NAME.text`: the text of a screen of 80×25, made
 * with line feeds taken as CR LF.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BG, CELL_WORDS, COLOR, CONTENT, FG, UNDERLINE } from '../../lib/term/cell.ts';
import type { CellLine } from '../../lib/term/cell.ts';

/** What a recording is played to. */
export interface Player {
  write(bytes: Uint8Array): void;
  line(y: number): CellLine | undefined;
}
/** Makes one of a size. */
export type MakePlayer = (cols: number, rows: number, history: number) => Player;

type Run = readonly [text: string, fg: string | number, bg: string | number, flags: readonly string[]];
interface Recording {
  readonly cols: number;
  readonly rows: number;
  readonly history: number;
  readonly lines: readonly (readonly Run[])[];
}

/** The first row that differs. */
export interface Difference {
  readonly y: number;
  readonly want: readonly string[];
  readonly got: readonly string[];
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const UNDERLINES: Readonly<Record<number, string>> = {
  [UNDERLINE.single]: 'UNDERLINE',
  [UNDERLINE.double]: 'DOUBLE_UNDERLINE',
  [UNDERLINE.curly]: 'UNDERCURL',
  [UNDERLINE.dotted]: 'DOTTED_UNDERLINE',
  [UNDERLINE.dashed]: 'DASHED_UNDERLINE',
};
const FLAGS: readonly (readonly [word: 'fg' | 'bg', bit: number, name: string])[] = [
  ['fg', FG.bold, 'BOLD'],
  ['fg', FG.inverse, 'INVERSE'],
  ['fg', FG.strikethrough, 'STRIKEOUT'],
  ['fg', FG.invisible, 'HIDDEN'],
  ['bg', BG.dim, 'DIM'],
  ['bg', BG.italic, 'ITALIC'],
];
/** Flags of recordings that say where characters lie, not how they look. */
const PLACES = new Set(['WRAPLINE', 'WIDE_CHAR', 'WIDE_CHAR_SPACER', 'LEADING_WIDE_CHAR_SPACER']);

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

/** Flags whose colour or stroke is seen on a blank too. */
const SEEN_ON_BLANK = new Set(['INVERSE', 'STRIKEOUT', ...Object.values(UNDERLINES)]);

/** What is seen of a code point: with a blank, not its text colour or weight. */
function seen(char: string, fg: string, bg: string, flags: readonly string[]): string {
  const blank = char === ' ' || char === '\t' || char === '\0';
  const shown = flags.filter(flag => !PLACES.has(flag) && (!blank || SEEN_ON_BLANK.has(flag)));
  const color = blank && shown.length === 0 ? '' : fg;
  return `${blank ? ' ' : char} ${color} ${bg} ${[...shown].sort().join('+')}`;
}

function expected(line: readonly Run[]): string[] {
  return line.flatMap(([text, fg, bg, flags]) =>
    Array.from(text, char => seen(char, expectedColor(fg), expectedColor(bg), flags)),
  );
}

function flagsOf(line: CellLine, column: number): string[] {
  const words = { fg: line.words[column * CELL_WORDS + 1]!, bg: line.words[column * CELL_WORDS + 2]! };
  const flags = FLAGS.filter(([word, bit]) => words[word] & bit).map(([, , name]) => name);
  const style = words.bg & BG.hasExtended ? line.extended(column)?.underlineStyle : undefined;
  if (words.fg & FG.underline) flags.push(UNDERLINES[style || UNDERLINE.single]!);
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
    for (const char of text)
      out.push(seen(char, colorName(fg, 'fg'), colorName(bg, 'bg'), flagsOf(line, column)));
  }
  return out;
}

const PLAIN = seen(' ', 'fg', 'bg', []);

function withoutPlainEnd(cells: string[]): string[] {
  while (cells.at(-1) === PLAIN) cells.pop();
  return cells;
}

/** Plays a recording of cells. Returns the first row that differs, or undefined. */
export function gridDifference(make: MakePlayer, folder: string, name: string): Difference | undefined {
  const recording = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Recording;
  const { cols, rows, history } = recording;
  const player = make(cols, rows, history);
  player.write(readFileSync(join(folder, `${name}.bytes`)));
  for (let y = 0; y < rows; y++) {
    const want = withoutPlainEnd(expected(recording.lines[y] ?? []));
    const got = withoutPlainEnd(actual(player.line(y)!, cols));
    if (want.join('\n') !== got.join('\n')) return { y, want, got };
  }
  return undefined;
}

/** The text of a line without blanks at its end. */
export function lineText(line: CellLine, cols: number): string {
  return actual(line, cols)
    .map(cell => Array.from(cell)[0])
    .join('')
    .trimEnd();
}

/** Plays a recording of text. Returns the first row that differs, or undefined. */
export function textDifference(make: MakePlayer, folder: string, name: string): Difference | undefined {
  const input = readFileSync(join(folder, `${name}.in`))
    .toString('latin1')
    .replace(/\r?\n/g, '\r\n');
  const player = make(80, 25, 100);
  player.write(Buffer.from(input, 'latin1'));
  const wanted = readFileSync(join(folder, `${name}.text`), 'utf8').split('\n');
  for (let y = 0; y < 25; y++) {
    const want = (wanted[y] ?? '').trimEnd();
    const got = lineText(player.line(y)!, 80);
    if (want !== got) return { y, want: [want], got: [got] };
  }
  return undefined;
}
