/**
 * A terminal to draw on: @xterm/headless, read back as a ScreenView.
 */
import xterm from '@xterm/headless';
import type { Cursor, ScreenView, TermModes } from '../../lib/term/screen-view.ts';
import type { CellLine, UnderlineStyle } from '../../lib/term/cell.ts';

/** The parts of xterm's insides that hold what its public interface cannot say. */
interface ExtendedAttrs {
  readonly _ext: number;
  readonly urlId: number;
}
interface Core {
  readonly _core: {
    readonly buffer: {
      readonly ybase: number;
      readonly lines: {
        get(y: number):
          | {
              readonly _data: Uint32Array;
              readonly _combined: Record<number, string>;
              readonly _extendedAttrs: Record<number, ExtendedAttrs | undefined>;
            }
          | undefined;
      };
    };
    readonly coreService: {
      readonly isCursorHidden: boolean;
      readonly decPrivateModes: { readonly cursorStyle?: string; readonly cursorBlink?: boolean };
    };
    readonly _oscLinkService: {
      getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined;
    };
    writeSync(data: Uint8Array | string): void;
  };
}

const isJoiner = (c: number): boolean =>
  (c >= 0x300 && c <= 0x36f) || c === 0xfe0f || c === 0x200d || (c >= 0x1f3fb && c <= 0x1f3ff);
const isRegional = (c: number): boolean => c >= 0x1f1e6 && c <= 0x1f1ff;
const isWide = (c: number): boolean =>
  (c >= 0x3000 && c <= 0xd7a3) ||
  (c >= 0xff01 && c <= 0xff60) ||
  (c >= 0x1f300 && c <= 0x1faff) ||
  c >= 0x20000;

/** Widths of the few characters that specs use, joined as UAX #29 does. State: 1 after ZWJ, 2 after one flag half. */
const provider = {
  version: 'spec',
  wcwidth: (c: number): 0 | 1 | 2 => (isJoiner(c) ? 0 : isWide(c) ? 2 : 1),
  charProperties(c: number, before: number): number {
    const state = before >> 3;
    const width = (before >> 1) & 3;
    const value = (newState: number, newWidth: number, join: boolean): number =>
      (newState << 3) | (newWidth << 1) | (join ? 1 : 0);
    if (before !== 0) {
      if (c === 0x200d) return value(1, width, true);
      if (c === 0xfe0f) return value(0, 2, true);
      if (isJoiner(c) || state === 1) return value(0, Math.max(width, this.wcwidth(c)), true);
      if (state === 2 && isRegional(c)) return value(0, 2, true);
    }
    return value(isRegional(c) ? 2 : 0, this.wcwidth(c), false);
  },
};

const MODES: TermModes = {
  alternateScreen: false,
  applicationCursor: false,
  applicationKeypad: false,
  bracketedPaste: false,
  focusReports: false,
  kittyFlags: 0,
  modifyOtherKeys: 0,
  mouseTracking: 'none',
  mouseEncoding: 'default',
  synchronized: false,
};

/** A terminal that takes bytes at once and can be read like a pane's screen. */
export class Terminal implements ScreenView {
  readonly terminal: xterm.Terminal;
  readonly #core: Core['_core'];
  seq = 0;
  readonly modes = MODES;
  readonly title = '';
  readonly historySize = 0;

  /** @param agrees whether it measures clusters as the specs do; else as xterm does by itself */
  constructor(cols: number, rows: number, agrees = true) {
    this.terminal = new xterm.Terminal({
      cols,
      rows,
      scrollback: 0,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.#core = (this.terminal as unknown as Core)._core;
    // The alternate screen, as in use: the main one rearranges its lines when resized.
    this.write('\x1b[?1049h');
    if (!agrees) return;
    this.terminal.unicode.register(provider);
    this.terminal.unicode.activeVersion = provider.version;
  }

  get cols(): number {
    return this.terminal.cols;
  }
  get rows(): number {
    return this.terminal.rows;
  }

  /** Takes output. */
  write(data: Uint8Array | string): void {
    this.#core.writeSync(data);
    this.seq++;
  }

  /** `untouched` when no DECSCUSR was seen. */
  get shape(): string {
    const { cursorStyle, cursorBlink } = this.#core.coreService.decPrivateModes;
    return cursorStyle === undefined ? 'untouched' : `${cursorStyle}${cursorBlink ? ' blinking' : ''}`;
  }

  get cursor(): Cursor {
    const { cursorX, cursorY } = this.terminal.buffer.active;
    return {
      x: Math.min(cursorX, this.cols - 1),
      y: cursorY,
      visible: !this.#core.coreService.isCursorHidden,
      shape: 'block',
      blink: false,
    };
  }

  line(y: number): CellLine | undefined {
    const { buffer, _oscLinkService } = this.#core;
    const line = buffer.lines.get(buffer.ybase + y);
    if (line === undefined) return undefined;
    return {
      words: line._data,
      clusters: line._combined,
      wrapped: false,
      extended(column) {
        const attrs = line._extendedAttrs[column];
        if (attrs === undefined) return undefined;
        const link = attrs.urlId ? _oscLinkService.getLinkData(attrs.urlId) : undefined;
        const color = attrs._ext & 0x3ffffff;
        return {
          underlineStyle: ((attrs._ext & 0x1c000000) >> 26) as UnderlineStyle,
          // SGR 59 stores -1.
          underlineColor: color === 0x3ffffff ? 0 : color,
          link: link?.uri ?? '',
          linkId: link?.id ?? '',
        };
      },
    };
  }
}
