/**
 * Where xterm's parser moves, saves or reports the cursor otherwise than a VT420 and xterm do. A pending wrap (the last
 * column was written and the next character goes to the next line) is column `cols` here, as xterm.js has it.
 * Sources: DEC STD 070, VT510 manual (DECSC, DECRC, DECOM, DSR), ctlseqs.
 */
import { MAX_SIDE } from './bounds.ts';
import { BG } from './cell.ts';
import { loadCharsets, loadExtended, saveCharsets, saveExtended } from './checkpoint/attributes.ts';
import type { ByteReader, ByteWriter, Kept } from './checkpoint/bytes.ts';
import type { XtermBuffer, XtermCharset, XtermCore, XtermExtended, XtermParams } from './xterm-core.ts';

/** G0 to G3. */
const MAX_LEVEL = 3;
/** Rows that a saved one can have moved down to when its line was wrapped anew: far more than come. */
const MAX_ROW = MAX_SIDE * MAX_SIDE;

/** What DECSC saves. */
interface Saved {
  readonly x: number;
  /** Row of the screen; DECRC goes back to it however much was scrolled since. */
  y: number;
  readonly isPending: boolean;
  readonly fg: number;
  readonly bg: number;
  readonly extended: XtermExtended;
  readonly charsets: readonly XtermCharset[];
  readonly glevel: number;
  readonly origin: boolean;
}

function saveCursor(to: ByteWriter, saved: Saved): void {
  for (const value of [saved.x, saved.y, saved.glevel]) to.count(value);
  to.flag(saved.isPending);
  to.flag(saved.origin);
  to.word(saved.fg);
  to.word(saved.bg);
  saveExtended(to, saved.extended);
  saveCharsets(to, saved.charsets);
}

function loadCursor(from: ByteReader, { _inputHandler }: XtermCore): Saved {
  return {
    x: from.count(MAX_SIDE),
    y: from.count(MAX_ROW),
    glevel: from.count(MAX_LEVEL),
    isPending: from.flag(),
    origin: from.flag(),
    // Signed, as xterm's own operations leave them.
    fg: from.word() | 0,
    bg: from.word() | 0,
    extended: loadExtended(from, _inputHandler._curAttrData.extended),
    charsets: loadCharsets(from),
  };
}

/** The saved cursors of a terminal's two screens. */
export class SavedCursors implements Kept {
  readonly #core: XtermCore;
  readonly #byBuffer = new WeakMap<XtermBuffer, Saved>();

  constructor(core: XtermCore) {
    this.#core = core;
  }

  save(to: ByteWriter): void {
    const { normal, alt } = this.#core.buffers;
    for (const buffer of [normal, alt]) {
      const saved = this.#byBuffer.get(buffer);
      to.flag(saved !== undefined);
      if (saved) saveCursor(to, saved);
    }
  }

  load(from: ByteReader): void {
    const { normal, alt } = this.#core.buffers;
    for (const buffer of [normal, alt]) {
      if (from.flag()) this.#byBuffer.set(buffer, loadCursor(from, this.#core));
    }
  }

