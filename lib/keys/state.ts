/**
 * From key presses to commands: the prefix, repeating keys and mode tables, as a pure state machine.
 */
import type { Key } from '../input/event.ts';
import { isKey } from './tables.ts';
import type { Binding, KeyTables } from './tables.ts';

/** The table of a client whose focused pane gets the keys. */
const ROOT_TABLE = 'root';
/** The table of the keys behind the prefix. */
const PREFIX_TABLE = 'prefix';

/** Where one client is in its keys. */
export interface KeyState {
  /** The table that the next key is looked up in: `base`, or 'prefix' while the prefix is held or keys repeat. */
  readonly table: string;
  /** The table that is returned to: 'root', or that of the mode which has the keys. */
  readonly base: string;
  /** Until when (ms) keys of the prefix table repeat; 0 when none does. */
  readonly repeatUntil: number;
}

export interface KeyOptions {
  /** Undefined while no key is one: all are the program's. */
  readonly prefix: Key | undefined;
  /** How long after a repeating key others are taken without the prefix, in ms; tmux has 500. */
  readonly repeatMs: number;
}

/** What a press did. At most one of `command`, `passthrough` and `unbound` is there; none after the prefix itself. */
export interface Press {
  readonly state: KeyState;
  /** Command text to run. */
  readonly command?: string;
  /** The key is for whoever owns the base table: the focused pane under 'root', else the mode. */
  readonly passthrough?: boolean;
  /** The key came behind the prefix and is bound to nothing; it is swallowed, and the person is told. */
  readonly unbound?: Key;
}

/** The state of a client that has just attached, or whose keys a mode has taken (`base`: its table). */
export function startKeys(base: string = ROOT_TABLE): KeyState {
  return { table: base, base, repeatUntil: 0 };
}

/** The same client with another base table, when a mode begins or ends. A held prefix and repeating keys stay. */
export function withBase(state: KeyState, base: string): KeyState {
  return { ...state, base, table: state.table === state.base ? base : state.table };
}

/** Whether the prefix is held, which the screen shows; a repeat that has run out is not. */
export function isPrefixHeld(state: KeyState, nowMs: number): boolean {
  return state.table === PREFIX_TABLE && (state.repeatUntil === 0 || nowMs < state.repeatUntil);
}

/** A key in the base table: the prefix comes before every binding. */
function pressBase(base: string, key: Key, tables: KeyTables, options: KeyOptions): Press {
  if (options.prefix && isKey(key, options.prefix))
    return { state: { table: PREFIX_TABLE, base, repeatUntil: 0 } };
  const binding = tables.lookup(base, key);
  const state = startKeys(base);
  return binding ? { state, command: binding.command } : { state, passthrough: true };
}

/** The command that types the prefix key. */
const SEND_PREFIX = 'send-prefix';

/** The prefix twice: typed into the pane, or in a mode what the key does there (`C-b C-b` is a page up in copy mode). */
function sendPrefix(state: KeyState, key: Key, tables: KeyTables): Press {
  const next = startKeys(state.base);
  if (state.base === ROOT_TABLE) return { state: next, command: SEND_PREFIX };
  const binding = tables.lookup(state.base, key);
  return binding ? { state: next, command: binding.command } : { state: next, passthrough: true };
}

function afterPrefix(state: KeyState, binding: Binding, nowMs: number, options: KeyOptions): Press {
  const next = binding.repeat
    ? { ...state, table: PREFIX_TABLE, repeatUntil: nowMs + options.repeatMs }
    : startKeys(state.base);
  return { state: next, command: binding.command };
}

/**
 * What a key press does and the state after it.
 *
 * While keys repeat, one that does not repeat is taken as if nothing had been held, so that typing on after a resize
 * works. The prefix twice sends the prefix, unless that key is bound to something behind it.
 */
export function press(
  state: KeyState,
  key: Key,
  nowMs: number,
  tables: KeyTables,
  options: KeyOptions,
): Press {
  if (!isPrefixHeld(state, nowMs)) return pressBase(state.base, key, tables, options);
  const binding = tables.lookup(PREFIX_TABLE, key);
  const repeating = state.repeatUntil !== 0;
  if (repeating && !binding?.repeat) return pressBase(state.base, key, tables, options);
  const again = options.prefix !== undefined && isKey(key, options.prefix);
  if (again && (!binding || binding.command === SEND_PREFIX)) return sendPrefix(state, key, tables);
  if (binding) return afterPrefix(state, binding, nowMs, options);
  return { state: startKeys(state.base), unbound: key };
}
