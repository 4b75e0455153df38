/**
 * What `#{name}` stands for, per pane: one table for `-F`, display-message and titles.
 */
import type { Point } from '../base/geometry.ts';
import { rects } from '../layout/query.ts';
import { paneIds } from '../layout/tree.ts';
import { formatLayout } from '../layout/codec.ts';
import { formatOption, OPTIONS, type OptionName } from '../options/table.ts';
import { attentionOf, directoryOf, runs } from '../model/sessions.ts';
import type { PaneRecord, SessionRecord, WindowRecord } from '../model/types.ts';
import { isSynchronized } from './synchronized.ts';
import { visible } from '../base/visible.ts';
import type { PasteBuffer } from './buffers.ts';
import type { ClientInfo, CommandContext, CopyFacts } from './spec.ts';

interface Scope {
  readonly context: CommandContext;
  readonly window: WindowRecord | undefined;
  readonly pane: PaneRecord | undefined;
  readonly session: SessionRecord | undefined;
  readonly client: ClientInfo | undefined;
  readonly buffer: PasteBuffer | undefined;
}

type Value = string | number | boolean | undefined;

const flag = (value: boolean | undefined): string => (value ? '1' : '0');

/** Where a pane lies: a zoomed one over the whole window, the others where they will be again. */
function placeOf({ pane, window }: Scope): Point | undefined {
  if (!pane || !window) return undefined;
  return window.zoomed && window.active === pane.id ? { x: 0, y: 0 } : rects(window.tree).get(pane.id);
}

const copyOf = ({ pane, context }: Scope): CopyFacts | undefined => pane && context.copy.facts(pane);

/** Name → value in a scope. Kept in the order the man page lists them. */
export const VARIABLES: Readonly<Record<string, (scope: Scope) => Value>> = {
  pane_id: s => s.pane && `%${s.pane.id}`,
  pane_index: s => s.pane && s.window && paneIds(s.window.tree).indexOf(s.pane.id),
  pane_width: s => s.pane && s.context.model.windows.paneSize(s.pane).cols,
  pane_height: s => s.pane && s.context.model.windows.paneSize(s.pane).rows,
  pane_left: s => placeOf(s)?.x,
  pane_top: s => placeOf(s)?.y,
  pane_title: s => s.pane && (s.pane.title || s.session?.terminal?.view.title || s.session?.name),
  pane_pid: s => s.session?.terminal?.pid,
  pane_tty: () => '',
  pane_current_path: s => s.session && directoryOf(s.session),
  pane_current_command: s => s.session && (s.session.terminal?.foreground() || s.session.launch.argv[0]),
  pane_start_command: s => s.session?.launch.argv.join(' '),
  pane_active: s => s.pane && flag(s.window?.active === s.pane.id),
  pane_dead: s => s.session && flag(!runs(s.session)),
  pane_dead_status: s => s.session?.exit?.code,
  pane_dead_signal: s => s.session?.exit?.signal || undefined,
  pane_synchronized: s => s.window && flag(isSynchronized(s.window, s.context.options)),
  pane_in_mode: s => s.pane && flag(copyOf(s) !== undefined),
  pane_mode: s => copyOf(s) && 'copy-mode',
  pane_search_string: s => copyOf(s)?.search?.text,
  scroll_position: s => copyOf(s)?.scroll,
  copy_cursor_x: s => copyOf(s)?.cursor.x,
  copy_cursor_y: s => copyOf(s)?.cursor.y,
  copy_cursor_word: s => copyOf(s)?.word,
  copy_cursor_line: s => copyOf(s)?.line,
  selection_present: s => copyOf(s) && flag(copyOf(s)?.selection !== undefined),
  rectangle_toggle: s => copyOf(s) && flag(copyOf(s)?.isRectangle),
  search_present: s => copyOf(s) && flag(copyOf(s)?.search?.isFound),
  window_id: s => s.window && `@${s.window.id}`,
  window_index: s => s.window?.index,
  window_name: s => s.window?.name,
  window_flags: s =>
    s.window &&
    (s.context.model.windows.current === s.window ? '*' : '') +
      (s.context.model.windows.last === s.window ? '-' : '') +
      (s.window.zoomed ? 'Z' : ''),
  window_active: s => s.window && flag(s.context.model.windows.current === s.window),
  window_last_flag: s => s.window && flag(s.context.model.windows.last === s.window),
  window_panes: s => s.window && paneIds(s.window.tree).length,
  window_width: s => s.window?.size.cols,
  window_height: s => s.window?.size.rows,
  window_zoomed_flag: s => s.window && flag(s.window.zoomed),
  window_layout: s => s.window && formatLayout(s.window.tree),
  session_name: s => s.session?.name,
  session_id: s => s.session?.id,
  session_status: s => s.session && s.context.model.sessions.status(s.session),
  session_agent: s => s.session?.agent,
  session_attention: s => s.session && attentionOf(s.context.model.sessions.decision(s.session)),
  cursor_x: s => s.session?.terminal?.view.cursor.x,
  cursor_y: s => s.session?.terminal?.view.cursor.y,
  cursor_flag: s => s.session && flag(s.session.terminal?.view.cursor.visible),
  history_size: s => s.session?.terminal?.view.historySize,
  history_limit: s => s.context.options.get('history-limit'),
  alternate_on: s => s.session && flag(s.session.terminal?.view.modes.alternateScreen),
  client_tty: s => s.client?.tty,
  client_width: s => s.client?.cols,
  client_height: s => s.client?.rows,
  client_name: s => s.client?.id,
  buffer_name: s => s.buffer?.name,
  buffer_size: s => s.buffer?.data.length,
  buffer_sample: s => s.buffer && bufferSample(s.buffer),
  buffer_created: s => s.buffer && Math.floor(s.buffer.createdAt / 1000),
  pid: s => s.context.host.status().pid,
  version: s => s.context.host.status().version,
  socket_path: s => s.context.host.status().socket,
  host: s => s.context.hostname,
  host_short: s => s.context.hostname.split('.', 1)[0],
};

/** Characters of a buffer that a list shows, as tmux has them. */
const SAMPLE = 50;

/** The beginning of a buffer on one line. */
export function bufferSample(buffer: PasteBuffer): string {
  // Four bytes are the longest character.
  const text = visible(Buffer.from(buffer.data.subarray(0, SAMPLE * 4)).toString());
  return text.length > SAMPLE ? `${text.slice(0, SAMPLE)}…` : text;
}

/** A look-up for expandFormat. What is left out comes from the pane, what is not known is undefined. */
export function lookupIn(
  context: CommandContext,
  scope: {
    pane?: PaneRecord | undefined;
    window?: WindowRecord | undefined;
    session?: SessionRecord | undefined;
    client?: ClientInfo | undefined;
    buffer?: PasteBuffer | undefined;
  },
): (name: string) => string | undefined {
  const { model, host, client } = context;
  const pane =
    scope.pane ??
    (scope.window && model.windows.pane(scope.window.active)) ??
    (scope.session && model.windows.paneOf(scope.session.id));
  const full: Scope = {
    context,
    pane,
    buffer: scope.buffer,
    window: scope.window ?? (pane && model.windows.windowOf(pane)),
    session: scope.session ?? (pane && model.sessionOf(pane)),
    client: scope.client ?? host.clients().find(c => c.id === client?.id) ?? host.clients()[0],
  };
  return name => {
    const read = Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined;
    const value = read?.(full);
    if (value !== undefined) return String(value);
    if (read || !Object.hasOwn(OPTIONS, name)) return undefined;
    return formatOption(name as OptionName, context.options.get(name as OptionName));
  };
}
