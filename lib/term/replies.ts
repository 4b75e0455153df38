/**
 * Answers to a program's questions, as ctlseqs has them. xterm's parser answers DSR, DECXCPR and DECRQM itself; what
 * it lacks, or would answer as somebody else, stands in the tables here. Each question gets one answer.
 */
import type { Size } from '../base/geometry.ts';
import { colorSpec, isDark, paletteColor } from './palette.ts';
import type { Palette } from './palette.ts';
import type { SequenceId } from './xterm-core.ts';

/** What answers are made from. */
export interface ReplyPort {
  reply(text: string): void;
  readonly size: Size;
  readonly palette: Palette;
  /** mux's version, `MAJOR.MINOR.PATCH`. */
  readonly version: string;
  /** The TERM the program was started with. */
  readonly termName: string;
  /** SGR parameters of the pen. */
  pen(): readonly string[];
  /** DECSCUSR parameter of the cursor, 0 for the default. */
  cursorStyle(): number;
  /** Checksum of a rectangle, zero-based and inclusive (DECRQCRA). */
  checksum(top: number, left: number, bottom: number, right: number): number;
}

/** A CSI question. Returns whether it was one; otherwise xterm's own handler goes on. */
export interface CsiReply {
  readonly id: SequenceId;
  answer(params: readonly number[], port: ReplyPort): boolean;
}

const ESC = '\x1b';
const ST = '\x1b\\';
/** Pixels of a cell, for programs that ask: no cell has a known size here, and 8×16 is what they expect. */
const CELL = { width: 8, height: 16 } as const;

/**
 * The version in DA2. From 10,000 up, because vim takes anything below 277 for an xterm without SGR mouse reports.
 */
function versionNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(part => Number.parseInt(part, 10) || 0);
  return 10_000 * (major + 1) + 100 * minor + patch;
}

/** XTWINOPS reports; the title is never told, since a program could have put a command there. */
const WINDOW_REPORTS: Readonly<Record<number, (size: Size) => string>> = {
  14: ({ cols, rows }) => `4;${rows * CELL.height};${cols * CELL.width}`,
  16: () => `6;${CELL.height};${CELL.width}`,
  18: ({ cols, rows }) => `8;${rows};${cols}`,
  19: ({ cols, rows }) => `9;${rows};${cols}`,
};

function onlyZero(reply: (port: ReplyPort) => string): CsiReply['answer'] {
  return (params, port) => {
    if ((params[0] ?? 0) === 0) port.reply(reply(port));
    return true;
  };
}

function windowReport(params: readonly number[], port: ReplyPort): boolean {
  const report = WINDOW_REPORTS[params[0] ?? 0];
  if (report) port.reply(`${ESC}[${report(port.size)}t`);
  return report !== undefined;
}

function colorScheme(params: readonly number[], port: ReplyPort): boolean {
  if (params[0] !== 996) return false;
  port.reply(`${ESC}[?997;${isDark(port.palette) ? 1 : 2}n`);
  return true;
}

/** DECRQCRA: id; page; top; left; bottom; right, one-based, 0 or none for the edge. */
function checksumReport(params: readonly number[], port: ReplyPort): boolean {
  const [id = 0, , top = 0, left = 0, bottom = 0, right = 0] = params;
  const edge = (value: number, last: number): number => Math.min(value || last, last) - 1;
  const sum = port.checksum(
    Math.max(1, top) - 1,
    Math.max(1, left) - 1,
    edge(bottom, port.size.rows),
    edge(right, port.size.cols),
  );
  port.reply(`${ESC}P${id}!~${sum.toString(16).toUpperCase().padStart(4, '0')}${ST}`);
  return true;
}

/** Every CSI question beyond xterm's own. */
export const CSI_REPLIES: readonly CsiReply[] = [
  // DA1: a VT220 (62) with ANSI colour (22) and clipboard writes (52).
  { id: { final: 'c' }, answer: onlyZero(() => `${ESC}[?62;22;52c`) },
  {
    id: { prefix: '>', final: 'c' },
    answer: onlyZero(port => `${ESC}[>1;${versionNumber(port.version)};0c`),
  },
  // DA3: a unit id, here "mux" in hexadecimal.
  { id: { prefix: '=', final: 'c' }, answer: onlyZero(() => `${ESC}P!|6D757800${ST}`) },
  // XTVERSION
  { id: { prefix: '>', final: 'q' }, answer: onlyZero(port => `${ESC}P>|mux(${port.version})${ST}`) },
  { id: { final: 't' }, answer: windowReport },
  { id: { prefix: '?', final: 'n' }, answer: colorScheme },
  { id: { intermediates: '*', final: 'y' }, answer: checksumReport },
];

