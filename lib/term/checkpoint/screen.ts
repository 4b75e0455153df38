/**
 * What xterm itself keeps between two writes, as bytes: both screens, the pen, modes, character sets, tab stops, titles.
 * What it only keeps inside a sequence is no part of it: then there is no checkpoint.
 */
import { MAX_SIDE } from '../bounds.ts';
import type { PromptMarks } from '../prompt-marks.ts';
import type { XtermBuffer, XtermCore } from '../xterm-core.ts';
import {
  loadCharsets,
  loadChoice,
  loadExtended,
  saveCharsets,
  saveChoice,
  saveExtended,
} from './attributes.ts';
import { malformed, type ByteReader, type ByteWriter, type Kept } from './bytes.ts';
import { LineReader, LineWriter } from './lines.ts';

/** Modes by the names of xterm's fields. New ones go to the end, with another FORMAT. */
const MODES = [
  'applicationCursorKeys',
  'applicationKeypad',
  'bracketedPasteMode',
  'origin',
  'reverseWraparound',
  'sendFocus',
  'synchronizedOutput',
  'wraparound',
] as const;
const OPTIONS = ['convertEol', 'cursorBlink'] as const;
const SHAPES = ['block', 'underline', 'bar'] as const;
const BLINKS = [false, true] as const;
const PROTOCOLS = ['NONE', 'X10', 'VT200', 'DRAG', 'ANY'] as const;
const ENCODINGS = ['DEFAULT', 'SGR', 'SGR_PIXELS'] as const;
/** Titles that XTWINOPS 22 puts aside; xterm drops the oldest beyond that. */
const MAX_TITLES = 10;
const GROUND = 0;

/** Whether xterm is between two sequences and two characters, where all that it knows is in `ScreenState`. */
export function isBetween({ _parser, _utf8Decoder }: XtermCore['_inputHandler']): boolean {
  return _parser.currentState === GROUND && _utf8Decoder.interim[0] === 0;
}

/** xterm's state. */
export class ScreenState implements Kept {
  readonly #core: XtermCore;
  readonly #prompts: PromptMarks;

  constructor(core: XtermCore, prompts: PromptMarks) {
    this.#core = core;
    this.#prompts = prompts;
  }

  save(to: ByteWriter): void {
    const { active, normal, alt } = this.#core.buffers;
    const lines = new LineWriter(to);
    to.flag(active === alt);
    for (const buffer of [normal, alt]) {
      this.#saveLines(to, lines, buffer);
      savePlaces(to, buffer);
    }
    this.#savePen(to);
    this.#saveModes(to);
    this.#saveTitles(to);
  }

  load(from: ByteReader): void {
    const { buffers, _inputHandler: input } = this.#core;
    if (from.flag()) buffers.activateAltBuffer(input._curAttrData);
    const lines = new LineReader(from, input._curAttrData.extended);
    for (const buffer of [buffers.normal, buffers.alt]) {
      this.#loadLines(from, lines, buffer);
      loadPlaces(from, buffer, this.#core);
    }
    this.#loadPen(from);
    this.#loadModes(from);
    this.#loadTitles(from);
  }

  /**
   * The alternate screen may have lines above it: where the terminal got lower before it was shown, xterm has room for
   * as many as it was higher, and shows them again when it gets higher.
   */
  #saveLines(to: ByteWriter, writer: LineWriter, { lines, ybase }: XtermBuffer): void {
    for (const value of [lines.maxLength, lines.length, ybase]) to.count(value);
    for (let i = 0; i < lines.length; i++) {
      const line = lines.get(i)!;
      writer.write(line, this.#prompts.has(line));
    }
  }

  #loadLines(from: ByteReader, reader: LineReader, buffer: XtermBuffer): void {
    const { lines } = buffer;
    const most = from.count(MAX_SIDE);
    const length = from.count(most);
    const above = from.count(length);
    // What was made with the screen: none for an alternate screen that is not shown.
    const own = lines.length;
    if (length - above !== own) throw malformed('a screen without all its rows');
    lines.maxLength = most;
    const { _curAttrData: pen } = this.#core._inputHandler;
    lines.splice(0, 0, ...Array.from({ length: above }, () => buffer.getBlankLine(pen)));
    buffer.ybase = above;
    buffer.ydisp = above;
    for (let i = 0; i < length; i++) {
      const line = lines.get(i)!;
      if (reader.read(line, this.#core.cols)) this.#prompts.add(line);
    }
  }

  #savePen(to: ByteWriter): void {
    const { _curAttrData: pen, _charsetService: sets, _parser } = this.#core._inputHandler;
    to.word(pen.fg);
    to.word(pen.bg);
    saveExtended(to, pen.extended);
    saveCharsets(to, sets._charsets);
    to.count(sets.glevel);
    to.count(_parser.precedingJoinState);
  }

  #loadPen(from: ByteReader): void {
    const { _curAttrData: pen, _charsetService: sets, _parser } = this.#core._inputHandler;
    // Signed, as xterm's own operations leave them.
    pen.fg = from.word() | 0;
    pen.bg = from.word() | 0;
    pen.extended = loadExtended(from, pen.extended);
    sets._charsets = loadCharsets(from);
    sets.glevel = from.count(sets._charsets.length - 1);
    sets.charset = sets._charsets[sets.glevel];
    _parser.precedingJoinState = from.count();
  }

