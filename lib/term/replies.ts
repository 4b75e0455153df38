/**
 * Answers to a program's questions, as ctlseqs has them. xterm's parser answers DSR, DECXCPR and DECRQM itself; what
 * it lacks, or would answer as somebody else, stands in the tables here. Each question gets one answer.
 */
import type { Size } from '../base/geometry.ts';
import { CELL } from './cell-size.ts';
import type { ColorPort } from './color-oscs.ts';
import type { PaneColors } from './colors.ts';
import type { SequenceId } from './xterm-core.ts';

/** What answers are made from. */
export interface ReplyPort extends ColorPort {
  readonly size: Size;
  /** mux's version, `MAJOR.MINOR.PATCH`. */
  readonly version: string;
  /** The TERM the program was started with. */
  readonly termName: string;
  /** SGR parameters of the pen. */
  pen(): readonly string[];
  /** DECSCUSR parameter of the cursor, 0 for the default. */
  cursorStyle(): number;
  /** The cursor as CPR tells it. */
  cursor(): { readonly row: number; readonly column: number };
  /** State of a DEC private mode that xterm's parser knows nothing of; undefined for one that it does, or nobody. */
  mode(number: number): ModeState | undefined;
  /** Checksum of a rectangle (DECRQCRA): parameters top, left, bottom, right as the program gave them. */
  checksum(area: readonly number[]): number;
}

/** A mode as DECRPM tells it. */
export type ModeState = 'set' | 'reset' | 'always set' | 'always reset';
const MODE_VALUES: Readonly<Record<ModeState, number>> = {
  set: 1,
  reset: 2,
  'always set': 3,
  'always reset': 4,
};

/** A CSI question. Returns whether it was one; otherwise xterm's own handler goes on. */
export interface CsiReply {
  readonly id: SequenceId;
  answer(params: readonly number[], port: ReplyPort): boolean;
}

const ESC = '\x1b';
const ST = '\x1b\\';

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

/** Whether the colours are dark or light: the answer to DSR 996, and what mode 2031 reports by itself. */
export function schemeReport(colors: PaneColors): string {
  return `${ESC}[?997;${colors.isDark ? 1 : 2}n`;
}

/** DSR that xterm's parser answers otherwise or not at all; of what a pane does not have it is said that it is not there. */
const DEVICE_STATUS: Readonly<Record<number, (port: ReplyPort, id: number) => string>> = {
  6: port => `${ESC}[?${port.cursor().row};${port.cursor().column}R`,
  15: () => `${ESC}[?13n`, // no printer
  25: () => `${ESC}[?21n`, // user-defined keys are locked
  26: () => `${ESC}[?27;1;0;0n`, // a North American keyboard
  53: () => `${ESC}[?50n`, // no locator
  55: () => `${ESC}[?50n`,
  56: () => `${ESC}[?57;0n`, // of no kind
  62: () => `${ESC}[0*{`, // no room for macros
  63: (_port, id) => `${ESC}P${id}!~0000${ST}`, // so their checksum is zero
  75: () => `${ESC}[?70n`, // no data was lost
  85: () => `${ESC}[?83n`, // one session only
  996: port => schemeReport(port.colors),
};

function deviceStatus([what = 0, id = 0]: readonly number[], port: ReplyPort): boolean {
  const answer = DEVICE_STATUS[what];
  if (answer) port.reply(answer(port, id));
  return answer !== undefined;
}

function cursorReport([what = 0]: readonly number[], port: ReplyPort): boolean {
  if (what !== 6) return false;
  const { row, column } = port.cursor();
  port.reply(`${ESC}[${row};${column}R`);
  return true;
}

/** DECRQM of private modes that xterm's parser does not know. */
function modeReport([number = 0]: readonly number[], port: ReplyPort): boolean {
  const state = port.mode(number);
  if (state) port.reply(`${ESC}[?${number};${MODE_VALUES[state]}$y`);
  return state !== undefined;
}

/** DECRQCRA: id; page; top; left; bottom; right, one-based, 0 or none for the edge. */
function checksumReport(params: readonly number[], port: ReplyPort): boolean {
  const sum = port.checksum(params.slice(2, 6));
  port.reply(`${ESC}P${params[0] ?? 0}!~${sum.toString(16).toUpperCase().padStart(4, '0')}${ST}`);
  return true;
}

/** Every CSI question beyond xterm's own. */
export const CSI_REPLIES: readonly CsiReply[] = [
  // DA1: a VT420 (64) with selective erase (6), ANSI colour (22), rectangles (28) and clipboard writes (52).
  { id: { final: 'c' }, answer: onlyZero(() => `${ESC}[?64;6;22;28;52c`) },
  {
    id: { prefix: '>', final: 'c' },
    answer: onlyZero(port => `${ESC}[>1;${versionNumber(port.version)};0c`),
  },
  // DA3: a unit id, here "mux" in hexadecimal.
  { id: { prefix: '=', final: 'c' }, answer: onlyZero(() => `${ESC}P!|6D757800${ST}`) },
  // XTVERSION
  { id: { prefix: '>', final: 'q' }, answer: onlyZero(port => `${ESC}P>|mux(${port.version})${ST}`) },
  { id: { final: 't' }, answer: windowReport },
  { id: { prefix: '?', final: 'n' }, answer: deviceStatus },
  { id: { final: 'n' }, answer: cursorReport },
  { id: { prefix: '?', intermediates: '$', final: 'p' }, answer: modeReport },
  { id: { intermediates: '*', final: 'y' }, answer: checksumReport },
];

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
  // DECSCL: a VT420 that answers in 7 bits.
  else if (data === '"p') port.reply(`${ESC}P1$r64;1"p${ST}`);
  // DECSLPP, DECSCPP, DECSNLS: the pane's size.
  else if (data === 't' || data === '*|') port.reply(`${ESC}P1$r${port.size.rows}${data}${ST}`);
  else if (data === '$|') port.reply(`${ESC}P1$r${port.size.cols}$|${ST}`);
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
