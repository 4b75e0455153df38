/**
 * What copy mode reacts to, and what it asks for.
 */
import type { Point } from '../../base/geometry.ts';
import type { SearchNews, SearchRequest } from './search-run.ts';
import type { SelectionUnit } from './state.ts';

export type CopyEvent =
  /** An action by the name that `send-keys -X` has for it, its arguments, and how often (0: not said). */
  | {
      readonly type: 'action';
      readonly name: string;
      readonly args: readonly string[];
      readonly count: number;
    }
  | SearchNews
  /** The mouse begins a selection at a cell of the pane as shown. */
  | { readonly type: 'press'; readonly at: Point; readonly unit: SelectionUnit }
  /** The mouse moves its end there. */
  | { readonly type: 'drag'; readonly at: Point }
  /** The button is let go: the selection stays what it is. */
  | { readonly type: 'release' };

/** Where copied text goes beside the system's clipboard. */
export interface CopyTarget {
  /** Added to the newest buffer instead of making one. */
  readonly appends: boolean;
  /** Shell command that gets the text; '' for the option's; undefined for none. */
  readonly pipe: string | undefined;
  /** Whether it goes to buffers and clipboard at all. */
  readonly keeps: boolean;
}

export type CopyIntent =
  | { readonly type: 'cancel' }
  | { readonly type: 'copy'; readonly text: string; readonly target: CopyTarget }
  | { readonly type: 'message'; readonly text: string; readonly tone: 'info' | 'error' }
  | { readonly type: 'search'; readonly request: Omit<SearchRequest, 'wraps'> }
  | { readonly type: 'stop-search' };
