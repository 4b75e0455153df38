/**
 * The state as a document: what may stand in it, and how large it may be. Keys are those of the model. Whoever reads
 * it trusts nothing in it: ids become names of folders, texts are shown, paths and arguments go to the kernel.
 *
 * Keys that nobody knows are passed over and not kept: an older mux never gets to see them, since a document of a
 * higher version is refused, so every new key is a new version (see migrations.ts).
 */
import { PRESETS } from '../layout/types.ts';
import type { SavedSession, SavedState, SavedWindow } from '../model/saved.ts';
import type { Bounds, Checkout, Confined, Launch, Place, SessionId, StopReason } from '../model/types.ts';
import * as read from './readers.ts';
import { Invalid, type Reader } from './readers.ts';

/** Ids are made by mux, of hexadecimal digits; they become names of folders. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Far more than a person can have, few enough to be read in a second. */
const MAX_SESSIONS = 10_000;
const MAX_WINDOWS = 2000;
const MAX_PANES = 2000;
/** Lines that are shown. Programs' own texts are cut at the same length where they come in. */
const MAX_LINE = 4096;
/** Linux takes 128 KiB for one argument or variable (MAX_ARG_STRLEN), 2 MiB for all. */
const MAX_ARGUMENT = 131_072;
const MAX_ARGUMENTS = 100_000;
const MAX_LABELS = 1000;
const MAX_INCLUDES = 1000;
/** The text form of a layout is no longer (layout/codec.ts). */
const MAX_LAYOUT = 64_000;
/** Panes are counted up for as long as a server is there. */
const MAX_PANE = 999_999_999;
const MAX_SIDE = 10_000;

const STOP_REASONS = [
  '',
  'user',
  'idle',
  'shutdown',
  'delete',
  'watchdog',
  'lost',
  'interrupted',
  'quit',
] as const satisfies readonly StopReason[];

const sessionId = read.matching(ID, 'id of a session') as Reader<SessionId>;
/** Not longer than PATH_MAX of Linux. */
const path = read.matching(/^\/[^\0]{0,4095}$/, 'absolute path');
const size = read.record({ cols: read.integer(1, MAX_SIDE), rows: read.integer(1, MAX_SIDE) });

const checkout: Reader<Checkout> = read.record({
  repo: path,
  worktree: path,
  branch: read.line(MAX_LINE),
  base: read.line(MAX_LINE),
});

const place: Reader<Place> = (value, at) => {
  const kind = read.oneOf(['plain', 'in-place', 'worktree'])(read.object(value, at)['kind'], `${at}.kind`);
  if (kind === 'plain') return { kind };
  const { main } = read.record({ main: checkout })(value, at);
  if (kind === 'in-place') return { kind, main };
  return { kind, main, ...read.record({ includes: read.list(checkout, MAX_INCLUDES) })(value, at) };
};

/** A session's name: shown, typed as a target, and never empty. */
const name: Reader<string> = (value, at) => {
  const text = read.line(200)(value, at).trim();
  if (text === '') throw new Invalid(`${at}: it is empty`);
  return text;
};

const environment = read.map(
  read.matching(/^[^=\0]+$/, 'name of a variable'),
  read.raw(MAX_ARGUMENT),
  MAX_ARGUMENTS,
);

const words = read.list(read.raw(MAX_ARGUMENT), MAX_ARGUMENTS);

const confined: Reader<Confined> = read.record<Confined>({
  wish: read.oneOf(['on', 'off', ''] as const),
  on: read.boolean,
  within: read.optional(
    read.record<Bounds>({
      backend: read.line(MAX_LINE),
      read: words,
      write: words,
      env: words,
      hosts: read.optional(words),
    }),
  ),
});

const launch: Reader<Launch> = read.record<Launch>({
  argv: (value, at) => {
    const argv = words(value, at);
    if (!argv[0]) throw new Invalid(`${at}: it names no program`);
    return argv;
  },
  cwd: path,
  env: environment,
  given: read.orElse(environment, {}),
  ofAgent: read.orElse(read.boolean, false),
  roleFile: read.orElse(read.matching(/^(?:\/[^\0]{0,4095})?$/, 'absolute path or empty'), ''),
  sandbox: read.orElse(confined, { wish: '', on: false, within: undefined }),
});

