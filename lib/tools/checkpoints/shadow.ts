/**
 * A repository beside a folder, not in it: keeps what is in the folder at a moment, without touching the index, the objects or the
 * references of a repository that the folder may be in. Contents are kept byte by byte: no line ends are converted, no
 * filters run.
 */
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import type { Git } from '../../git/run.ts';
import { KEPT_MAX, type FileState } from './states.ts';

/** A path whose content differs between two moments. */
export interface TreeChange {
  /** Relative to the folder. */
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

/** For one look at the folder, ms: somebody waits for the call that comes after it. */
const LOOK_MS = 20_000;
/** Bytes of a list of names: a million files are no project. */
const NAMES_MAX = 64 * 1024 * 1024;
/** Files that are read again at once, and bytes of them together. */
const BLOBS_AT_ONCE = 64;
const BLOBS_MAX = BLOBS_AT_ONCE * KEPT_MAX;
/** Of all that is kept of a project, KiB. */
const STORE_MAX_KIB = 1024 * 1024;
/** Nothing here is worth waiting for the disk: what is lost by a power cut is a chance to undo. */
const FAST = [
  '-c',
  'core.fsync=none',
  '-c',
  'core.looseCompression=1',
  '-c',
  'core.autocrlf=false',
  '-c',
  'core.safecrlf=false',
];
/** Attributes in info/ come before those in the folder (gitattributes(5)). */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding -eol\n';
/** Modes that git tells apart by itself: a file, and one that can be run. */
const COMMON = new Set([0o644, 0o755, 0o664, 0o775]);

export class Shadow {
  readonly #git: Git;
  readonly #dir: string;
  readonly #root: string;
  #env: Readonly<Record<string, string>> | undefined;
  /** Modes of files that have others than common ones, by path. */
  #modes: Record<string, number> = {};

  /** @param dir where it is kept @param root the folder, absolute, links followed */
  constructor(git: Git, dir: string, root: string) {
    this.#git = git;
    this.#dir = dir;
    this.#root = root;
  }

