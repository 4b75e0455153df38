/**
 * A terminal without mux: @xterm/headless that takes bytes at once, read back as a ScreenView. What it shows is read
 * here and not by lib/term, so that specs have something else to compare with.
 */
import xterm from '@xterm/headless';
import type { CellLine, UnderlineStyle } from '../../lib/term/cell.ts';
import { installGuards } from '../../lib/term/guards.ts';
import { installHandlers } from '../../lib/term/handlers.ts';
import { blankHalves } from '../../lib/term/line-fixes.ts';
import { LinkTable } from '../../lib/term/links.ts';
import { Outbox } from '../../lib/term/outbox.ts';
import { DEFAULT_PALETTE } from '../../lib/term/palette.ts';
import { PassthroughFilter } from '../../lib/term/passthrough.ts';
import type { SavedCursors } from '../../lib/term/vt-cursor.ts';
import { PaneColors } from '../../lib/term/colors.ts';
import { Said } from '../../lib/term/said.ts';
import type { Cursor, ScreenView } from '../../lib/term/screen-view.ts';
import { widthProvider } from '../../lib/term/widths.ts';
import type { XtermCore } from '../../lib/term/xterm-core.ts';
import { LONG_WAY } from './long-way.ts';
import { NO_MODES } from './no-modes.ts';

/** The parts of xterm's insides that hold what its public interface cannot say. */
interface ExtendedAttrs {
  readonly _ext: number;
  readonly urlId: number;
}
interface Core {
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
    isCursorHidden: boolean;
    readonly decPrivateModes: { readonly cursorStyle?: Cursor['shape']; readonly cursorBlink?: boolean };
  };
  readonly _inputHandler: {
    readonly _parser: { precedingJoinState: number };
    readonly _oscLinkService: {
      getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined;
    };
    setTitle(title: string): void;
  };
  writeSync(data: Uint8Array | string): void;
}

/** What a bare terminal has of mux. */
export interface BareOptions {
  /** `xterm` as it comes; `widths` measures characters as mux does; `handlers` also has everything that mux mends. */
  readonly like?: 'xterm' | 'widths' | 'handlers';
  /** Lines kept above the screen. */
  readonly history?: number;
}

/** A colour of 24 bits with all bits set is what xterm stores for SGR 59, the text's own colour. */
const NO_COLOR = 0x3ffffff;

/** A terminal that takes bytes at once and can be read like a pane's screen. */
export class BareTerminal implements ScreenView {
  readonly terminal: xterm.Terminal;
  readonly #core: Core;
  readonly #isMended: boolean;
  #cursors: SavedCursors | undefined;
  readonly #passthrough = new PassthroughFilter();
  readonly #parse = (part: Uint8Array): void => this.#core.writeSync(part);
  seq = 0;
  readonly modes = NO_MODES;
  title = '';
  readonly historySize = 0;

  constructor(cols: number, rows: number, { like = 'widths', history = 0 }: BareOptions = {}) {
    this.terminal = new xterm.Terminal({
      cols,
      rows,
      scrollback: history,
      allowProposedApi: true,
      logLevel: 'off',
      windowOptions: { pushTitle: true, popTitle: true },
    });
    this.#core = (this.terminal as unknown as { readonly _core: Core })._core;
    this.#isMended = like === 'handlers';
    if (like !== 'xterm') {
      this.terminal.unicode.register(widthProvider);
      this.terminal.unicode.activeVersion = widthProvider.version;
    }
    if (this.#isMended) this.#mend();
    this.terminal.onTitleChange(title => (this.title = title));
  }

  /** What mux puts into xterm's parser, without its short ways. xterm's own store forgets a link with its first row. */
  #mend(): void {
    const core = this.#core as unknown as XtermCore;
    core._inputHandler._oscLinkService = new LinkTable();
    installGuards(core, LONG_WAY.print);
    this.#cursors = installHandlers(core, {
      outbox: new Outbox(),
      version: '0.0.0',
      termName: 'xterm-256color',
      hostname: '',
      colors: new PaneColors(DEFAULT_PALETTE),
      said: new Said(),
      onHardReset: () => {
        this.#core.coreService.isCursorHidden = false;
        this.#core._inputHandler.setTitle('');
        this.terminal.options.cursorBlink = false;
      },
      onSoftReset: () => (this.terminal.options.cursorBlink = false),
    }).cursors;
  }

  get cols(): number {
    return this.terminal.cols;
  }
  get rows(): number {
    return this.terminal.rows;
  }

  /** Takes output. */
  write(data: Uint8Array | string): void {
    if (this.#isMended && typeof data !== 'string') this.#passthrough.feed(data, this.#parse);
    else this.#core.writeSync(data);
    this.seq++;
  }

  resize(cols: number, rows: number): void {
    // In mux a cluster does not go on across a resize.
    if (this.#isMended) this.#core._inputHandler._parser.precedingJoinState = 0;
    const resize = (): void => this.terminal.resize(cols, rows);
    if (this.#cursors) this.#cursors.across(resize);
    else resize();
    if (this.#isMended) blankHalves((this.#core as unknown as XtermCore).buffers.normal);
    this.seq++;
  }

  /** `untouched` when no DECSCUSR was seen. */
  get shape(): string {
    const { cursorStyle, cursorBlink } = this.#core.coreService.decPrivateModes;
    return cursorStyle === undefined ? 'untouched' : `${cursorStyle}${cursorBlink ? ' blinking' : ''}`;
  }

  get cursor(): Cursor {
    const { cursorX, cursorY } = this.terminal.buffer.active;
    const { cursorStyle, cursorBlink } = this.#core.coreService.decPrivateModes;
    return {
      x: Math.min(cursorX, this.cols - 1),
      y: cursorY,
      visible: !this.#core.coreService.isCursorHidden,
      shape: cursorStyle ?? (this.terminal.options.cursorBlink ? 'block' : 'default'),
      blink: (cursorStyle && cursorBlink) ?? this.terminal.options.cursorBlink === true,
    };
  }

  line(y: number): CellLine | undefined {
    const { buffer, _inputHandler } = this.#core;
    const line = buffer.lines.get(buffer.ybase + y);
    if (line === undefined) return undefined;
    return {
      words: line._data,
      clusters: line._combined,
      wrapped: false,
      extended(column) {
        const attrs = line._extendedAttrs[column];
        if (attrs === undefined) return undefined;
        const link = attrs.urlId ? _inputHandler._oscLinkService.getLinkData(attrs.urlId) : undefined;
        const color = attrs._ext & NO_COLOR;
        return {
          underlineStyle: ((attrs._ext & 0x1c000000) >> 26) as UnderlineStyle,
          underlineColor: color === NO_COLOR ? 0 : color,
          link: link?.uri ?? '',
          linkId: link?.id ?? '',
        };
      },
    };
  }

  dispose(): void {
    this.terminal.dispose();
  }
}

/** A terminal that mux draws on: its alternate screen, since the main one rearranges its lines when resized. */
export function outerScreen(cols: number, rows: number, options: BareOptions = {}): BareTerminal {
  const terminal = new BareTerminal(cols, rows, options);
  terminal.write('\x1b[?1049h');
  return terminal;
}
