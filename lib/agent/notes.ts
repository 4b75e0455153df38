/**
 * What was learned about a project and kept for later conversations, a line each, as people can read and edit it:
 * `- KEY: VALUE`. Nothing is kept that a person was not asked about: that is the tool's part.
 */
import { CodedError } from '../base/errors.ts';
import { visible } from '../base/visible.ts';

/** One fact. */
export interface Note {
  readonly key: string;
  readonly value: string;
}

/** Notes that are kept, the newest: all of them are told at the start of every conversation. */
export const NOTES_MAX = 200;
/** UTF-16 units: more is a document, not a fact. */
export const KEY_MAX = 80;
export const VALUE_MAX = 500;
/** A page that is longer was not written by us; what is beyond is not read. */
const PAGE_MAX = 1024 * 1024;
const START = '- ';
const BETWEEN = ': ';

/** The notes of a page, the newest last. Lines of another form are not notes; of two with one key the last counts. */
export function readNotes(page: string): Note[] {
  const notes = new Map<string, string>();
  for (const line of page.slice(0, PAGE_MAX).split('\n')) {
    const note = noteIn(line);
    if (!note) continue;
    // The newest last, also where it has taken the place of an older one.
    notes.delete(note.key);
    notes.set(note.key, note.value);
  }
  return [...notes].slice(-NOTES_MAX).map(([key, value]) => ({ key, value }));
}

/** A fact as it can be kept. Throws CodedError `usage`. */
export function noteOf(key: string, value: string): Note {
  const note = { key: key.trim(), value: value.replaceAll(/\s+/g, ' ').trim() };
  const fail = (what: string, why: string): CodedError => new CodedError('usage', `${what}: ${why}`);
  if (note.key === '' || note.key.length > KEY_MAX)
    throw fail('the key of a note', `it is to have from 1 to ${KEY_MAX} characters`);
  if (note.key.includes(BETWEEN) || note.key.endsWith(':') || visible(note.key) !== note.key)
    throw fail('the key of a note', 'it holds a colon before a blank, or a control character');
  if (note.value === '' || note.value.length > VALUE_MAX)
    throw fail('the text of a note', `it is to have from 1 to ${VALUE_MAX} characters`);
  return { key: note.key, value: visible(note.value).slice(0, VALUE_MAX) };
}

/**
 * The page with a note more, in place of the one with its key. What else people have written there stays; beyond `NOTES_MAX` the
 * oldest go.
 */
export function withNote(page: string, { key, value }: Note): string {
  const lines = page.split('\n').filter(line => noteIn(line)?.key !== key);
  while (lines.at(-1)?.trim() === '') lines.pop();
  const all = [...lines, `- ${key}: ${value}`];
  let over = all.filter(line => noteIn(line)).length - NOTES_MAX;
  return `${all.filter(line => !noteIn(line) || over-- <= 0).join('\n')}\n`;
}

function noteIn(line: string): Note | undefined {
  if (!line.startsWith(START)) return undefined;
  const between = line.indexOf(BETWEEN);
  const key = line.slice(START.length, Math.max(0, between)).trim();
  const value = line.slice(between + BETWEEN.length).trim();
  const isNote = key !== '' && key.length <= KEY_MAX && value !== '' && value.length <= VALUE_MAX;
  return isNote ? { key, value } : undefined;
}