  #saveModes(to: ByteWriter): void {
    const { coreService, coreMouseService, optionsService } = this.#core;
    const { decPrivateModes } = coreService;
    for (const mode of MODES) to.flag(decPrivateModes[mode]);
    for (const option of OPTIONS) to.flag(optionsService.rawOptions[option]);
    to.flag(coreService.modes.insertMode);
    to.flag(coreService.isCursorHidden);
    saveChoice(to, SHAPES, decPrivateModes.cursorStyle);
    saveChoice(to, BLINKS, decPrivateModes.cursorBlink);
    saveChoice<string>(to, PROTOCOLS, coreMouseService.activeProtocol);
    saveChoice<string>(to, ENCODINGS, coreMouseService.activeEncoding);
  }

  #loadModes(from: ByteReader): void {
    const { coreService, coreMouseService, optionsService } = this.#core;
    const { decPrivateModes } = coreService;
    for (const mode of MODES) decPrivateModes[mode] = from.flag();
    for (const option of OPTIONS) optionsService.rawOptions[option] = from.flag();
    coreService.modes.insertMode = from.flag();
    coreService.isCursorHidden = from.flag();
    decPrivateModes.cursorStyle = loadChoice(from, SHAPES);
    decPrivateModes.cursorBlink = loadChoice(from, BLINKS);
    coreMouseService.activeProtocol = loadChoice(from, PROTOCOLS) ?? PROTOCOLS[0];
    coreMouseService.activeEncoding = loadChoice(from, ENCODINGS) ?? ENCODINGS[0];
  }

  #saveTitles(to: ByteWriter): void {
    const { _windowTitle, _windowTitleStack } = this.#core._inputHandler;
    to.text(_windowTitle);
    to.count(_windowTitleStack.length);
    for (const title of _windowTitleStack) to.text(title);
  }

  #loadTitles(from: ByteReader): void {
    const input = this.#core._inputHandler;
    input.setTitle(from.text());
    input._windowTitleStack = Array.from({ length: from.count(MAX_TITLES) }, () => from.text());
  }
}

function savePlaces(to: ByteWriter, { x, y, scrollTop, scrollBottom, tabs }: XtermBuffer): void {
  for (const value of [x, y, scrollTop, scrollBottom]) to.count(value);
  const stops = Object.keys(tabs)
    .map(Number)
    .filter(column => tabs[column]);
  to.count(stops.length);
  for (const column of stops) to.count(column);
}

function loadPlaces(from: ByteReader, buffer: XtermBuffer, { cols, rows }: XtermCore): void {
  // Column `cols` is a pending wrap.
  buffer.x = from.count(cols);
  buffer.y = from.count(rows - 1);
  buffer.scrollTop = from.count(rows - 1);
  buffer.scrollBottom = from.count(rows - 1);
  if (buffer.scrollTop > buffer.scrollBottom) throw malformed('margins that cross');
  buffer.tabs = {};
  for (let n = from.count(MAX_SIDE + 1); n > 0; n--) buffer.tabs[from.count(MAX_SIDE)] = true;
}
