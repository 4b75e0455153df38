/**
 * The two that recordings are played to: mux's emulator, and a bare @xterm/headless with nothing of mux in it.
 */
import xterm from '@xterm/headless';
import type { CellLine } from '../../lib/term/cell.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { LineView } from '../../lib/term/state.ts';
import type { XtermCore } from '../../lib/term/xterm-core.ts';
import type { MakePlayer } from './recording.ts';

/** mux's own. A fault of the parser is thrown. */
export const mux: MakePlayer = (cols, rows, historyLines) => {
  const emulator = new Emulator({ cols, rows, historyLines });
  emulator.onFault(fault => {
    throw fault;
  });
  return emulator;
};

/** @xterm/headless as it comes. */
export const bare: MakePlayer = (cols, rows, scrollback) => {
  const terminal = new xterm.Terminal({ cols, rows, scrollback, allowProposedApi: true, logLevel: 'off' });
  const { _core: core } = terminal as unknown as { readonly _core: XtermCore };
  return {
    write: bytes => void core._inputHandler.parse(bytes),
    line(y): CellLine | undefined {
      const { active } = core.buffers;
      const line = active.lines.get(active.ybase + y);
      return line && new LineView(line, core._inputHandler._oscLinkService);
    },
  };
};
