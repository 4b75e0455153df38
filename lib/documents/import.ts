/**
 * Writing to a repository by one `git fast-import` (git-fast-import(1)): it is asked what is there, told what shall be,
 * and moves the branch in one step at the end, only where the branch is still what it was.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { CodedError } from '../base/errors.ts';
import { reasonOf } from '../git/failure.ts';
import { BRANCH, gitCommand, type StoreGit } from './git.ts';

/** Of what is said about errors the end is kept: the reason stands there. */
const ERROR_MAX = 8 * 1024;
/** A batch takes milliseconds; a disk that does not answer for so long will not. */
const TIMEOUT_MS = 60_000;

/** What stands at a path. */
export interface Entry {
  readonly kind: 'blob' | 'tree';
  readonly id: string;
}

/** How an import ended. `moved`: the branch was changed by somebody else meanwhile, and nothing was written. */
export type ImportEnd = 'done' | 'moved';

/** One run. Questions are answered in the order in which they are asked. */
export class Import {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number>;
  readonly #late: NodeJS.Timeout;
  #output: Buffer = Buffer.alloc(0);
  #stderr = '';
  #isOver = false;
  #wake: (() => void) | undefined;
  #marks = 0;
  /** What the next commit follows: a commit's name, or a mark of this run. */
  #tip: string;

  /** @param tip the commit that the branch is at */
  constructor(git: StoreGit, tip: string) {
    this.#tip = tip;
    // A pack each: unpacking it would be a process more.
    const { program, args, options } = gitCommand(git, [
      '-c',
      'fastimport.unpackLimit=0',
      '-c',
      'core.fsync=committed',
      'fast-import',
      '--quiet',
      '--done',
      '--date-format=raw',
    ]);
    this.#child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.on('error', error =>
        reject(new CodedError('failed', `git: ${error.message}`, 'install git 2.31 or newer')),
      );
      this.#child.on('close', code => resolve(code ?? 1));
    });
    const over = (): void => {
      this.#isOver = true;
      this.#wake?.();
    };
    this.#ended.then(over, over);
    this.#late = setTimeout(() => this.#child.kill('SIGKILL'), TIMEOUT_MS);
    this.#child.stdout?.on('data', (data: Buffer) => {
      this.#output = Buffer.concat([this.#output, data]);
      this.#wake?.();
    });
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-ERROR_MAX);
    });
    // EPIPE: git has ended, and says why itself.
    this.#child.stdin?.on('error', () => undefined);
  }

  /** What stands at the paths now, in their order; undefined where there is nothing. @throws CodedError */
  async look(paths: readonly string[]): Promise<(Entry | undefined)[]> {
    this.#send(paths.map(path => `ls ${this.#tip} "${path}"\n`).join(''));
    const entries: (Entry | undefined)[] = [];
    for (const _ of paths) entries.push(entryOf(await this.#line()));
    return entries;
  }

  /** Takes the bytes in as a blob; its name. Nothing refers to it yet. @throws CodedError */
  async blob(bytes: Uint8Array): Promise<string> {
    const mark = `:${++this.#marks}`;
    this.#send(`blob\nmark ${mark}\ndata ${bytes.length}\n`);
    this.#child.stdin?.write(bytes);
    this.#send(`\nget-mark ${mark}\n`);
    return this.#line();
  }

  /** The bytes of a blob. @throws CodedError */
  async content(id: string): Promise<Buffer> {
    this.#send(`cat-blob ${id}\n`);
    const size = Number((await this.#line()).split(' ')[2]);
    // A newline stands behind it.
    const bytes = await this.#take(size + 1);
    return bytes.subarray(0, size);
  }

  /** Commits one change; `id` is the blob that shall stand at `path`, undefined for none. Resolves with its name. */
  async commit(
    path: string,
    id: string | undefined,
    said: { readonly message: string; readonly at: number },
  ): Promise<string> {
    const mark = `:${++this.#marks}`;
    const change = id === undefined ? `D "${path}"` : `M 100644 ${id} "${path}"`;
    this.#send(
      `commit refs/heads/${BRANCH}\nmark ${mark}\ncommitter mux <mux@localhost> ${said.at} +0000\n` +
        `data ${Buffer.byteLength(said.message)}\n${said.message}\nfrom ${this.#tip}\n${change}\n\n` +
        `get-mark ${mark}\n`,
    );
    this.#tip = mark;
    return this.#line();
  }

  /** Lets the branch move to the last commit. @throws CodedError where git fails */
  async finish(): Promise<ImportEnd> {
    this.#child.stdin?.end('done\n');
    const code = await this.#ended.finally(() => clearTimeout(this.#late));
    if (code === 0) return 'done';
    if (/does not contain|cannot lock ref/.test(this.#stderr)) return 'moved';
    throw this.#failure();
  }

  /** Gives it up: nothing is written. */
  async abandon(): Promise<void> {
    clearTimeout(this.#late);
    // Without `done` git takes what it was told for cut off.
    this.#child.stdin?.destroy();
    await this.#ended.catch(() => undefined);
  }

  #send(text: string): void {
    this.#child.stdin?.write(text);
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#output.indexOf(10);
      if (end >= 0) return (await this.#take(end + 1)).toString('utf8', 0, end);
      await this.#more();
    }
  }

  async #take(size: number): Promise<Buffer> {
    while (this.#output.length < size) await this.#more();
    const taken = this.#output.subarray(0, size);
    this.#output = this.#output.subarray(size);
    return taken;
  }

  async #more(): Promise<void> {
    if (!this.#isOver) await new Promise<void>(resolve => (this.#wake = resolve));
    else {
      await this.#ended;
      throw this.#failure();
    }
  }

  #failure(): CodedError {
    return new CodedError('failed', reasonOf(this.#stderr) || 'git ended without a word');
  }
}

/** `100644 blob ID\tPATH`, `040000 tree ID\tPATH` or `missing PATH`. */
function entryOf(line: string): Entry | undefined {
  const [, kind, id] = /^\d+ (blob|tree) ([0-9a-f]+)\t/.exec(line) ?? [];
  return kind === undefined || id === undefined ? undefined : { kind: kind as Entry['kind'], id };
}
