/**
 * The output that programs print in the bench: made from a seed, so that every machine measures the same bytes.
 * No capital letter of MARK_LETTERS is in any of it, so that a marker printed after it is found for certain.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Letters that markers are made of and that no data holds. */
export const MARK_LETTERS = 'QXZJ';

/** A file of program output. */
export interface DataFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** A stream of numbers, the same for the same seed (mulberry32). */
export type Chance = (below: number) => number;

/** Seeded chance: whole numbers from 0 up to before `below`. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000) * below);
  };
}

const WORDS =
  'request handler cache miss for tenant in region worker accepted connection closed by peer retry after timeout token expired file saved index rebuilt query slow lock wait'.split(
    ' ',
  );
const LEVELS = ['debug', 'info ', 'warn ', 'error'];

function pick<T>(next: Chance, from: readonly T[]): T {
  return from[next(from.length)]!;
}

/** A line as servers log it, 60 to 160 columns. */
export function logLine(next: Chance): string {
  const count = 6 + next(14);
  let line = `2026-03-${10 + next(20)} ${10 + next(13)}:${10 + next(50)}:${10 + next(50)}.${100 + next(900)} [${pick(next, LEVELS)}] `;
  for (let i = 0; i < count; i++) line += `${pick(next, WORDS)}${next(4) === 0 ? `=${next(100_000)}` : ''} `;
  return `${line}\r\n`;
}

/** Text in 16, 256 and 24-bit colours with attributes, and now and then a move of the cursor and a repaint there. */
function colourLine(next: Chance): string {
  let line = '';
  for (let i = 0; i < 8; i++) {
    const kind = next(4);
    if (kind === 0) line += `\x1b[${30 + next(8)};${40 + next(8)}m`;
    else if (kind === 1) line += `\x1b[38;5;${next(256)}m`;
    else if (kind === 2) line += `\x1b[38;2;${next(256)};${next(256)};${next(256)}m`;
    else line += `\x1b[${pick(next, ['1', '3', '4', '7', '22;23', '24', '27', '39;49'])}m`;
    line += `${pick(next, WORDS)} ${next(1000)} `;
  }
  if (next(6) === 0)
    line += `\x1b7\x1b[${1 + next(40)};${1 + next(120)}H${pick(next, WORDS)}\x1b[K\x1b8\x1b[${1 + next(5)}C`;
  return `${line}\x1b[m\r\n`;
}

const CJK_FROM = 0x4e00;
const CJK_COUNT = 3000;
const EMOJI = ['😀', '🚀', '🔥', '👍🏽', '👩‍👩‍👧‍👦', '🏳️‍🌈', '❤️', '🇯🇵', '👨‍💻', '🫨'];
const ACCENTED = ['e\u0301', 'a\u0308', 'o\u0302', 'n\u0303', 'é', 'ß', 'ø', 'नि', 'กำ', '한글', 'かな', 'Ж'];

/** Wide characters, emoji, joined and combining ones between plain words. */
function unicodeLine(next: Chance): string {
  let line = '';
  for (let i = 0; i < 12; i++) {
    const kind = next(4);
    if (kind === 0) line += pick(next, WORDS);
    else if (kind === 1) line += pick(next, EMOJI);
    else if (kind === 2) line += pick(next, ACCENTED).repeat(1 + next(4));
    else
      line += String.fromCodePoint(...Array.from({ length: 2 + next(6) }, () => CJK_FROM + next(CJK_COUNT)));
    line += ' ';
  }
  return `${line}\r\n`;
}

const MB = 1_000_000;
/** Lines made anew before they repeat, so that making the files does not take longer than the measurements. */
const BLOCK = 1 * MB;

const KINDS = [
  { name: 'ascii', bytes: 100 * MB, seed: 1, line: logLine },
  { name: 'sgr', bytes: 50 * MB, seed: 2, line: colourLine },
  { name: 'unicode', bytes: 30 * MB, seed: 3, line: unicodeLine },
] as const;

/** A file of lines that fill 200 columns each, for histories. */
export function makeWide(dir: string, lines: number): DataFile {
  const path = join(dir, 'wide.txt');
  const next = chance(6);
  let text = '';
  // One column less than the terminal: a full line would leave the wrap to come undecided.
  for (let i = 0; i < lines; i++) text += `${logLine(next).trimEnd().padEnd(199, '.').slice(0, 199)}\r\n`;
  const fd = openSync(path, 'w');
  const bytes = writeSync(fd, text);
  closeSync(fd);
  return { name: 'wide', path, bytes };
}

/** Writes the files into `dir`. `scale` 1 is the full size. */
export function makeData(dir: string, scale: number): DataFile[] {
  return KINDS.map(kind => {
    const path = join(dir, `${kind.name}.txt`);
    const next = chance(kind.seed);
    const blocks: Buffer[] = [];
    // Several blocks, none of them the same: a renderer finds no picture that repeats.
    for (let i = 0; i < 4; i++) {
      let text = '';
      while (text.length < BLOCK) text += kind.line(next);
      blocks.push(Buffer.from(text));
    }
    const fd = openSync(path, 'w');
    let bytes = 0;
    for (let i = 0; bytes < kind.bytes * scale; i++) bytes += writeSync(fd, blocks[i % blocks.length]!);
    closeSync(fd);
    return { name: kind.name, path, bytes };
  });
}
