/**
 * xterm's buffers and services in the words of screen-view.ts.
 */
import type { CellLine, Extended, UnderlineStyle } from './cell.ts';
import { COLOR } from './cell.ts';
import type { KeyboardModes } from './keyboard-modes.ts';
import { KEPT, type KeptModes } from './modes.ts';
import type { Cursor, MouseEncoding, MouseTracking, TermModes } from './screen-view.ts';
import type { XtermCore, XtermExtended, XtermLine, XtermLinkStore } from './xterm-core.ts';

/** Where `_ext` keeps the underline style. xterm's getter answers "dashed" for every link, whatever was set. */
export const STYLE = { shift: 26, mask: 7 } as const;

/** xterm's extended attributes as ours; a link that is no longer remembered is none. */
export function readExtended(attributes: XtermExtended, links: XtermLinkStore): Extended {
  const link = attributes.urlId === 0 ? undefined : links.getLinkData(attributes.urlId);
  return {
    underlineStyle: ((attributes._ext >> STYLE.shift) & STYLE.mask) as UnderlineStyle,
    underlineColor: attributes.underlineColor & (COLOR.modeMask | COLOR.rgbMask),
    link: link?.uri ?? '',
    linkId: link?.id ?? '',
  };
}

/** One line, read in place. */
export class LineView implements CellLine {
  readonly words: Uint32Array;
  readonly clusters: Readonly<Record<number, string>>;
  readonly wrapped: boolean;
  readonly isPrompt: boolean;
  readonly #line: XtermLine;
  readonly #links: XtermLinkStore;

  constructor(line: XtermLine, links: XtermLinkStore, isPrompt = false) {
    this.isPrompt = isPrompt;
    this.words = line._data;
    this.clusters = line._combined;
    this.wrapped = line.isWrapped;
    this.#line = line;
    this.#links = links;
  }

  extended(column: number): Extended | undefined {
    const attributes = this.#line._extendedAttrs[column];
    return attributes && readExtended(attributes, this.#links);
  }
}

const TRACKING: Readonly<Record<string, MouseTracking>> = {
  X10: 'x10',
  VT200: 'press',
  DRAG: 'drag',
  ANY: 'any',
};
const ENCODING: Readonly<Record<string, MouseEncoding>> = { SGR: 'sgr', SGR_PIXELS: 'sgr-pixels' };

/** The modes as they are now. */
export function readModes(core: XtermCore, keyboard: KeyboardModes, kept: KeptModes): TermModes {
  const dec = core.coreService.decPrivateModes;
  const alternateScreen = core.buffers.active === core.buffers.alt;
  return {
    alternateScreen,
    applicationCursor: dec.applicationCursorKeys,
    applicationKeypad: dec.applicationKeypad,
    bracketedPaste: dec.bracketedPasteMode,
    focusReports: dec.sendFocus,
    kittyFlags: keyboard.flags(alternateScreen),
    modifyOtherKeys: keyboard.modifyOtherKeys,
    mouseTracking: TRACKING[core.coreMouseService.activeProtocol] ?? 'none',
    mouseEncoding: kept.has(KEPT.mouseUrxvt)
      ? 'urxvt'
      : kept.has(KEPT.mouseUtf8)
        ? 'utf8'
        : (ENCODING[core.coreMouseService.activeEncoding] ?? 'default'),
    alternateScroll: kept.has(KEPT.alternateScroll),
    synchronized: dec.synchronizedOutput,
  };
}

/** The cursor as it is now; `blinks` is what holds while DECSCUSR has not said. */
export function readCursor(core: XtermCore, blinks: boolean): Cursor {
  const { active } = core.buffers;
  const dec = core.coreService.decPrivateModes;
  return {
    x: Math.min(active.x, core.cols - 1),
    y: active.y,
    visible: !core.coreService.isCursorHidden,
    // DECSCUSR has no number for the person's shape that blinks.
    shape: dec.cursorStyle ?? (blinks ? 'block' : 'default'),
    blink: dec.cursorStyle ? (dec.cursorBlink ?? blinks) : blinks,
  };
}
