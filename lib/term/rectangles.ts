/**
 * Rectangular areas of a VT420: fill, erase, copy and change attributes (VT510 manual: DECFRA, DECERA, DECSERA, DECCRA,
 * DECCARA, DECRARA, DECSACE). Outside programs that test terminals use them, and some editors draw with them.
 */
import { CELL_WORDS, CONTENT, FG } from './cell.ts';
import type { Kept } from './checkpoint/bytes.ts';
import type { Edges } from './checksum.ts';
import type { SequenceId, XtermCore, XtermLine, XtermParams } from './xterm-core.ts';

const NARROW = 1 << CONTENT.widthShift;

/** Rows and columns that four parameters from `at` name, within the screen; undefined where they name nothing. */
export function areaOf(core: XtermCore, params: readonly number[], at: number): Edges | undefined {
  const [top = 0, left = 0, bottom = 0, right = 0] = params.slice(at, at + 4);
  const { active } = core.buffers;
  const isOrigin = core.coreService.decPrivateModes.origin;
  const first = isOrigin ? active.scrollTop : 0;
  const last = isOrigin ? active.scrollBottom : core.rows - 1;
  const row = (value: number): number => first + value - 1;
  const edges = {
    top: row(top || 1),
    left: (left || 1) - 1,
    bottom: Math.min(bottom === 0 ? last : row(bottom), last),
    right: Math.min(right || core.cols, core.cols) - 1,
  };
  const isEmpty = edges.top > edges.bottom || edges.left > edges.right;
  return isEmpty ? undefined : edges;
}

function eachRow(core: XtermCore, area: Edges, act: (line: XtermLine) => void): void {
  const { active } = core.buffers;
  for (let y = area.top; y <= area.bottom; y++) {
    const line = active.lines.get(active.ybase + y);
    if (line) act(line);
  }
}

/** Printable characters of ISO 8859-1, which DECFRA takes. */
const isFill = (code: number): boolean => (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff);

function fill(core: XtermCore, params: readonly number[]): void {
  const area = areaOf(core, params, 1);
  const code = params[0] ?? 0;
  if (!area || !isFill(code)) return;
  eachRow(core, area, line => {
    const cell = core.buffers.active.getNullCell(core._inputHandler._curAttrData);
    const { content } = cell;
    // The cell is xterm's own and shared: it gets its content back.
    cell.content = code | NARROW;
    line.replaceCells(area.left, area.right + 1, cell);
    cell.content = content;
  });
}

function erase(core: XtermCore, params: readonly number[], keepProtected: boolean): void {
  const area = areaOf(core, params, 0);
  if (!area) return;
  const attributes = core._inputHandler._eraseAttrData();
  eachRow(core, area, line =>
    line.replaceCells(area.left, area.right + 1, core.buffers.active.getNullCell(attributes), keepProtected),
  );
}

/** Blanks halves of wide characters that a copy has cut, at and beside its edges. */
function mendEdges(core: XtermCore, line: XtermLine, from: number, to: number): void {
  const pen = core._inputHandler._eraseAttrData();
  const blank = (x: number): void => line.setCellFromCodepoint(x, 0, 1, pen);
  if (line.getWidth(from) === 0) blank(from);
  if (line.getWidth(to - 1) === 2) blank(to - 1);
  if (from > 0 && line.getWidth(from - 1) === 2) blank(from - 1);
  if (to < line.length && line.getWidth(to) === 0) blank(to);
}

function copy(core: XtermCore, params: readonly number[]): void {
  const area = areaOf(core, params, 0);
  const target = areaOf(core, [params[5] ?? 0, params[6] ?? 0, 0, 0], 0);
  if (!area || !target) return;
  const height = Math.min(area.bottom - area.top, target.bottom - target.top) + 1;
  const width = Math.min(area.right - area.left, target.right - target.left) + 1;
  const { active } = core.buffers;
  const isDown = target.top > area.top;
  for (let n = 0; n < height; n++) {
    const row = isDown ? height - 1 - n : n;
    const from = active.lines.get(active.ybase + area.top + row);
    const to = active.lines.get(active.ybase + target.top + row);
    if (!from || !to) continue;
    to.copyCellsFrom(from, area.left, target.left, width, target.left > area.left);
    mendEdges(core, to, target.left, target.left + width);
  }
}

