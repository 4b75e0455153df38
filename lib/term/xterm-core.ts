/**
 * The private side of @xterm/headless 6.0.0 that mux relies on, typed as narrowly as it is used. The only file that
 * reaches into it: the package is pinned exactly, and `openCore` fails at the first emulator if a field is gone.
 *
 * Why private access at all: the public `write` parses later, from a timer, and its payload handlers keep up to ten
 * million characters each; here a chunk is parsed before the call returns, so the program is held back by its own pty
 * and no queue can grow.
 */
import xterm from '@xterm/headless';
import type { Terminal } from '@xterm/headless';
import type { WidthProvider } from './widths.ts';

/** The version that all of this is about. */
export const XTERM_VERSION = '6.0.0';

/** Extended attributes of a cell; `_ext` holds the underline style as the program set it (bits 26–28). */
export interface XtermExtended {
  _ext: number;
  urlId: number;
  underlineColor: number;
  clone(): XtermExtended;
}

/** The pen, and what erasing fills with. */
export interface XtermAttributes {
  fg: number;
  bg: number;
  extended: XtermExtended;
  /** Brings the flag in `bg` into line with `extended`. */
  updateExtended(): void;
}

/** A cell to fill others with; its attributes are those of the last `getNullCell`. */
export interface XtermCell {
  content: number;
  fg: number;
  bg: number;
}

export interface XtermLine {
  readonly _data: Uint32Array;
  _combined: Record<number, string>;
  _extendedAttrs: Record<number, XtermExtended | undefined>;
  readonly length: number;
  isWrapped: boolean;
  /** A copy that shares nothing. */
  clone(): XtermLine;
  setCellFromCodepoint(x: number, codepoint: number, width: number, attributes: XtermAttributes): void;
  /** Fills columns from `start` to before `end`; wide characters cut by either end become blanks. */
  replaceCells(start: number, end: number, cell: XtermCell, keepProtected?: boolean): void;
  copyCellsFrom(from: XtermLine, fromX: number, x: number, count: number, backwards: boolean): void;
  insertCells(x: number, count: number, cell: XtermCell): void;
  deleteCells(x: number, count: number, cell: XtermCell): void;
  getWidth(x: number): number;
}

export interface XtermBuffer {
  x: number;
  y: number;
  ybase: number;
  ydisp: number;
  /** Margins (DECSTBM): first and last row, zero-based. */
  scrollTop: number;
  scrollBottom: number;
  /** Row that DECSC saved, counted from the start of history: xterm keeps it up to date when lines are re-wrapped. */
  savedY: number;
  tabs: Record<number, boolean | undefined>;
  readonly lines: {
    readonly length: number;
    maxLength: number;
    get(index: number): XtermLine | undefined;
    set(index: number, line: XtermLine): void;
    trimStart(count: number): void;
    splice(start: number, deleted: number, ...items: XtermLine[]): void;
  };
  /** Work that xterm puts off to a timer after a resize. */
  readonly _memoryCleanupQueue: { flush(): void };
  getNullCell(attributes: XtermAttributes): XtermCell;
  getBlankLine(attributes: XtermAttributes): XtermLine;
  setupTabStops(): void;
}

/** A designated character set: replacements by character; undefined is ASCII. */
export type XtermCharset = Readonly<Record<string, string>> | undefined;

/** Character sets (SCS) and which of them is in use. */
export interface XtermCharsets {
  charset: XtermCharset;
  glevel: number;
  _charsets: XtermCharset[];
  setgCharset(g: number, charset: XtermCharset): void;
}

/** Parameters of a CSI or DCS. Handlers may change `params` before the built-in handler sees them. */
export interface XtermParams {
  readonly length: number;
  readonly params: Int32Array;
  hasSubParams(index: number): boolean;
  /** The colon-separated values after a parameter; -1 for one left out. */
  getSubParams(index: number): Int32Array | null;
}

