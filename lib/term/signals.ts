/**
 * What a program says about itself by OSC strings and BEL, as PaneSignals.
 */
import type { PaneSignal } from './screen-view.ts';

/** Most characters of a title, path or notification text. */
export const MAX_TEXT = 4096;
/** Bytes of an OSC 52 write, decoded. */
const MAX_CLIPBOARD = 1 << 20;
/** The same in base64, with the selection's name before it. */
const MAX_CLIPBOARD_PAYLOAD = Math.ceil(MAX_CLIPBOARD / 3) * 4 + 64;

/** Where signals go, and what they are judged by. */
export interface SignalPort {
  signal(signal: PaneSignal): void;
  /** Sets the window title (already clean). */
  title(title: string): void;
  reply(text: string): void;
  /** Name of this machine: OSC 7 paths of other machines are ignored. */
  readonly hostname: string;
}

/** One OSC that is understood. */
export interface OscRow {
  readonly ident: number;
  /** Most UTF-16 units of payload. */
  readonly limit: number;
  /** Whether a longer payload is cut instead of dropped. */
  readonly cut?: boolean;
  handle(data: string, port: SignalPort): void;
}

/** Text fit to be shown: without C0, DEL and C1, at most MAX_TEXT characters, no half of a surrogate pair at the end. */
export function cleanText(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .slice(0, MAX_TEXT)
    .replace(/[\ud800-\udbff]$/, '');
}

function setTitle(data: string, port: SignalPort): void {
  port.title(cleanText(data));
}

/** The path of a file URL of this machine, or undefined. */
function localPath(url: string, hostname: string): string | undefined {
  const match = /^file:\/\/([^/]*)(\/.*)$/s.exec(url);
  if (!match) return undefined;
  const host = match[1]!.toLowerCase();
  if (host !== '' && host !== 'localhost' && host !== hostname.toLowerCase()) return undefined;
  try {
    const path = decodeURIComponent(match[2]!);
    return path === cleanText(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function workingDirectory(data: string, port: SignalPort): void {
  const path = localPath(data, port.hostname);
  if (path !== undefined) port.signal({ type: 'cwd', path });
}

function notify(title: string, body: string, port: SignalPort): void {
  const signal = { type: 'notify', title: cleanText(title), body: cleanText(body) } as const;
  if (signal.title !== '' || signal.body !== '') port.signal(signal);
}

/** OSC 9: a notification's text (iTerm2), or `N;…` (ConEmu), of which only 4, progress, is known here. */
function notifyOrProgress(data: string, port: SignalPort): void {
  const progress = /^4;([0-4])(?:;(\d{0,3}))?;?$/.exec(data);
  if (progress) {
    const percent = Math.min(100, Number(progress[2] ?? 0));
    port.signal({ type: 'progress', state: Number(progress[1]), percent });
  } else if (!/^\d{1,2}(;|$)/.test(data)) notify('', data, port);
}

/** OSC 777: `notify;TITLE;BODY` (urxvt). */
function notifyUrxvt(data: string, port: SignalPort): void {
  const match = /^notify;([^;]*)(?:;(.*))?$/s.exec(data);
  if (match) notify(match[1]!, match[2] ?? '', port);
}

/** Base64 (RFC 4648 section 4, padding optional) as bytes; undefined if it is none or too long. */
export function decodeBase64(text: string, maxBytes: number): Uint8Array | undefined {
  if (text.length > Math.ceil(maxBytes / 3) * 4) return undefined;
  try {
    const data = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return data.length <= maxBytes ? data : undefined;
  } catch {
    return undefined;
  }
}

/** OSC 52: a write becomes a signal; a query is answered with nothing at once, so that nobody waits. */
function clipboard(data: string, port: SignalPort): void {
  const match = /^([cpqs0-7]{0,16});(.*)$/s.exec(data);
  if (!match) return;
  const selection = match[1]!;
  if (match[2] === '?') return port.reply(`\x1b]52;${selection || 'c'};\x1b\\`);
  const bytes = decodeBase64(match[2]!, MAX_CLIPBOARD);
  if (bytes && bytes.length > 0) port.signal({ type: 'clipboard', selection: selection || 'c', data: bytes });
}

/** Characters of a state with its keys: Codex writes about 30. */
const MAX_STATE = 256;
/** Characters of a client's id: a UUID and more. */
const MAX_CLIENT_ID = 80;

/** OSC 8763, which no standard has: an attached client says who it is, so that a server knows its own in a pane. */
function attachedClient(data: string, port: SignalPort): void {
  if (/^[\w-]+$/.test(data)) port.signal({ type: 'client', id: data });
}

/** OSC 7501, which no standard has: `state=WORD:app=NAME`, keys in any order. */
function agentState(data: string, port: SignalPort): void {
  const match = /(?:^|[:;])state=(\w{1,32})(?=$|[:;])/.exec(data);
  if (match) port.signal({ type: 'state', state: match[1]! });
}

/** OSC 133: marks around prompt and command; D may carry the exit status. */
function promptMark(data: string, port: SignalPort): void {
  const match = /^([ABCD])(?:;(?:(-?\d{1,10})(?:;|$))?|$)/.exec(data);
  if (!match) return;
  const mark = match[1] as 'A' | 'B' | 'C' | 'D';
  if (mark === 'D' && match[2] !== undefined) port.signal({ type: 'prompt', mark, exit: Number(match[2]) });
  else port.signal({ type: 'prompt', mark });
}

/** Room for the words around a text: URL escapes (three characters a byte), metadata. */
const TEXT_PAYLOAD = MAX_TEXT * 4;

/** Every OSC that becomes a signal, except 99, which has state (see notification.ts). */
export const SIGNAL_OSCS: readonly OscRow[] = [
  { ident: 0, limit: TEXT_PAYLOAD, cut: true, handle: setTitle },
  { ident: 2, limit: TEXT_PAYLOAD, cut: true, handle: setTitle },
  // The icon's name: nobody shows it.
  { ident: 1, limit: 0, handle: () => undefined },
  { ident: 7, limit: TEXT_PAYLOAD, handle: workingDirectory },
  { ident: 9, limit: TEXT_PAYLOAD, cut: true, handle: notifyOrProgress },
  { ident: 52, limit: MAX_CLIPBOARD_PAYLOAD, handle: clipboard },
  { ident: 8763, limit: MAX_CLIENT_ID, handle: attachedClient },
  { ident: 133, limit: MAX_TEXT, cut: true, handle: promptMark },
  { ident: 7501, limit: MAX_STATE, handle: agentState },
  { ident: 777, limit: TEXT_PAYLOAD, cut: true, handle: notifyUrxvt },
];