/** Attributes of DECCARA and DECRARA, by SGR parameter. */
const BITS: Readonly<Record<number, number>> = {
  1: FG.bold,
  4: FG.underline,
  5: FG.blink,
  7: FG.inverse,
  8: FG.invisible,
};
const ALL = Object.values(BITS).reduce((all, bit) => all | bit, 0);

type Change = (fg: number) => number;

/** What SGR parameters do to a cell (DECCARA). */
function setting(parameters: readonly number[]): Change {
  return fg =>
    parameters.reduce((word, parameter) => {
      if (parameter === 0) return word & ~ALL;
      if (BITS[parameter]) return word | BITS[parameter];
      // 22, 24, 25, 27, 28 end what 1, 4, 5, 7, 8 began.
      return word & ~(BITS[parameter === 22 ? 1 : parameter - 20] ?? 0);
    }, fg);
}

/** DECRARA: each attribute named is turned round; 0 is all of them. */
function reversing(parameters: readonly number[]): Change {
  return fg => parameters.reduce((word, p) => word ^ (p === 0 ? ALL : (BITS[p] ?? 0)), fg);
}

function change(core: XtermCore, area: Edges, isRectangle: boolean, act: Change): void {
  let y = area.top;
  eachRow(core, area, line => {
    const from = isRectangle || y === area.top ? area.left : 0;
    const to = isRectangle || y === area.bottom ? area.right : core.cols - 1;
    for (let x = from; x <= to; x++) {
      const at = x * CELL_WORDS + 1;
      line._data[at] = act(line._data[at] ?? 0);
    }
    y++;
  });
}

const list = (params: XtermParams): number[] => Array.from(params.params.subarray(0, params.length));

/** Installs all of them. Returns what they remember. */
export function installRectangles(core: XtermCore): Kept {
  // DECSACE: a stream of characters, until a program asks for rectangles.
  let isRectangle = false;
  const parser = core._inputHandler._parser;
  const on = (id: SequenceId, act: (params: readonly number[]) => void): void =>
    parser.registerCsiHandler(id, params => (act(list(params)), true));
  on({ intermediates: '$', final: 'x' }, params => fill(core, params));
  on({ intermediates: '$', final: 'z' }, params => erase(core, params, false));
  on({ intermediates: '$', final: '{' }, params => erase(core, params, true));
  on({ intermediates: '$', final: 'v' }, params => copy(core, params));
  on({ intermediates: '*', final: 'x' }, ([extent = 0]) => {
    isRectangle = extent === 2;
  });
  for (const [final, changeOf] of [
    ['r', setting],
    ['t', reversing],
  ] as const)
    on({ intermediates: '$', final }, params => {
      const { area, parameters } = attributesOf(core, params, isRectangle);
      if (area) change(core, area, isRectangle, changeOf(parameters));
    });
  return {
    save: to => to.flag(isRectangle),
    load(from) {
      isRectangle = from.flag();
    },
  };
}

function attributesOf(
  core: XtermCore,
  params: readonly number[],
  isRectangle: boolean,
): { readonly area: Edges | undefined; readonly parameters: readonly number[] } {
  const parameters = params.length > 4 ? params.slice(4) : [0];
  // A stream may end left of where it begins.
  const area = areaOf(core, isRectangle ? params : [params[0] ?? 0, 0, params[2] ?? 0, 0], 0);
  if (!area || isRectangle) return { area, parameters };
  const left = Math.min(params[1] || 1, core.cols) - 1;
  const right = Math.min(params[3] || core.cols, core.cols) - 1;
  return { area: { ...area, left, right }, parameters };
}