  /** DECSC. `keepsWrap`: a pending wrap is saved too. Where the alternate screen is left it must go on; DECSC leaves it out. */
  keep(keepsWrap: boolean): void {
    const { buffers, cols, _inputHandler, coreService } = this.#core;
    const { active } = buffers;
    const { fg, bg, extended } = _inputHandler._curAttrData;
    const { _charsets, glevel } = _inputHandler._charsetService;
    this.#byBuffer.set(active, {
      x: Math.min(active.x, cols - 1),
      y: active.y,
      isPending: keepsWrap && active.x >= cols,
      fg,
      bg,
      extended: extended.clone(),
      charsets: [..._charsets],
      glevel,
      origin: coreService.decPrivateModes.origin,
    });
  }

  /** Without anything saved: home, plain, ASCII, no origin mode. */
  restore(): void {
    const { buffers, cols, rows, _inputHandler, coreService } = this.#core;
    const { active } = buffers;
    const saved = this.#byBuffer.get(active);
    const sets = _inputHandler._charsetService;
    coreService.decPrivateModes.origin = saved?.origin ?? false;
    active.y = Math.min(saved?.y ?? 0, rows - 1);
    active.x = Math.min(saved?.x ?? 0, cols - 1);
    _inputHandler._restrictCursor();
    if (saved?.isPending && active.x === cols - 1) active.x = cols;
    sets._charsets = [...(saved?.charsets ?? [])];
    sets.glevel = saved?.glevel ?? 0;
    sets.charset = sets._charsets[sets.glevel];
    const pen = _inputHandler._curAttrData;
    pen.fg = saved?.fg ?? 0;
    pen.bg = saved?.bg ?? 0;
    if (!saved) return;
    // A link is no attribute of the pen: it stays what it is.
    const { urlId } = pen.extended;
    pen.extended = saved.extended.clone();
    pen.extended.urlId = urlId;
    pen.updateExtended();
  }

  /** DECSTR: what the active screen has saved is forgotten. */
  forget(): void {
    this.#byBuffer.delete(this.#core.buffers.active);
  }

  /** Runs a resize, over which saved rows stay with their text: xterm moves its own saved row, ours goes along. */
  across(resize: () => void): void {
    const { normal, alt } = this.#core.buffers;
    for (const buffer of [normal, alt]) {
      const saved = this.#byBuffer.get(buffer);
      if (saved) buffer.savedY = buffer.ybase + saved.y;
    }
    resize();
    for (const buffer of [normal, alt]) {
      const saved = this.#byBuffer.get(buffer);
      if (saved) saved.y = Math.max(0, buffer.savedY - buffer.ybase);
    }
  }
}

/** In origin mode xterm adds the top margin at every movement; here a movement only stays inside the margins. */
function moveWithinMargins(core: XtermCore): void {
  const input = core._inputHandler;
  input._moveCursor = (x, y) => {
    input._restrictCursor();
    core.buffers.active.x += x;
    core.buffers.active.y += y;
    input._restrictCursor();
  };
  const toColumn = (params: XtermParams): boolean => {
    core.buffers.active.x = (params.params[0] || 1) - 1;
    input._restrictCursor();
    return true;
  };
  for (const final of ['G', '`']) input._parser.registerCsiHandler({ final }, toColumn);
}

/** Sequences that start from the last column at a pending wrap. */
const FROM_LAST_COLUMN = [
  { final: 'Z' },
  { intermediates: "'", final: '}' },
  { intermediates: "'", final: '~' },
] as const;

function leavePendingWrap(core: XtermCore): void {
  const leave = (): boolean => {
    const { active } = core.buffers;
    active.x = Math.min(active.x, core.cols - 1);
    return false;
  };
  for (const id of FROM_LAST_COLUMN) core._inputHandler._parser.registerCsiHandler(id, leave);
  // HTS sets the stop where the cursor is seen.
  core._inputHandler._parser.registerEscHandler({ final: 'H' }, () => {
    const { active } = core.buffers;
    active.tabs[Math.min(active.x, core.cols - 1)] = true;
    return true;
  });
}

/** The cursor as CPR tells it: one-based, within the screen, in origin mode from the top margin. */
export function reportedCursor(core: XtermCore): { readonly row: number; readonly column: number } {
  const { active } = core.buffers;
  const top = core.coreService.decPrivateModes.origin ? active.scrollTop : 0;
  return { row: active.y - top + 1, column: Math.min(active.x, core.cols - 1) + 1 };
}

/** SGR leaves the protection of DECSCA alone (VT510, DECSCA). */
function keepProtection(core: XtermCore): void {
  const input = core._inputHandler;
  const change = input.charAttributes.bind(input);
  input.charAttributes = params => {
    const kept = input._curAttrData.bg & BG.isProtected;
    const done = change(params);
    input._curAttrData.bg |= kept;
    return done;
  };
}

/** Installs all of it. Returns the saved cursors, for resets and resizes. */
export function installCursor(core: XtermCore): SavedCursors {
  const input = core._inputHandler;
  const saved = new SavedCursors(core);
  const restore = (): boolean => (saved.restore(), true);
  // Modes 1048 and 1049 call these.
  input.saveCursor = () => (saved.keep(true), true);
  input.restoreCursor = restore;
  const save = (): boolean => (saved.keep(false), true);
  input._parser.registerEscHandler({ final: '7' }, save);
  input._parser.registerEscHandler({ final: '8' }, restore);
  input._parser.registerCsiHandler({ final: 's' }, save);
  input._parser.registerCsiHandler({ final: 'u' }, restore);
  moveWithinMargins(core);
  leavePendingWrap(core);
  keepProtection(core);
  return saved;
}
