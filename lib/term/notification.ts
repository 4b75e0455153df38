/**
 * OSC 99, desktop notifications in the kitty protocol: metadata `key=value:…`, then the text of a title or a body,
 * possibly in several parts.
 */
import type { Kept } from './checkpoint/bytes.ts';
import { cleanText, decodeBase64, MAX_TEXT } from './signals.ts';
import type { OscRow, SignalPort } from './signals.ts';

/** Most bytes of one base64 part; the protocol itself allows 2,048 before encoding. */
const MAX_PART = 4096;
const PARTS = ['title', 'body'] as const;
type Part = (typeof PARTS)[number];

interface Pending {
  readonly id: string;
  title: string;
  body: string;
}

function parse(data: string): { keys: Map<string, string>; payload: string } {
  const semicolon = data.indexOf(';');
  const metadata = semicolon < 0 ? data : data.slice(0, semicolon);
  const keys = new Map<string, string>();
  for (const pair of metadata.split(':')) keys.set(pair.slice(0, 1), pair.slice(2));
  return { keys, payload: semicolon < 0 ? '' : data.slice(semicolon + 1) };
}

function text(payload: string, encoding: string | undefined): string | undefined {
  if (encoding !== '1') return payload;
  const bytes = decodeBase64(payload, MAX_PART);
  return bytes && new TextDecoder().decode(bytes);
}

/** An OSC 99 handler for one pane. It remembers at most one unfinished notification; a new id drops the old one. */
export function notificationRow(): OscRow & Kept {
  let pending: Pending | undefined;
  return {
    ident: 99,
    limit: MAX_TEXT * 2,
    handle(data: string, port: SignalPort): void {
      const { keys, payload } = parse(data);
      const part = (keys.get('p') ?? 'title') as Part;
      // Queries, buttons, icons, closing: no part of what is shown here.
      if (!PARTS.includes(part)) return;
      const id = cleanText(keys.get('i') ?? '');
      if (pending?.id !== id) pending = { id, title: '', body: '' };
      pending[part] = cleanText(pending[part] + (text(payload, keys.get('e')) ?? ''));
      if (keys.get('d') === '0') return;
      const { title, body } = pending;
      pending = undefined;
      if (title !== '' || body !== '') port.signal({ type: 'notify', title, body });
    },
    save(to) {
      to.flag(pending !== undefined);
      if (pending) for (const text of [pending.id, pending.title, pending.body]) to.text(text);
    },
    load(from) {
      if (from.flag()) pending = { id: from.text(), title: from.text(), body: from.text() };
    },
  };
}
