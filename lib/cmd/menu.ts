/**
 * `display-menu`, in tmux's shape: a title, a place, and for each entry its text, key and command.
 */
import { CodedError } from '../base/errors.ts';
import { formatKey, parseKey } from '../input/keyname.ts';
import { flag, format, valued } from './define.ts';
import type { CommandContext, CommandPlace, FlagSpec, MenuRequest, ParsedArgs } from './spec.ts';
import { findPane } from './target.ts';

/** Entries of one menu: more rows than this are seen on few screens, and by nobody. */
const MAX_ENTRIES = 100;

export const MENU_FLAGS: readonly FlagSpec[] = [
  valued('t', 'PANE', 'the pane whose formats the entries show and on which they act'),
  valued('T', 'TITLE', 'title, a format'),
  valued('x', 'COLUMN', 'where: C centre, M mouse, P pane, R right edge, W tab, or a column'),
  valued('y', 'ROW', 'where: C centre, M mouse, P pane, S bottom row, W tabs, or a row'),
  flag('O', 'stays open when the mouse button is let go'),
  flag('M', 'opened by the mouse (as -x M)'),
];

/** What display-menu asks for. Throws CodedError `usage` for words that are no entries. */
export function menuRequest(context: CommandContext, args: ParsedArgs): MenuRequest {
  const { model, caller } = context;
  const pane = args.has('t') || caller.pane ? findPane(context, args.value('t')) : model.windows.focused;
  const buffer = context.buffers.get();
  const expand = (text: string): string => format(context, text, { pane, buffer });
  const x = args.value('x') ?? 'C';
  return {
    title: expand(args.value('T') ?? ''),
    entries: entriesOf(args.rest, expand),
    x,
    y: args.value('y') ?? 'C',
    staysOpen: args.has('O'),
    isByMouse: args.has('M') || x === 'M',
    place: placeOf(context, pane),
  };
}

function placeOf(context: CommandContext, pane: ReturnType<typeof findPane> | undefined): CommandPlace {
  return pane
    ? { pane: `%${pane.id}`, session: pane.session }
    : { pane: '', session: context.caller.session };
}

/** Text, key and command, three words each; an empty text alone is a rule, one that begins with - cannot be chosen. */
function entriesOf(words: readonly string[], expand: (text: string) => string): MenuRequest['entries'] {
  const entries: MenuRequest['entries'][number][] = [];
  for (let at = 0; at < words.length;) {
    if (entries.length === MAX_ENTRIES)
      throw new CodedError('usage', `display-menu: more than ${MAX_ENTRIES} entries`);
    const text = expand(words[at]!);
    if (words[at] === '') {
      entries.push(undefined);
      at++;
      continue;
    }
    const [, key, command] = words.slice(at, at + 3);
    if (key === undefined || command === undefined)
      throw new CodedError(
        'usage',
        `display-menu: '${words[at]}' has no ${key === undefined ? 'key' : 'command'}`,
        'an entry is NAME KEY COMMAND, KEY may be empty',
      );
    at += 3;
    // As in tmux an entry whose name comes to nothing is left out.
    if (text === '') continue;
    const isEnabled = !text.startsWith('-');
    entries.push({
      text: isEnabled ? text : text.slice(1),
      key: key === '' ? '' : formatKey(parseKey(key)),
      // Its formats are expanded where they are used: a title inside a command could be read as one.
      command: isEnabled ? command : undefined,
    });
  }
  return entries;
}
