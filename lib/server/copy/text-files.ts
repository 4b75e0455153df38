/**
 * A pane's text, or a document, in a file of its own, for a person's editor or pager.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CodedError } from '../../base/errors.ts';

/** What is on a screen may be secret: for its owner alone. */
const MODE = 0o600;

/** Nothing that is changed in it goes anywhere: editors say so when they find this. */
const MODE_SHOWN = 0o400;

/** Editors that go to a line by `+LINE`. */
const PLUS_LINE = /^(?:vi|vim|nvim|view|nano|emacs|emacsclient|micro|kak|joe|mg)$/;
/**
 * Edits the file, then takes it and its folder away: nothing else knows when the editor has ended. Where its pane is
 * closed the shell outlives the signals that end the editor (`:` is no ignoring, which the editor would inherit).
 */
const SCRIPT = 'trap : HUP TERM INT; f=$1; shift; "$@" "$f"; rm -f -- "$f"; rmdir -- "${f%/*}"';

/**
 * Puts a text into a file of its own and gives the argv that edits it, at its last line, and takes it away afterwards.
 * @throws CodedError `failed`
 */
export async function editorArgv(editor: readonly string[], name: string, text: string): Promise<string[]> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'mux-history-'));
    const file = join(folder, `${name.replace(/[^\w.-]+/g, '-') || 'pane'}.txt`);
    await writeFile(file, text, { mode: MODE });
    const lines = text.split('\n').length - 1;
    const line = PLUS_LINE.test(basename(editor[0] ?? '')) ? [`+${Math.max(1, lines)}`] : [];
    return ['sh', '-c', SCRIPT, 'sh', file, ...editor, ...line];
  } catch (error) {
    throw new CodedError('failed', `edit-history: ${(error as NodeJS.ErrnoException).code}`, undefined, {
      cause: error,
    });
  }
}

/**
 * Puts a document into a file of its own that cannot be written, and gives the argv that shows it by a pager or an editor
 * and takes it away afterwards.
 * @throws CodedError `failed`
 */
export async function shownArgv(
  program: readonly string[],
  name: string,
  body: Uint8Array,
): Promise<string[]> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'mux-document-'));
    const file = join(folder, name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'document');
    await writeFile(file, body, { mode: MODE_SHOWN });
    return ['sh', '-c', SCRIPT, 'sh', file, ...program];
  } catch (error) {
    throw new CodedError('failed', `document ${name}: ${(error as NodeJS.ErrnoException).code}`, undefined, {
      cause: error,
    });
  }
}
