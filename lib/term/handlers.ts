/**
 * Puts the tables of replies and signals into xterm's parser, every payload bounded.
 */
import { BG } from './cell.ts';
import type { Outbox } from './outbox.ts';
import { routeApc } from './apc.ts';
import type { Kept } from './checkpoint/bytes.ts';
import { COLOR_OSCS } from './color-oscs.ts';
import type { PaneColors } from './colors.ts';
import { installImages } from './image.ts';
import { installLineCopy } from './line-fixes.ts';
import { installModes, type KeptModes } from './modes.ts';
import { BoundedPayload } from './payload.ts';
import { PromptMarks } from './prompt-marks.ts';
import { areaOf, installRectangles } from './rectangles.ts';
import { CSI_REPLIES, DCS_REPLIES } from './replies.ts';
import type { ModeState, ReplyPort } from './replies.ts';
import { notificationRow } from './notification.ts';
import type { Said } from './said.ts';
import { SIGNAL_OSCS } from './signals.ts';
import type { OscRow, SignalPort } from './signals.ts';
import { sgrParameters } from './sgr.ts';
import { rectangleChecksum } from './checksum.ts';
import { readExtended } from './state.ts';
import { installCursor, reportedCursor } from './vt-cursor.ts';
import type { SavedCursors } from './vt-cursor.ts';
import { installScreen } from './vt-screen.ts';
import type { XtermCore, XtermParams } from './xterm-core.ts';

/** What handlers tell and are told. */
export interface HandlerOptions {
  readonly outbox: Outbox;
  readonly version: string;
  readonly termName: string;
  readonly hostname: string;
  readonly colors: PaneColors;
  readonly said: Said;
  /** Before xterm does RIS. */
  onHardReset(): void;
  /** Before xterm does DECSTR. */
  onSoftReset(): void;
  /** A shell says where in a prompt or a command it is (OSC 133), before anything is done about it. */
  onPromptMark?(mark: 'A' | 'B' | 'C' | 'D'): void;
  /** Bracketed paste is about to be turned on: what line editors do when they begin. */
  onLineEditor?(): void;
  /** A screen that was held is what its program wants to be seen. */
  onRelease?(): void;
}

/** Most characters of an OSC 8 with its parameters: twice what other terminals take for a target. */
const MAX_LINK = 4096;
/** Most characters of a colour query: 256 pairs like `255;?;`. */
const MAX_COLOR_QUERY = 2048;

const SHAPES = { block: 2, underline: 4, bar: 6 } as const;

function replyPort(
  core: XtermCore,
  options: HandlerOptions,
  mode: (number: number) => ModeState | undefined,
): ReplyPort {
  const input = core._inputHandler;
  return {
    reply: text => options.outbox.reply(text),
    get size() {
      return { cols: core.cols, rows: core.rows };
    },
    colors: options.colors,
    mode,
    cursor: () => reportedCursor(core),
    version: options.version,
    termName: options.termName,
    pen() {
      const { fg, bg, extended } = input._curAttrData;
      const beyond = bg & BG.hasExtended ? readExtended(extended, input._oscLinkService) : undefined;
      return sgrParameters({ fg, bg, extended: beyond });
    },
    cursorStyle() {
      const { cursorStyle, cursorBlink } = core.coreService.decPrivateModes;
      return cursorStyle ? SHAPES[cursorStyle] - (cursorBlink ? 1 : 0) : 0;
    },
    checksum(area) {
      const edges = areaOf(core, area, 0);
      return edges ? rectangleChecksum(core, edges) : 0;
    },
  };
}

/** Parameters as a list; the array itself is the parser's and longer. */
function list(params: XtermParams): number[] {
  return Array.from(params.params.subarray(0, params.length));
}

function installReplies(core: XtermCore, port: ReplyPort): void {
  const input = core._inputHandler;
  const parser = input._parser;
  for (const row of CSI_REPLIES) parser.registerCsiHandler(row.id, params => row.answer(list(params), port));
  for (const row of COLOR_OSCS) {
    parser.clearOscHandler(row.ident);
    parser.registerOscHandler(row.ident, new BoundedPayload(MAX_COLOR_QUERY, data => row.handle(data, port)));
  }
  for (const row of DCS_REPLIES) {
    parser.clearDcsHandler(row.id);
    const answer = (data: string): void => {
      if (!row.answer(data, port)) input.requestStatusString(data);
    };
    parser.registerDcsHandler(row.id, new BoundedPayload(row.limit, answer));
  }
}

function installSignals(core: XtermCore, notifications: OscRow, port: SignalPort): void {
  const input = core._inputHandler;
  for (const row of [...SIGNAL_OSCS, notifications]) {
    input._parser.clearOscHandler(row.ident);
    const handle = (data: string): void => row.handle(data, port);
    input._parser.registerOscHandler(row.ident, new BoundedPayload(row.limit, handle, row.cut));
  }
  input._parser.clearOscHandler(8);
  const link = (data: string): void => void input.setHyperlink(data);
  input._parser.registerOscHandler(8, new BoundedPayload(MAX_LINK, link));
}

/** What the handlers of one terminal remember, for its owner. */
export interface InstalledHandlers {
  readonly cursors: SavedCursors;
  readonly prompts: PromptMarks;
  /** All that has to be in a checkpoint: who adds a handler that remembers something adds it here. */
  readonly kept: readonly Kept[];
  readonly modes: KeptModes;
}

/** Installs every handler on a new terminal. */
export function installHandlers(core: XtermCore, options: HandlerOptions): InstalledHandlers {
  const { outbox, colors } = options;
  const { _parser, setTitle } = core._inputHandler;
  const cursors = installCursor(core);
  const prompts = new PromptMarks(core);
  const modes = installModes(core, {
    colors,
    reply: text => outbox.reply(text),
    onLineEditor: () => options.onLineEditor?.(),
    onRelease: () => {
      if (core.coreService.decPrivateModes.synchronizedOutput) options.onRelease?.();
    },
  });
  installScreen(core);
  installLineCopy(core);
  const rectangles = installRectangles(core);
  routeApc(core);
  const images = installImages(core);
  const notifications = notificationRow();
  installReplies(
    core,
    replyPort(core, options, number => modes.state(number)),
  );
  installSignals(core, notifications, {
    signal(signal) {
      if (signal.type === 'prompt') options.onPromptMark?.(signal.mark);
      if (signal.type === 'prompt' && signal.mark === 'A') prompts.mark();
      options.said.hear(signal);
      outbox.signal(signal);
    },
    title: title => void setTitle.call(core._inputHandler, title),
    reply: text => outbox.reply(text),
    hostname: options.hostname,
  });
  _parser.registerEscHandler({ final: 'c' }, () => {
    modes.reset();
    colors.resetAll();
    options.onHardReset();
    return false;
  });
  _parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => {
    cursors.forget();
    options.onSoftReset();
    return false;
  });
  return { cursors, prompts, modes, kept: [cursors, modes, rectangles, images, notifications] };
}