/** A payload that arrives in pieces: of an OSC (`start`/`end`) or of a DCS (`hook`/`unhook`). */
export interface PayloadHandler {
  start(): void;
  hook(params: XtermParams): void;
  put(data: Uint32Array, start: number, end: number): void;
  end(success: boolean): boolean;
  unhook(success: boolean): boolean;
}

/** The sequence a handler is for (ctlseqs: private prefix, intermediates, final byte). */
export interface SequenceId {
  readonly prefix?: string;
  readonly intermediates?: string;
  readonly final: string;
}

export interface XtermParser {
  /** 0 between sequences. */
  readonly currentState: number;
  /** Cluster state of the last printed code point; 0 after any control. */
  precedingJoinState: number;
  setPrintHandler(handler: (data: Uint32Array, start: number, end: number) => void): void;
  registerCsiHandler(id: SequenceId, handler: (params: XtermParams) => boolean): void;
  registerEscHandler(id: SequenceId, handler: () => boolean): void;
  registerOscHandler(ident: number, handler: PayloadHandler): void;
  registerDcsHandler(id: SequenceId, handler: PayloadHandler): void;
  readonly _dcsParser: { registerHandler(ident: number, handler: PayloadHandler): unknown };
  /** Next state and action for each state and character. */
  readonly _transitions: { readonly table: Uint8Array };
  clearOscHandler(ident: number): void;
  clearDcsHandler(id: SequenceId): void;
  reset(): void;
}

/** Where OSC 8 targets are kept: the slot takes links.ts in place of xterm's own. */
export interface XtermLinkStore {
  registerLink(link: { readonly id?: string | undefined; readonly uri: string }): number;
  addLineToLink(id: number, y: number): void;
  getLinkData(id: number): { readonly id?: string | undefined; readonly uri: string } | undefined;
}

export interface XtermInput {
  readonly _parser: XtermParser;
  /** `interim`: bytes of a character that has not ended. */
  readonly _utf8Decoder: { readonly interim: Uint8Array; clear(): void };
  readonly _charsetService: XtermCharsets;
  readonly _curAttrData: XtermAttributes;
  _oscLinkService: XtermLinkStore;
  readonly _windowTitle: string;
  /** Titles that XTWINOPS 22 has put aside, at most ten. */
  _windowTitleStack: string[];
  parse(data: Uint8Array): unknown;
  setModePrivate(params: Pick<XtermParams, 'length' | 'params'>): boolean;
  resetModePrivate(params: Pick<XtermParams, 'length' | 'params'>): boolean;
  resetMode(params: Pick<XtermParams, 'length' | 'params'>): boolean;
  print(data: Uint32Array, start: number, end: number): void;
  // Called by xterm through the object, so that another function can be put in their place (vt-cursor.ts).
  charAttributes(params: XtermParams): boolean;
  saveCursor(): boolean;
  restoreCursor(): boolean;
  _moveCursor(x: number, y: number): void;
  /** Moves the cursor into the screen or, in origin mode, into the margins; to column `most` at most. */
  _restrictCursor(most?: number): void;
  /** What erased cells look like: blank in the pen's background (ECMA-48 calls it BCE). */
  _eraseAttrData(): XtermAttributes;
  lineFeed(): boolean;
  requestStatusString(data: string): boolean;
  setTitle(title: string): boolean;
  setHyperlink(data: string): boolean;
  onTitleChange(listener: (title: string) => void): unknown;
}

/** Options that sequences change (LNM, DECSET 12), and room for lines above the screen. */
export interface XtermOptions {
  convertEol: boolean;
  cursorBlink: boolean;
  scrollback: number;
}

/** Moves the lines of the active buffer up by one, the first out of the screen. */
export type XtermScroll = (eraseAttributes: XtermAttributes, isWrapped?: boolean) => void;

