/**
 * Feeding decoders in pieces, and telling whether events account for every byte of their input.
 */
import { InputDecoder } from '../../lib/input/decoder.ts';
import type { InputEvent, Key } from '../../lib/input/event.ts';
import { formatKey } from '../../lib/input/keyname.ts';

/** Text as bytes: characters up to U+00FF are one byte each. */
export function bytes(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, c => c.charCodeAt(0));
}

export function key(name: string, held: Partial<Key> = {}): Key {
  return { name, ctrl: false, alt: false, shift: false, ...held };
}

/** `input` in pieces of the given sizes, over and over. */
export function pieces(input: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0, i = 0; at < input.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    cut.push(input.slice(at, at + size));
    at += size;
  }
  return cut;
}

/** All events of the pieces. The timer fires only after the last; twice, so that nothing is waited for. */
export function decode(...input: readonly Uint8Array[]): InputEvent[] {
  const decoder = new InputDecoder();
  const events = input.flatMap(piece => decoder.feed(piece));
  return [...events, ...decoder.flush(), ...decoder.flush()];
}

/** Events in words, for comparing in specs: keys by their name, the rest by their type. */
export function words(events: readonly InputEvent[]): string[] {
  return events.map(event => (event.type === 'key' ? formatKey(event.key) : event.type));
}

/** Decodes one Latin-1 text whole, in words. */
export function typed(latin1: string): string[] {
  return words(decode(bytes(latin1)));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Uint8Array.from([...a, ...b]);
}

/** The events with the pieces of pastes and of unknown bytes joined: what does not depend on how input was cut. */
export function merged(events: readonly InputEvent[]): InputEvent[] {
  const out: InputEvent[] = [];
  for (const event of events) {
    const before = out.at(-1);
    if (event.type === 'unknown' && before?.type === 'unknown')
      out[out.length - 1] = { type: 'unknown', raw: joined(before.raw, event.raw) };
    else if (event.type === 'paste' && before?.type === 'paste' && !before.last)
      out[out.length - 1] = { ...event, data: joined(before.data, event.data), first: before.first };
    else out.push(event);
  }
  return out;
}

/** The bytes that an event can have come from. */
function sources(event: InputEvent): string[] {
  const text = (raw: Uint8Array): string => String.fromCharCode(...raw);
  if (event.type === 'focus') return ['\x1b[', '\x9b'].map(csi => csi + (event.focused ? 'I' : 'O'));
  if (event.type !== 'paste') return [text(event.raw)];
  const starts = event.first ? ['\x1b[200~', '\x9b200~'] : [''];
  const ends = event.last ? ['\x1b[201~', '\x9b201~'] : [''];
  return starts.flatMap(start => ends.map(end => start + text(event.data) + end));
}

/** What is left of the input after every event has taken its bytes; undefined if some event did not fit. */
export function unexplained(input: Uint8Array, events: readonly InputEvent[]): string | undefined {
  const text = String.fromCharCode(...input);
  let at = 0;
  for (const event of events) {
    const source = sources(event).find(candidate => text.startsWith(candidate, at));
    if (source === undefined) return undefined;
    at += source.length;
  }
  return text.slice(at);
}
