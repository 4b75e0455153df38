/**
 * Targets: what `-t` and its like name. A session by name, id or unique id prefix; a pane by `%N`, by the session it
 * shows, or `WINDOW.INDEX`; a window by index, name, or a pane in it. Absent: the one the caller runs in, else the
 * focused one.
 */
import { CodedError, nearest } from '../base/errors.ts';
import type { Model } from '../model/model.ts';
import type { PaneRecord, SessionRecord, WindowRecord } from '../model/types.ts';
import type { CommandContext } from './spec.ts';

/** A session. Throws CodedError `not_found` or `ambiguous`, and `refused` where the caller may not act on it. */
export function findSession(context: CommandContext, target: string | undefined): SessionRecord {
  const session = anySession(context, target);
  context.checkReach?.(session);
  return session;
}

function anySession(context: CommandContext, target: string | undefined): SessionRecord {
  const { model, caller } = context;
  if (target === undefined || target === '') {
    const own = model.sessions.get(caller.session);
    if (own) return own;
    const focused = model.windows.focused;
    if (focused) return model.sessionOf(focused);
    throw new CodedError('not_found', 'session: there is none', "start one with 'mux new NAME'");
  }
  const found = lookupSession(model, target);
  if (found) return found;
  if (target.startsWith('%')) return model.sessionOf(anyPane(context, target));
  refuseDeleted(model, target);
  throw notFound(
    'session',
    target,
    model.sessions.all().map(s => s.name),
  );
}

/** A deleted session. Throws CodedError `not_found` or `ambiguous`; `failed` for one that is not deleted. */
export function findDeleted(context: CommandContext, target: string): SessionRecord {
  const { model } = context;
  const found = lookupAmong(deletedOf(model), target);
  if (found) context.checkReach?.(found);
  if (found) return found;
  if (lookupSession(model, target)) throw new CodedError('failed', `session ${target}: it is not deleted`);
  throw notFound(
    'session',
    target,
    deletedOf(model).map(s => s.name),
  );
}

/** A session, deleted or not; the name of two of them is ambiguous. Throws CodedError `not_found` or `ambiguous`. */
export function findAnySession(context: CommandContext, target: string): SessionRecord {
  const found = lookupAmong(context.model.sessions.every(), target);
  if (found) context.checkReach?.(found);
  return found ?? findSession(context, target);
}

function deletedOf(model: Model): readonly SessionRecord[] {
  return model.sessions.every().filter(session => session.deletedAt !== undefined);
}

/** Tells of a session that is only deleted. */
function refuseDeleted(model: Model, target: string): void {
  const deleted = lookupAmong(deletedOf(model), target);
  if (!deleted) return;
  const { name } = deleted;
  throw new CodedError(
    'not_found',
    `session ${target}: it is deleted`,
    `'mux restore ${name}' brings it back`,
  );
}

/** A pane. Throws CodedError `not_found` or `ambiguous`, and `refused` where the caller may not act on its session. */
export function findPane(context: CommandContext, target: string | undefined): PaneRecord {
  const pane = anyPane(context, target);
  context.checkReach?.(context.model.sessionOf(pane));
  return pane;
}

function anyPane(context: CommandContext, target: string | undefined): PaneRecord {
  const { model, caller } = context;
  if (target === undefined || target === '') {
    const own = caller.session ? model.windows.paneOf(caller.session as SessionRecord['id']) : undefined;
    const pane = paneByNumber(model, caller.pane) ?? own ?? model.windows.focused;
    if (pane) return pane;
    throw new CodedError('not_found', 'pane: there is none', "start one with 'mux new-window'");
  }
  if (target.startsWith('%')) {
    const pane = paneByNumber(model, target);
    if (pane) return pane;
    throw notFound('pane', target, []);
  }
  const special = specialPane(context, target.replace(/^:/, ''));
  if (special) return special;
  const [windowPart, indexPart] = splitAtDot(target);
  if (indexPart !== undefined) {
    const window = windowPart === '' ? anyWindow(context, undefined) : lookupWindow(context, windowPart);
    const pane = window && model.windows.panesIn(window)[Number(indexPart)];
    if (pane) return pane;
  }
  // The beginning of an id counts last: ids are made by chance, and one may begin as the index of a window does.
  const named = exactSession(model, target);
  const window = named ? undefined : lookupWindow(context, target);
  if (window) return model.windows.pane(window.active)!;
  const session = named ?? lookupSession(model, target);
  if (session) {
    const pane = model.windows.paneOf(session.id);
    if (pane) return pane;
    throw new CodedError(
      'not_found',
      `session ${session.name}: no pane shows it`,
      `show it with 'mux attach ${session.name}'`,
    );
  }
  throw notFound('pane', target, [
    ...model.sessions.all().map(s => s.name),
    ...model.windows.all().map(w => w.name),
  ]);
}

/**
 * The session whose program is meant: that of the pane named, or a session that no pane shows, whose program runs all
 * the same. Throws CodedError `not_found` or `ambiguous`, and `refused` where the caller may not act on it.
 */
