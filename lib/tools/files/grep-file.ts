/**
 * The lines of one file that match.
 */
import { RE2JS } from 're2js';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import { decodeBytes, EDIT_MAX, encodingOf, openRegular } from './text-file.ts';

/** What is looked for. */
export interface Grep {
  readonly isMatch: (line: string) => boolean;
  /** Lines shown before and after each match. */
  readonly around: number;
  readonly namesOnly: boolean;
  /** Lines that there is room for. */
  readonly room: number;
  readonly signal: AbortSignal;
}

/** UTF-16 units of a line that are shown, and that are looked at. */
const SHOWN_MAX = 300;
const LINE_MAX = 10_000;

/**
 * Tells whether a line matches. By RE2: its time grows with the line, whatever the pattern is. Text without signs of a
 * pattern, as most searches are, is looked for as text, which is many times faster.
 *
 * @throws CodedError `usage` where the pattern is none
 */
export function lineMatcher(pattern: string, ignoreCase = false): (line: string) => boolean {
  if (!ignoreCase && /^[^\\^$.*+?()[\]{}|]+$/.test(pattern)) return line => line.includes(pattern);
  const regex = compiled(pattern, ignoreCase);
  return line => regex.matcher(line.slice(0, LINE_MAX)).find();
}

function compiled(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    if (pattern === '') throw new Error('it is empty');
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const why = visible((error as Error).message.split('\n')[0]!).slice(0, 200);
    throw new CodedError(
      'usage',
      `grep: argument pattern: ${why}`,
      'RE2 has no look-around and no backreferences',
      { cause: error },
    );
  }
}

/** `path:line:text` of each match, `path-line-text` of what is around it. Nothing of files that cannot be read, or are binary. */
export async function grepFile(path: string, shown: string, grep: Grep): Promise<string[]> {
  const text = await textOf(path);
  if (text === undefined || grep.signal.aborted) return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const out: string[] = [];
  let next = 0;
  for (const [at, line] of lines.entries()) {
    if (!grep.isMatch(line)) continue;
    if (grep.namesOnly) return [shown];
    const from = Math.max(next, at - grep.around);
    if (grep.around > 0 && next > 0 && from > next) out.push('--');
    for (let near = from; near < at; near++) out.push(lineOf(shown, '-', near, lines[near]!));
    out.push(lineOf(shown, ':', at, line));
    next = at + 1;
    // What follows a match, up to the next one.
    while (next < lines.length && next <= at + grep.around && !grep.isMatch(lines[next]!))
      out.push(lineOf(shown, '-', next, lines[next++]!));
    if (out.length >= grep.room) return out.slice(0, grep.room);
  }
  return out;
}

function lineOf(path: string, sign: string, at: number, line: string): string {
  const text = line.replace(/\r$/, '').replaceAll('\t', '  ');
  const cut = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
  return `${path}${sign}${at + 1}${sign}${visible(cut)}`;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const { handle, size } = await openRegular(path, path);
    try {
      if (size > EDIT_MAX) return undefined;
      const bytes = await handle.readFile();
      const encoding = encodingOf(bytes);
      return encoding && decodeBytes(bytes, encoding).replace(/^\ufeff/, '');
    } finally {
      await handle.close();
    }
  } catch (error) {
    // It is gone, or not for us: there is nothing to find in it.
    if (error instanceof CodedError || (error as NodeJS.ErrnoException).syscall) return undefined;
    throw error;
  }
}
