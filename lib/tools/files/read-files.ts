/**
 * `read_files`: files as text, whole or some of their lines.
 */
import type { Tool } from '../../agent/tool.ts';
import { OUTCOME_MAX } from '../../agent/tool.ts';
import { CodedError, errorText, toCoded } from '../../base/errors.ts';
import type { ToolMethods } from '../contract.ts';
import { code } from '../markdown.ts';
import { told } from '../outcome.ts';
import { protoTool } from '../proto-tool.ts';
import { decodeBytes, encodingOf, openRegular, type Encoding } from './text-file.ts';
import type { Place, Workspace } from './workspace.ts';

interface ReadArgs {
  readonly paths: readonly string[];
  readonly first_line?: number;
  readonly line_count?: number;
}

/** Files of one call: more is a listing, for which there are other tools. */
const FILES_MAX = 50;
/** Lines that are read where nobody says how many. */
const LINES = 2000;
/** Bytes of one file that are looked at: whoever needs later ones uses a program that seeks. */
const FILE_MAX = 32 * 1024 * 1024;
/** UTF-16 units of a line: one of a minified file fills the context otherwise. */
const LINE_MAX = 4000;
/** Names of files in the header. */
const NAMES_MAX = 3;

/** `read_files`. */
export function readFilesTool(methods: ToolMethods, workspace: Workspace): Tool {
  const placesOf = (paths: readonly string[]): Promise<Place[]> =>
    Promise.all(paths.map(path => workspace.place(path)));
  return protoTool<ReadArgs>(methods, 'ReadFiles', {
    async preview({ paths, first_line = 1 }) {
      if (paths.length === 0) throw new CodedError('usage', 'read_files: argument paths: it is empty');
      if (paths.length > FILES_MAX)
        throw new CodedError('usage', `read_files: more than ${FILES_MAX} files in one call`);
      if (first_line < 0) throw new CodedError('usage', 'read_files: argument first_line: it is less than 1');
      const places = await placesOf(paths);
      const names = places.slice(0, NAMES_MAX).map(place => code(place.shown));
      const more = places.length > NAMES_MAX ? `, +${places.length - NAMES_MAX} more` : '';
      const tier = workspace.readTier(places);
      const outside = places.filter(place => !place.isInside).map(place => code(place.real));
      return {
        subject: { kind: 'words', words: places.map(place => place.shown), tier },
        header: `read ${names.join(', ')}${more}`,
        ...(outside.length > 0 ? { body: `Outside of the workspace: ${outside.join(', ')}` } : {}),
      };
    },
    async run({ paths, first_line, line_count }, preview) {
      const places = await placesOf(paths);
      // A link that was turned elsewhere since: nobody has allowed that.
      const words = preview.subject.kind === 'words' ? preview.subject.words : [];
      const room = Math.floor(OUTCOME_MAX / Math.max(1, places.length)) - 200;
      const texts: string[] = [];
      let isError = true;
      for (const [at, place] of places.entries()) {
        const read =
          words[at] === place.shown
            ? await readOne(place, { first: first_line || 1, count: line_count || LINES, room })
            : { error: `${place.shown}: it leads elsewhere now` };
        if ('text' in read) isError = false;
        texts.push(
          'text' in read
            ? `==> ${place.shown} (${read.what}) <==\n${read.text}`
            : `==> ${paths[at]}: ${read.error}`,
        );
      }
      return told(texts.join('\n'), { isError });
    },
  });
}

interface Wanted {
  readonly first: number;
  readonly count: number;
  /** Bytes of text for this file. */
  readonly room: number;
}

async function readOne(
  place: Place,
  wanted: Wanted,
): Promise<{ readonly text: string; readonly what: string } | { readonly error: string }> {
  try {
    const { handle, size } = await openRegular(place.real, place.shown);
    try {
      const bytes = await readUpTo(handle, FILE_MAX);
      const encoding = encodingOf(bytes);
      if (!encoding) return { error: `it is binary, ${Math.max(size, bytes.length)} bytes` };
      const text = decodeBytes(bytes, encoding).replace(/^\ufeff/, '');
      return cut(text, wanted, { encoding, isWhole: bytes.length < FILE_MAX });
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    // Its path is told already.
    return { error: errorText(toCoded(error)).replace(/^.*: /, '') };
  }
}

/** Files of /proc have no size, so it is read until there is no more. */
async function readUpTo(handle: import('node:fs/promises').FileHandle, max: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  while (length < max) {
    const buffer = Buffer.allocUnsafe(Math.min(1024 * 1024, max - length));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, length);
    if (bytesRead === 0) break;
    pieces.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(pieces);
}

/** The lines that are wanted, as many as there is room for, and which they are. */
function cut(
  text: string,
  { first, count, room }: Wanted,
  { encoding, isWhole }: { readonly encoding: Encoding; readonly isWhole: boolean },
): { readonly text: string; readonly what: string } | { readonly error: string } {
  const all = text.split('\n');
  const total = text === '' ? 0 : all.length - (text.endsWith('\n') ? 1 : 0);
  if (total === 0) return { text: '', what: 'empty' };
  const of = isWhole ? `${total}` : `more than ${total}`;
  if (first > total) return { error: `it has ${of} lines` };
  const lines: string[] = [];
  let used = 0;
  for (const line of all.slice(first - 1, Math.min(total, first - 1 + count))) {
    const shown =
      line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}… [${line.length - LINE_MAX} more]` : line;
    used += Buffer.byteLength(shown) + 1;
    if (used > room && lines.length > 0) break;
    lines.push(shown);
  }
  const last = first + lines.length - 1;
  const rest = last < total || !isWhole ? `; go on with first_line ${last + 1}` : '';
  const kind = encoding === 'utf8' ? '' : `, ${encoding}`;
  return { text: `${lines.join('\n')}\n`, what: `lines ${first}-${last} of ${of}${kind}${rest}` };
}
