/**
 * Reading documents: from commits alone, so never half of one, and without any lock.
 */
import { CodedError } from '../base/errors.ts';
import { DOCUMENT_MAX } from './batch.ts';
import { askGit, runGit, type StoreGit } from './git.ts';
import { broken, tipOf } from './repository.ts';

/** A document, as `list` tells it. */
export interface DocumentRow {
  readonly key: string;
  readonly size: number;
  /** Seconds since the Unix epoch; 0 if unknown. */
  readonly updatedAt: number;
}

/** A change, as `log` tells it. */
export interface LogEntry {
  readonly commit: string;
  readonly at: number;
  /** `put`, `append` or `rm`. */
  readonly action: string;
  readonly key: string;
  readonly session: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly isProven: boolean;
}

/** A hundred thousand documents' names. */
const LIST_MAX = 32 * 1024 * 1024;
/** Room for what git says about a document beside its bytes. */
const HEAD_MAX = 64 * 1024;

/**
 * The document at `key`, now or as a commit left it; undefined where there is none.
 * @throws CodedError where the store is broken
 */
export async function readDocument(git: StoreGit, key: string, commit?: string): Promise<Buffer | undefined> {
  const at = commit ?? tipOf(git);
  const input = `${at}^{commit}\n${at}:${key}\n`;
  const options = { input, maxOutput: DOCUMENT_MAX + HEAD_MAX };
  const output = await guarded(git, () => runGit(git, ['cat-file', '--batch'], options));
  const first = headAt(output, 0);
  if (first.size === undefined && commit !== undefined) return undefined;
  if (first.size === undefined) throw broken(git.dir, `its last commit ${at} is missing`);
  const second = headAt(output, first.end + first.size + 1);
  if (second.size !== undefined && second.kind === 'blob')
    return output.subarray(second.end, second.end + second.size);
  // Git says of a folder that it cannot read the same as of one that is not there; listing tells them apart.
  const words = ['--literal-pathspecs', 'ls-tree', '-z', at, '--', key];
  const row = await guarded(git, () => runGit(git, words, { maxOutput: HEAD_MAX }));
  if (row.toString().includes(' blob ')) throw broken(git.dir, `the content of ${key} is missing`);
  return undefined;
}

/** `ID KIND SIZE\n` or `NAME missing\n` at an offset, and where what follows begins. */
function headAt(output: Buffer, from: number): { kind: string; size: number | undefined; end: number } {
  const end = output.indexOf(10, from) + 1;
  const [, kind = '', size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.toString('utf8', from, end - 1)) ?? [];
  return { kind, size: size === undefined ? undefined : Number(size), end };
}

/** Every document whose key begins with `prefix`, by key. @throws CodedError where the store is broken */
export async function listDocuments(git: StoreGit, prefix: string): Promise<DocumentRow[]> {
  const tip = tipOf(git);
  const words = ['ls-tree', '-r', '-l', '-z', tip];
  const output = await guarded(git, () => runGit(git, words, { maxOutput: LIST_MAX }));
  const sizes = new Map<string, number>();
  for (const line of output.toString().split('\0')) {
    const [, size, key = ''] = /^\d+ blob [0-9a-f]+ +(\d+)\t([^]+)$/.exec(line) ?? [];
    if (size !== undefined && key.startsWith(prefix)) sizes.set(key, Number(size));
  }
  const times = await lastChanges(git, tip, new Set(sizes.keys()));
  return [...sizes].map(([key, size]) => ({ key, size, updatedAt: times.get(key) ?? 0 }));
}

/** When each of the keys was changed last: the log is read until all are known. */
async function lastChanges(
  git: StoreGit,
  tip: string,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  if (keys.size === 0) return times;
  let rest = '';
  let at = 0;
  const isEnough = (piece: Buffer): boolean => {
    // Byte by byte: a piece may end within a character.
    const tokens = (rest + piece.toString('latin1')).split('\0');
    rest = tokens.pop() ?? '';
    for (const token of tokens) {
      const text = token.replace(/^\n/, '');
      if (text.startsWith('\x01')) at = Number(text.slice(1));
      else note(Buffer.from(text, 'latin1').toString());
    }
    return times.size === keys.size;
  };
  const note = (key: string): void => {
    if (keys.has(key) && !times.has(key)) times.set(key, at);
  };
  const words = ['log', '-z', '--format=%x01%ct', '--name-only', '--no-renames', tip];
  await guarded(git, () => runGit(git, words, { maxOutput: 0, isEnough }));
  return times;
}

const FIELDS = [
  '%H',
  '%ct',
  '%s',
  ...['Session', 'Session-Id', 'Agent', 'Unproven'].map(
    name => `%(trailers:key=${name},valueonly,separator=%x20)`,
  ),
];

/** What was changed, the newest first: of one document, or of all. @throws CodedError where the store is broken */
export async function readLog(git: StoreGit, key: string | undefined, limit: number): Promise<LogEntry[]> {
  const path = key === undefined ? [] : ['--', key];
  const words = ['--literal-pathspecs', 'log', '-z', '-n', String(limit), `--format=${FIELDS.join('%x01')}`];
  const output = await guarded(git, () =>
    runGit(git, [...words, tipOf(git), ...path], { maxOutput: LIST_MAX }),
  );
  return output
    .toString()
    .split('\0')
    .map(row => row.split('\x01'))
    .filter(([, , subject = '']) => subject.includes(' '))
    .map(([commit = '', at, subject = '', session = '', sessionId = '', agent = '', unproven = '']) => ({
      commit,
      at: Number(at),
      action: subject.slice(0, subject.indexOf(' ')),
      key: subject.slice(subject.indexOf(' ') + 1),
      session,
      sessionId,
      agent,
      isProven: unproven === '',
    }));
}

/** Git fails only where the store is broken. */
async function guarded<T>(git: StoreGit, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CodedError && error.code === 'failed' && error.hint === undefined)
      throw broken(git.dir, error.message);
    throw error;
  }
}

/** The commit that `text` names in full or by its beginning. @throws CodedError `not_found` */
export async function findCommit(git: StoreGit, text: string): Promise<string> {
  const isName = /^[0-9a-f]{4,40}$/.test(text);
  const words = ['rev-parse', '--verify', '--quiet', `${text}^{commit}`];
  const answer = isName ? await askGit(git, words, { maxOutput: HEAD_MAX }) : undefined;
  if (answer?.code === 0) return answer.stdout.toString().trim();
  throw new CodedError('not_found', `${text}: no change of this name`, "'mux store log' lists them");
}