/** Colours that OSC 10, 11, 12 ask for, in that order. */
const DYNAMIC = ['foreground', 'background', 'cursor'] as const;
/** Most colours one OSC may ask for: the whole palette. */
const MAX_COLORS = 256;

/** OSC 10, 11, 12: each further `?` asks for the next number's colour. Setting is ignored: colours are the person's. */
function dynamicColors(first: number, data: string, port: ReplyPort): void {
  data.split(';', DYNAMIC.length).forEach((spec, i) => {
    const name = DYNAMIC[first - 10 + i];
    if (spec === '?' && name) port.reply(`${ESC}]${first + i};${colorSpec(port.palette[name])}${ST}`);
  });
}

/** OSC 4: pairs of index and `?`. */
function indexedColors(data: string, port: ReplyPort): void {
  const parts = data.split(';', MAX_COLORS * 2);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const index = /^\d{1,3}$/.test(parts[i]!) ? Number(parts[i]) : -1;
    const color = paletteColor(port.palette, index);
    if (parts[i + 1] === '?' && color !== undefined) port.reply(`${ESC}]4;${index};${colorSpec(color)}${ST}`);
  }
}

/** Every OSC question, by number. */
export const OSC_REPLIES: readonly (readonly [
  ident: number,
  answer: (data: string, port: ReplyPort) => void,
])[] = [
  [4, indexedColors],
  [10, (data, port) => dynamicColors(10, data, port)],
  [11, (data, port) => dynamicColors(11, data, port)],
  [12, (data, port) => dynamicColors(12, data, port)],
];

/** OSC numbers that only change or reset colours: taken from xterm, so that nothing of them is kept. */
export const IGNORED_OSCS: readonly number[] = [104, 110, 111, 112];

/** Terminfo capabilities that XTGETTCAP tells; a boolean one has the value ''. */
const CAPABILITIES: Readonly<Record<string, (port: ReplyPort) => string>> = {
  TN: port => port.termName,
  name: port => port.termName,
  Co: () => '256',
  colors: () => '256',
  RGB: () => '8/8/8',
  Tc: () => '',
  Su: () => '',
  Smulx: () => '\\E[4:%p1%dm',
  Setulc: () => '\\E[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm',
  Ss: () => '\\E[%p1%d q',
  Se: () => '\\E[0 q',
  Ms: () => '\\E]52;%p1%s;%p2%s\\E\\\\',
  Sync: () => '\\E[?2026%?%p1%{1}%-%tl%eh%;',
};
/** Most capabilities asked for in one string. */
const MAX_CAPABILITIES = 32;

const toHex = (text: string): string =>
  Array.from(text, c => c.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()).join('');

function fromHex(hex: string): string | undefined {
  if (!/^(?:[0-9a-f]{2}){1,64}$/i.test(hex)) return undefined;
  return hex.replace(/../g, pair => String.fromCharCode(Number.parseInt(pair, 16)));
}

/** XTGETTCAP: names in hexadecimal, one answer each. */
function terminfo(data: string, port: ReplyPort): void {
  for (const hex of data.split(';', MAX_CAPABILITIES)) {
    const name = fromHex(hex);
    if (name === undefined) continue;
    const value = Object.hasOwn(CAPABILITIES, name) ? CAPABILITIES[name]!(port) : undefined;
    if (value === undefined) port.reply(`${ESC}P0+r${hex}${ST}`);
    else port.reply(`${ESC}P1+r${hex}${value === '' ? '' : '=' + toHex(value)}${ST}`);
  }
}

/** DECRQSS of what xterm's parser would answer with a fixed text. Returns whether it was one of these. */
function status(data: string, port: ReplyPort): boolean {
  if (data === 'm') port.reply(`${ESC}P1$r${['0', ...port.pen()].join(';')}m${ST}`);
  else if (data === ' q') port.reply(`${ESC}P1$r${port.cursorStyle()} q${ST}`);
  else return false;
  return true;
}

/** A DCS question; `answer` returns whether xterm's own answer is to be left out. */
export interface DcsReply {
  readonly id: SequenceId;
  /** Most characters of payload. */
  readonly limit: number;
  answer(data: string, port: ReplyPort): boolean;
}

/** Every DCS question. */
export const DCS_REPLIES: readonly DcsReply[] = [
  {
    id: { intermediates: '+', final: 'q' },
    limit: 4096,
    answer: (data, port) => (terminfo(data, port), true),
  },
  { id: { intermediates: '$', final: 'q' }, limit: 16, answer: status },
];