/** One session; the same form stands in session.json beside its logs. */
export const readSession: Reader<SavedSession> = read.record<SavedSession>({
  id: sessionId,
  name,
  agent: read.line(MAX_LINE),
  isAi: read.boolean,
  durable: read.boolean,
  isViewer: read.boolean,
  launch,
  role: read.line(MAX_LINE),
  model: read.line(MAX_LINE),
  labels: read.list(read.line(MAX_LINE), MAX_LABELS),
  starred: read.boolean,
  parentId: read.matching(/^(?:[A-Za-z0-9_-]{1,64})?$/, 'id of a session or empty') as Reader<SessionId | ''>,
  place,
  stopReason: read.oneOf(STOP_REASONS),
  creating: read.orElse(read.boolean, false),
  deletedAt: read.optional(read.time),
  expiresAt: read.optional(read.time),
  conversationId: read.line(MAX_LINE),
  pane: read.matching(/^(?:%\d{1,9})?$/, 'pane or empty'),
  createdAt: read.time,
  lastOutputAt: read.optional(read.time),
  attention: read.line(MAX_LINE),
  program: read.line(MAX_LINE),
  summary: read.line(MAX_LINE),
  size,
  // A status of wait(2) has 8 bits; real-time signals end at 64 (signal(7)). Other systems have other numbers.
  exit: read.optional(read.record({ code: read.integer(-65_536, 65_536), signal: read.integer(0, 1024) })),
  endedAt: read.optional(read.time),
  runs: read.boolean,
});

const readWindow: Reader<SavedWindow> = read.record<SavedWindow>({
  index: read.integer(0, Number.MAX_SAFE_INTEGER),
  name: read.line(MAX_LINE),
  autoName: read.boolean,
  layout: read.raw(MAX_LAYOUT),
  size,
  panes: read.list(
    read.record({ id: read.integer(0, MAX_PANE), session: sessionId, title: read.line(MAX_LINE) }),
    MAX_PANES,
  ),
  recent: read.list(read.integer(0, MAX_PANE), MAX_PANES),
  zoomed: read.boolean,
  manualSize: read.boolean,
  preset: read.optional(read.oneOf(PRESETS)),
  synchronized: read.optional(read.boolean),
});

const items = read.list<unknown>(value => value, MAX_SESSIONS);

/**
 * The state that a document of the present version holds, and what of it could not be read, a line each: one session
 * that makes no sense costs nobody else anything.
 * @throws Invalid where there is no list of sessions or windows at all
 */
export function readState(value: unknown): { state: SavedState; problems: string[] } {
  const document = read.object(value, 'state');
  const problems: string[] = [];
  const each = <T>(reader: Reader<T>, key: string, most: number): T[] => {
    const all = items(document[key], key);
    if (all.length > most) problems.push(`${key}: more than ${most}`);
    return all.slice(0, most).flatMap((one, i) => attempt(() => reader(one, `${key}[${i}]`), problems) ?? []);
  };
  const sessions = each(readSession, 'sessions', MAX_SESSIONS);
  const windows = each(readWindow, 'windows', MAX_WINDOWS);
  const recent = read.list(read.integer(0, Number.MAX_SAFE_INTEGER), MAX_WINDOWS);
  const recentWindows = attempt(() => recent(document['recentWindows'], 'recentWindows'), problems) ?? [];
  const pane = read.integer(0, MAX_PANE + 1);
  const nextPane = attempt(() => pane(document['nextPane'], 'nextPane'), problems) ?? 0;
  return { state: { sessions, windows, recentWindows, nextPane }, problems };
}

/** What `work` gives; undefined, and a line more, where it is Invalid. */
function attempt<T>(work: () => T, problems: string[]): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