export interface XtermCore {
  readonly cols: number;
  readonly rows: number;
  readonly _bufferService: { scroll: XtermScroll };
  readonly optionsService: { readonly rawOptions: XtermOptions };
  readonly buffers: {
    readonly active: XtermBuffer;
    readonly normal: XtermBuffer;
    /** Without lines while it is not the active one. */
    readonly alt: XtermBuffer;
    activateAltBuffer(fill: XtermAttributes): void;
  };
  readonly _inputHandler: XtermInput;
  readonly unicodeService: { register(provider: WidthProvider): void; activeVersion: string };
  readonly coreMouseService: { activeProtocol: string; activeEncoding: string };
  readonly coreService: {
    isCursorHidden: boolean;
    readonly modes: { insertMode: boolean };
    readonly decPrivateModes: {
      applicationCursorKeys: boolean;
      origin: boolean;
      applicationKeypad: boolean;
      bracketedPasteMode: boolean;
      reverseWraparound: boolean;
      sendFocus: boolean;
      synchronizedOutput: boolean;
      wraparound: boolean;
      cursorStyle: 'block' | 'underline' | 'bar' | undefined;
      cursorBlink: boolean | undefined;
    };
  };
}

/** Every field used, by path: what the start-up check looks for. */
const FIELDS: readonly (readonly [path: string, type: string])[] = [
  ['buffers.active.lines.get', 'function'],
  ['buffers.active.lines.maxLength', 'number'],
  ['buffers.active.lines.trimStart', 'function'],
  ['buffers.active.getBlankLine', 'function'],
  ['buffers.active.getNullCell', 'function'],
  ['buffers.active.lines.set', 'function'],
  ['buffers.active.lines.splice', 'function'],
  ['buffers.active.savedY', 'number'],
  ['buffers.active.scrollBottom', 'number'],
  ['buffers.active.scrollTop', 'number'],
  ['buffers.active.setupTabStops', 'function'],
  ['buffers.active.tabs', 'object'],
  ['buffers.active._memoryCleanupQueue.flush', 'function'],
  ['buffers.active.x', 'number'],
  ['buffers.active.y', 'number'],
  ['buffers.active.ybase', 'number'],
  ['buffers.active.ydisp', 'number'],
  ['buffers.activateAltBuffer', 'function'],
  ['buffers.alt', 'object'],
  ['buffers.normal', 'object'],
  ['coreMouseService.activeEncoding', 'string'],
  ['coreMouseService.activeProtocol', 'string'],
  ['coreService.decPrivateModes.applicationCursorKeys', 'boolean'],
  ['coreService.decPrivateModes.applicationKeypad', 'boolean'],
  ['coreService.decPrivateModes.bracketedPasteMode', 'boolean'],
  ['coreService.decPrivateModes.origin', 'boolean'],
  ['coreService.decPrivateModes.reverseWraparound', 'boolean'],
  ['coreService.decPrivateModes.sendFocus', 'boolean'],
  ['coreService.decPrivateModes.synchronizedOutput', 'boolean'],
  ['coreService.decPrivateModes.wraparound', 'boolean'],
  ['coreService.isCursorHidden', 'boolean'],
  ['coreService.modes.insertMode', 'boolean'],
  ['optionsService.rawOptions.convertEol', 'boolean'],
  ['optionsService.rawOptions.cursorBlink', 'boolean'],
  ['optionsService.rawOptions.scrollback', 'number'],
  ['unicodeService.register', 'function'],
  ['_bufferService.scroll', 'function'],
  ['_inputHandler._charsetService._charsets', 'object'],
  ['_inputHandler._charsetService.glevel', 'number'],
  ['_inputHandler._charsetService.setgCharset', 'function'],
  ['_inputHandler._curAttrData.extended.clone', 'function'],
  ['_inputHandler._curAttrData.updateExtended', 'function'],
  ['_inputHandler._eraseAttrData', 'function'],
  ['_inputHandler._moveCursor', 'function'],
  ['_inputHandler._parser._dcsParser.registerHandler', 'function'],
  ['_inputHandler._parser._transitions.table', 'object'],
  ['_inputHandler._restrictCursor', 'function'],
  ['_inputHandler.lineFeed', 'function'],
  ['_inputHandler.restoreCursor', 'function'],
  ['_inputHandler.saveCursor', 'function'],
  ['_inputHandler._curAttrData.bg', 'number'],
  ['_inputHandler._curAttrData.extended._ext', 'number'],
  ['_inputHandler._curAttrData.extended.underlineColor', 'number'],
  ['_inputHandler._curAttrData.extended.urlId', 'number'],
  ['_inputHandler._curAttrData.fg', 'number'],
  ['_inputHandler._oscLinkService.addLineToLink', 'function'],
  ['_inputHandler._oscLinkService.registerLink', 'function'],
  ['_inputHandler._parser.clearDcsHandler', 'function'],
  ['_inputHandler._parser.clearOscHandler', 'function'],
  ['_inputHandler._parser.currentState', 'number'],
  ['_inputHandler._parser.precedingJoinState', 'number'],
  ['_inputHandler._parser.registerCsiHandler', 'function'],
  ['_inputHandler._parser.registerDcsHandler', 'function'],
  ['_inputHandler._parser.registerEscHandler', 'function'],
  ['_inputHandler._parser.registerOscHandler', 'function'],
  ['_inputHandler._parser.reset', 'function'],
  ['_inputHandler._parser.setPrintHandler', 'function'],
  ['_inputHandler._utf8Decoder.clear', 'function'],
  ['_inputHandler._utf8Decoder.interim', 'object'],
  ['_inputHandler._windowTitle', 'string'],
  ['_inputHandler._windowTitleStack', 'object'],
  ['_inputHandler._eraseAttrData', 'function'],
  ['_inputHandler.charAttributes', 'function'],
  ['_inputHandler.onTitleChange', 'function'],
  ['_inputHandler.parse', 'function'],
  ['_inputHandler.print', 'function'],
  ['_inputHandler.requestStatusString', 'function'],
  ['_inputHandler.resetMode', 'function'],
  ['_inputHandler.resetModePrivate', 'function'],
  ['_inputHandler.setHyperlink', 'function'],
  ['_inputHandler.setModePrivate', 'function'],
  ['_inputHandler.setTitle', 'function'],
];
const LINE_FIELDS = ['_data', '_combined', '_extendedAttrs'] as const;
const LINE_METHODS = [
  'setCellFromCodepoint',
  'replaceCells',
  'copyCellsFrom',
  'insertCells',
  'deleteCells',
  'getWidth',
] as const;

