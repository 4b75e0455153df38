/**
 * What lies over a client's screen and has its keyboard: pickers, dialogs, help, the lore browser.
 */
import type { OverlayView } from '../../chrome/view.ts';
import type { CommandPlace } from '../../cmd/spec.ts';
import type { Key } from '../../input/event.ts';
import type { ModeEvent } from '../../mode/event.ts';

/** What the mouse did over an overlay. */
export type PointerAction = 'press' | 'drag' | 'release';

export interface Overlay {
  /** The key table its keys are looked up in first; text keys that are bound to nothing come as `text`. */
  readonly table: string;
  view(): OverlayView;
  event(event: ModeEvent): void;
  /** A key that its table does not bind; overlays without it get text alone, as `text` events. */
  key?(key: Key): void;
  /** The mouse over the item of that index, -1 beside all; overlays without it get `select` for presses alone. */
  pointer?(action: PointerAction, index: number): void;
  /** An item was clicked; `accept` for a second click on the selected one. */
  select(index: number): void;
  /** A facet was clicked. */
  facet?(index: number): void;
  /** What it shows of the model may have changed. Called before the next drawing: it need not ask for one. */
  refresh(): void;
  /** Frees what it holds; called once, when it is closed. */
  dispose(): void;
}

/** What an overlay may ask of the client it lies over. */
export interface OverlayHost {
  close(): void;
  /** Draw again: the view has changed. */
  redraw(): void;
  /** Runs a command line for this client; errors are shown there. */
  run(commandLine: string, at?: CommandPlace): void;
  message(text: string, tone: 'info' | 'error'): void;
}