export function findProgram(context: CommandContext, target: string | undefined): SessionRecord {
  const { model } = context;
  const named = exactSession(model, target ?? '');
  const session = named ?? model.sessionOf(anyPane(context, target));
  context.checkReach?.(session);
  return session;
}

/**
 * A window. Throws CodedError `not_found` or `ambiguous`, and `refused` where the caller may not act on all that it
 * shows.
 */
export function findWindow(context: CommandContext, target: string | undefined): WindowRecord {
  const { model, checkReach } = context;
  const window = anyWindow(context, target);
  if (checkReach) for (const pane of model.windows.panesIn(window)) checkReach(model.sessionOf(pane));
  return window;
}

function anyWindow(context: CommandContext, target: string | undefined): WindowRecord {
  const { model } = context;
  if (target === undefined || target === '') return model.windows.windowOf(anyPane(context, undefined));
  const window = lookupWindow(context, target);
  if (window) return window;
  const pane = target.startsWith('%') ? paneByNumber(model, target) : undefined;
  if (pane) return model.windows.windowOf(pane);
  const session = lookupSession(model, target);
  const shown = session && model.windows.paneOf(session.id);
  if (shown) return model.windows.windowOf(shown);
  throw notFound(
    'window',
    target,
    model.windows.all().map(w => w.name),
  );
}

/** A session by its whole name or id. */
function exactSession(model: Model, target: string): SessionRecord | undefined {
  const byId = model.sessions.get(target);
  return model.sessions.byName(target) ?? (byId?.deletedAt === undefined ? byId : undefined);
}

/** A session by name, id or id prefix; undefined if there is none. Throws CodedError `ambiguous`. */
function lookupSession(model: Model, target: string): SessionRecord | undefined {
  return lookupAmong(model.sessions.all(), target);
}

/** The same among these: the whole id first, then the name, then the beginning of an id. */
function lookupAmong(sessions: readonly SessionRecord[], target: string): SessionRecord | undefined {
  const byId = sessions.find(session => session.id === target);
  if (byId) return byId;
  const named = sessions.filter(session => session.name === target);
  const matches = named.length > 0 ? named : sessions.filter(session => session.id.startsWith(target));
  if (target === '' || matches.length <= 1) return target === '' ? undefined : matches[0];
  throw new CodedError(
    'ambiguous',
    `session ${target}: matches ${matches.map(s => `${s.id} (${s.name})`).join(', ')}`,
    'give more of the id',
  );
}

/** tmux's signs: `!` last, `+`/`-` next and previous pane in the window. */
function specialPane(context: CommandContext, target: string): PaneRecord | undefined {
  const { windows } = context.model;
  const window = windows.current;
  if (!window) return undefined;
  const panes = windows.panesIn(window);
  const at = panes.findIndex(pane => pane.id === window.active);
  const byOffset = (n: number): PaneRecord => panes[(at + n + panes.length) % panes.length]!;
  switch (target) {
    case '!':
    case '{last}': {
      const last = window.recent[1];
      if (last === undefined) throw new CodedError('not_found', 'pane !: there is no last pane');
      return windows.pane(last);
    }
    case '+':
    case '.+':
    case '{next}':
      return byOffset(1);
    case '-':
    case '.-':
    case '{previous}':
      return byOffset(-1);
    default:
      return undefined;
  }
}

function lookupWindow(context: CommandContext, given: string): WindowRecord | undefined {
  const { windows } = context.model;
  // `session:window` of tmux: there is one set of windows here, so what stands before the colon is not needed.
  const target = given.slice(given.lastIndexOf(':') + 1);
  if (/^\d+$/.test(target)) return windows.byIndex(Number(target));
  if (/^@\d+$/.test(target)) return windows.all().find(w => w.id === Number(target.slice(1)));
  if (target === '') return windows.current;
  if (target === '!' || target === '{last}') return windows.last;
  const all = windows.all();
  const at = all.findIndex(w => w === windows.current);
  if (at >= 0 && (target === '+' || target === '{next}')) return all[(at + 1) % all.length];
  if (at >= 0 && (target === '-' || target === '{previous}')) return all[(at - 1 + all.length) % all.length];
  const matches = all.filter(w => w.name === target);
  if (matches.length > 1) {
    throw new CodedError(
      'ambiguous',
      `window ${target}: matches ${matches.map(w => `${w.index} (${w.name})`).join(', ')}`,
      'give its index',
    );
  }
  return matches[0];
}

function paneByNumber(model: Model, target: string): PaneRecord | undefined {
  const match = /^%(\d+)$/.exec(target);
  return match ? model.windows.pane(Number(match[1])) : undefined;
}

/** `W.N` parted; a name may hold dots, so only digits after the last one count. */
function splitAtDot(target: string): [string, string | undefined] {
  const match = /^(.*)\.(\d+)$/.exec(target);
  return match ? [match[1]!, match[2]!] : [target, undefined];
}

function notFound(kind: string, target: string, names: readonly string[]): CodedError {
  const near = nearest(target, names);
  return new CodedError(
    'not_found',
    `${kind} ${target}: no such ${kind}`,
    near ? `did you mean ${near}?` : undefined,
  );
}