function at(root: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], root);
}

/** The fields of `core` that are missing or of another type; empty for the version this file was written for. */
export function missingFields(core: unknown): string[] {
  const missing = FIELDS.filter(([path, type]) => typeof at(core, path) !== type).map(([path]) => path);
  const lines = at(core, 'buffers.active.lines') as { get?(i: number): unknown } | undefined;
  const line = lines?.get?.(0);
  for (const field of LINE_FIELDS) if (typeof at(line, field) !== 'object') missing.push(`line.${field}`);
  for (const method of LINE_METHODS)
    if (typeof at(line, method) !== 'function') missing.push(`line.${method}`);
  return missing;
}

/** A new xterm terminal without timers or log output, and its private side. Throws if that side is not as expected. */
export function openCore(options: { readonly cols: number; readonly rows: number }): {
  terminal: Terminal;
  core: XtermCore;
} {
  const terminal = new xterm.Terminal({
    ...options,
    // History is ours: see scrollback.ts.
    scrollback: 0,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: { pushTitle: true, popTitle: true },
  });
  const core = at(terminal, '_core');
  const missing = missingFields(core);
  if (missing.length > 0)
    throw new Error(
      `@xterm/headless is not the ${XTERM_VERSION} that mux was made for: it lacks ${missing.join(', ')}`,
    );
  return { terminal, core: core as XtermCore };
}