  /** Keeps what is in the folder now, without what git ignores and what is too large. Gives the name of the tree. */
  async look(): Promise<string> {
    const names = await this.#run([
      'ls-files',
      '-z',
      '--others',
      '--modified',
      '--deleted',
      '--exclude-standard',
    ]);
    const changed = [...new Set(names.toString().split('\0'))].filter(
      name => name !== '' && !name.endsWith('/'),
    );
    const kept = await this.#worthKeeping(changed);
    if (kept.length > 0) {
      await this.#run(
        ['update-index', '-z', '--add', '--remove', '--stdin'],
        Buffer.from(`${kept.join('\0')}\0`),
      );
      await this.#saveModes();
    }
    return (await this.#run(['write-tree'])).toString().trim();
  }

  /** What differs between two looks. */
  async changes(before: string, after: string): Promise<TreeChange[]> {
    if (before === after) return [];
    const text = (await this.#run(['diff-tree', '-r', '-z', '--no-renames', before, after])).toString();
    const words = text.split('\0');
    const changes: TreeChange[] = [];
    for (let at = 0; at + 1 < words.length; at += 2) {
      const [oldMode = '', newMode = '', oldSha = '', newSha = ''] = words[at]!.slice(1).split(' ');
      const path = words[at + 1]!;
      changes.push({
        path,
        before: this.#state(path, oldMode, oldSha),
        after: this.#state(path, newMode, newSha),
      });
    }
    return changes;
  }

  /** Keeps a content. */
  async keep(content: Buffer): Promise<void> {
    await this.#run(['hash-object', '-w', '--stdin'], content);
  }

  /** Contents by their names. Throws CodedError where one is not there any more. */
  async contents(names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const wanted = [...new Set(names)];
    for (let at = 0; at < wanted.length; at += BLOBS_AT_ONCE) {
      const some = wanted.slice(at, at + BLOBS_AT_ONCE);
      const bytes = await this.#run(['cat-file', '--batch'], Buffer.from(`${some.join('\n')}\n`), BLOBS_MAX);
      readBatch(bytes, found);
    }
    return found;
  }

  async #run(args: readonly string[], input?: Buffer, maxOutput = NAMES_MAX): Promise<Buffer> {
    this.#env ??= await this.#open();
    return this.#git.bytes([...FAST, ...args], {
      cwd: this.#root,
      kind: 'write',
      env: this.#env,
      timeoutMs: LOOK_MS,
      maxOutput,
      ...(input ? { input } : {}),
    });
  }

  /** Makes it, or takes the one that is there. What the repository of the folder has already is not kept twice. */
  async #open(): Promise<Readonly<Record<string, string>>> {
    await this.#emptyIfLarge();
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await this.#git.run(['init', '-q', '--bare', '--template=', '--object-format=sha1', this.#dir], {
      cwd: this.#root,
      kind: 'write',
    });
    await this.#git.run(['config', '-f', join(this.#dir, 'config'), 'core.bare', 'false'], {
      cwd: this.#root,
      kind: 'write',
    });
    await mkdir(join(this.#dir, 'info'), { recursive: true });
    await writeFile(join(this.#dir, 'info', 'attributes'), ATTRIBUTES);
    this.#modes = await readModes(this.#dir);
    const objects = await this.#objectsOfFolder();
    return {
      GIT_DIR: this.#dir,
      GIT_WORK_TREE: this.#root,
      GIT_INDEX_FILE: join(this.#dir, 'index'),
      GIT_NO_LAZY_FETCH: '1',
      ...(objects ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects } : {}),
    };
  }

  /** What was kept is kept until it is too much; then all of it goes, and what calls did before cannot be taken back. */
  async #emptyIfLarge(): Promise<void> {
    const env = { GIT_DIR: this.#dir };
    const { code, stdout } = await this.#git.ask(['count-objects', '-v'], { cwd: this.#root, env });
    const kibibytes = Number(/^size: (\d+)$/m.exec(stdout.toString())?.[1] ?? 0);
    if (code === 0 && kibibytes > STORE_MAX_KIB) await rm(this.#dir, { recursive: true, force: true });
  }

  async #objectsOfFolder(): Promise<string | undefined> {
    const asked = ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--show-object-format'];
    const { code, stdout } = await this.#git.ask(asked, { cwd: this.#root });
    const [objects, format] = stdout.toString().split('\n');
    return code === 0 && format === 'sha1' && !objects?.includes(':') ? objects : undefined;
  }

  /** Files of a size that is kept, links, and what is gone; their modes are noted. Names that are no UTF-8 are left out. */
  async #worthKeeping(names: readonly string[]): Promise<string[]> {
    const kept: string[] = [];
    for (const name of names) {
      const entry = await lstat(join(this.#root, name)).catch(() => undefined);
      const isKept = !entry || entry.isSymbolicLink() || (entry.isFile() && entry.size <= KEPT_MAX);
      if (!isKept || name.includes('\ufffd')) continue;
      kept.push(name);
      if (entry?.isFile()) this.#note(name, entry.mode & 0o7777);
    }
    return kept;
  }

  #note(path: string, mode: number): void {
    if (!COMMON.has(mode)) this.#modes[path] = mode;
    else delete this.#modes[path];
  }

  #state(path: string, mode: string, sha: string): FileState | undefined {
    if (/^0+$/.test(mode)) return undefined;
    if (mode === '120000') return { kind: 'link', mode: 0, sha };
    const noted = Object.hasOwn(this.#modes, path) ? this.#modes[path]! : undefined;
    return { kind: 'file', mode: noted ?? (mode === '100755' ? 0o755 : 0o644), sha };
  }

  async #saveModes(): Promise<void> {
    const path = join(this.#dir, 'mux-modes.json');
    await writeFile(`${path}.new`, JSON.stringify(this.#modes), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

async function readModes(dir: string): Promise<Record<string, number>> {
  try {
    return JSON.parse(await readFile(join(dir, 'mux-modes.json'), 'utf8')) as Record<string, number>;
  } catch {
    // ENOENT at first; what is broken costs modes alone.
    return {};
  }
}

/** `SHA blob SIZE\n` and the content for each (git-cat-file(1), batch output). */
function readBatch(bytes: Buffer, found: Map<string, Buffer>): void {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const [name = '', kind, size] = bytes.subarray(at, end).toString().split(' ');
    if (kind !== 'blob') throw new CodedError('failed', 'checkpoint: what was kept is gone');
    const from = end + 1;
    found.set(name, bytes.subarray(from, from + Number(size)));
    at = from + Number(size) + 1;
  }
}
