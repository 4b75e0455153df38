/**
 * What xterm's parser lacks of, or does otherwise with, whole rows and the whole screen.
 * Sources: VT510 manual (DECALN, DECCOLM, DECBI, DECFI, DECST8C, ED), ctlseqs (SU, SD), VT100 manual (special graphics).
 */
import type { XtermCharset, XtermCore, XtermParams } from './xterm-core.ts';

const count = (params: XtermParams, most: number): number => Math.min(params.params[0] || 1, most);

function contains(params: XtermParams, value: number): boolean {
  for (let i = 0; i < params.length; i++) if (params.params[i] === value) return true;
  return false;
}

function eraseRow(core: XtermCore, y: number, from: number, to: number, keepProtected = false): void {
  const { active } = core.buffers;
  const line = active.lines.get(active.ybase + y);
  if (!line) return;
  line.replaceCells(from, to, active.getNullCell(core._inputHandler._eraseAttrData()), keepProtected);
  if (from === 0) line.isWrapped = false;
}

function resetMargins(core: XtermCore): void {
  core.buffers.active.scrollTop = 0;
  core.buffers.active.scrollBottom = core.rows - 1;
}

/**
 * DECCOLM: a pane's width is not the program's to choose, but the rest of it is done: an empty screen, no margins, the
 * cursor home.
 */
function installColumnMode(core: XtermCore): void {
  for (const final of ['h', 'l']) {
    core._inputHandler._parser.registerCsiHandler({ prefix: '?', final }, params => {
      if (!contains(params, 3)) return false;
      resetMargins(core);
      for (let y = 0; y < core.rows; y++) eraseRow(core, y, 0, core.cols);
      core.buffers.active.x = 0;
      core.buffers.active.y = 0;
      return false;
    });
  }
}

/** ED 1, DECSED 1: xterm's own fails in the last cell of a screen without history. */
function installEraseAbove(core: XtermCore): void {
  const input = core._inputHandler;
  const eraseAbove =
    (keepProtected: boolean) =>
    (params: XtermParams): boolean => {
      if (params.params[0] !== 1) return false;
      input._restrictCursor();
      const { active } = core.buffers;
      for (let y = 0; y < active.y; y++) eraseRow(core, y, 0, core.cols, keepProtected);
      eraseRow(core, active.y, 0, active.x + 1, keepProtected);
      const below = active.lines.get(active.ybase + active.y + 1);
      if (below && active.x === core.cols - 1) below.isWrapped = false;
      return true;
    };
  input._parser.registerCsiHandler({ final: 'J' }, eraseAbove(false));
  input._parser.registerCsiHandler({ prefix: '?', final: 'J' }, eraseAbove(true));
}

/** SU moves what leaves the top of the screen into history, as line feeds do; SD fills with the pen's background. */
function installScrolling(core: XtermCore): void {
  const input = core._inputHandler;
  input._parser.registerCsiHandler({ final: 'S' }, params => {
    if (core.buffers.active.scrollTop > 0) return false;
    for (let n = count(params, core.rows); n > 0; n--) core._bufferService.scroll(input._eraseAttrData());
    return true;
  });
  const scrollDown = (params: XtermParams): boolean => {
    // With five parameters it is XTHIMOUSE, which nobody here answers.
    if (params.length > 1) return true;
    const { active } = core.buffers;
    const { lines, ybase, scrollTop, scrollBottom } = active;
    for (let n = count(params, core.rows); n > 0; n--) {
      lines.splice(ybase + scrollBottom, 1);
      lines.splice(ybase + scrollTop, 0, active.getBlankLine(input._eraseAttrData()));
    }
    return true;
  };
  for (const final of ['T', '^']) input._parser.registerCsiHandler({ final }, scrollDown);
}

/** DECBI, DECFI: at an edge the text moves instead of the cursor. */
function installColumnIndex(core: XtermCore): void {
  const input = core._inputHandler;
  const shift = (edge: (cols: number) => number, step: 1 | -1) => (): boolean => {
    const { active } = core.buffers;
    const x = Math.min(active.x, core.cols - 1);
    if (x !== edge(core.cols)) {
      active.x = x + step;
      return true;
    }
    if (active.y < active.scrollTop || active.y > active.scrollBottom) return true;
    for (let y = active.scrollTop; y <= active.scrollBottom; y++) {
      const line = active.lines.get(active.ybase + y);
      const blank = active.getNullCell(input._eraseAttrData());
      if (step < 0) line?.insertCells(0, 1, blank);
      else line?.deleteCells(0, 1, blank);
    }
    return true;
  };
  input._parser.registerEscHandler(
    { final: '6' },
    shift(() => 0, -1),
  );
  input._parser.registerEscHandler(
    { final: '9' },
    shift(cols => cols - 1, 1),
  );
}

/** A character that only the special graphics set replaces: the diamond. */
const DIAMOND = '`';

/** The special graphics set has a blank where ASCII has the underscore; xterm's table leaves it out. */
function installGraphicsBlank(core: XtermCore): void {
  const sets = core._inputHandler._charsetService;
  const designate = sets.setgCharset.bind(sets);
  const complete = new WeakMap<object, XtermCharset>();
  sets.setgCharset = (g, charset) => {
    if (charset?.[DIAMOND] !== '\u25c6') return designate(g, charset);
    let whole = complete.get(charset);
    if (!whole) complete.set(charset, (whole = { ...charset, _: ' ' }));
    designate(g, whole);
  };
}

const LETTER_E = 0x45;

/** DECALN: a screen of plain E, whatever the pen is, without margins, the cursor home. */
function align(core: XtermCore): void {
  const { active } = core.buffers;
  const pen = core._inputHandler._curAttrData;
  const plain = { fg: 0, bg: 0, extended: pen.extended, updateExtended: () => undefined };
  resetMargins(core);
  for (let y = 0; y < core.rows; y++) {
    const line = active.lines.get(active.ybase + y);
    if (!line) continue;
    line.isWrapped = false;
    for (let x = 0; x < core.cols; x++) line.setCellFromCodepoint(x, LETTER_E, 1, plain);
  }
  active.x = 0;
  active.y = 0;
}

/** ICH in the right half of a wide character: xterm would push that half away from the other. */
function installInsert(core: XtermCore): void {
  core._inputHandler._parser.registerCsiHandler({ final: '@' }, () => {
    const { active } = core.buffers;
    const x = Math.min(active.x, core.cols - 1);
    const line = active.lines.get(active.ybase + active.y);
    if (!line || x === 0 || line.getWidth(x - 1) !== 2) return false;
    const blank = core._inputHandler._eraseAttrData();
    line.setCellFromCodepoint(x - 1, 0, 1, blank);
    line.setCellFromCodepoint(x, 0, 1, blank);
    return false;
  });
}

/** Installs all of it. */
export function installScreen(core: XtermCore): void {
  const parser = core._inputHandler._parser;
  installColumnMode(core);
  installEraseAbove(core);
  installScrolling(core);
  installColumnIndex(core);
  installInsert(core);
  installGraphicsBlank(core);
  parser.registerEscHandler({ intermediates: '#', final: '8' }, () => (align(core), true));
  // DECST8C: a tab stop every eight columns.
  parser.registerCsiHandler({ prefix: '?', final: 'W' }, params => {
    if (params.params[0] !== 5) return false;
    core.buffers.active.tabs = {};
    core.buffers.active.setupTabStops();
    return true;
  });
}
