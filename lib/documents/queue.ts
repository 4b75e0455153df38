/**
 * Writes that wait while another process has the lock: it takes them along, so that many at once cost one git. A request
 * is a file that its process puts there whole; the answer is one beside it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyProblem } from './key.ts';
import type { WriteKind, Writer } from './message.ts';
import { isAlive, ownerOf } from './owner.ts';

/** One change of one document. */
export interface Write {
  /** Unlike that of any other write, ever: by it a write that was done is known again after a crash. */
  readonly id: string;
  readonly kind: WriteKind;
  readonly key: string;
  readonly body: Buffer;
  readonly writer: Writer;
  /** Seconds since the Unix epoch. */
  readonly at: number;
}

/** What became of a write. `blocked`: the document at `by` would have to be a folder, or is one. */
export type Outcome =
  | { readonly result: 'written' | 'unchanged'; readonly commit: string; readonly size: number }
  | { readonly result: 'missing' }
  | { readonly result: 'too_large' }
  | { readonly result: 'blocked'; readonly by: string };

/** A request as it stands in the queue. */
export interface Request {
  readonly name: string;
  readonly write: Write;
}

/** Taken along at once. More would let the first of them wait for the last. */
const BATCH_MAX = 200;
const BATCH_BYTES = 32 * 1024 * 1024;
/** What a process that has died left behind is removed after so long. */
const LEFT_MS = 60_000;
const FILE_MODE = 0o600;
const REQUEST = /^(\d+-(\d+\.\d+)-\d+)\.request$/;
const ANSWER = /^\d+-(\d+\.\d+)-\d+\.answer$/;

export class Queue {
  readonly #dir: string;
  /** Names what is being written by who has the lock. */
  readonly #batch: string;
  #count = 0;

  /** @param dir the store's folder `mux` */
  constructor(dir: string) {
    this.#dir = join(dir, 'queue');
    this.#batch = join(dir, 'batch');
  }

  /** Puts a write in; its name there. Throws the system's error. */
  add({ body, ...head }: Write, now: number): string {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    // Names sort by time, so that who came first is served first.
    const name = `${String(now).padStart(15, '0')}-${ownerOf(process.pid)}-${this.#count++}`;
    this.#write(`${name}.request`, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]));
    return name;
  }

  /** Takes a write back: what nobody has taken along yet will not be done. */
  remove(name: string): void {
    for (const ending of ['request', 'answer']) rmSync(join(this.#dir, `${name}.${ending}`), { force: true });
  }

  /** The next ones whose processes still wait, the oldest first. Sweeps what others have left behind. */
  next(now: number): Request[] {
    const names = this.#names();
    for (const name of names) this.#sweep(name, now);
    const requests: Request[] = [];
    let bytes = 0;
    for (const file of names.sort()) {
      const [, name, owner] = REQUEST.exec(file) ?? [];
      const isDone = names.includes(`${name}.answer`);
      if (name === undefined || owner === undefined || isDone || !isAlive(owner)) continue;
      const write = this.#read(file);
      if (write === undefined) continue;
      bytes += write.body.length;
      if (requests.length > 0 && (bytes > BATCH_BYTES || requests.length === BATCH_MAX)) break;
      requests.push({ name, write });
    }
    return requests;
  }

  /** Whether the last one who had the lock died between writing and answering. */
  hasUnfinished(): boolean {
    return readIfThere(this.#batch) !== undefined;
  }

  /** Notes that requests are about to be written, until `finished`. */
  started(): void {
    writeFileSync(this.#batch, '', { mode: FILE_MODE });
  }

  finished(): void {
    rmSync(this.#batch, { force: true });
  }

  /** Tells what became of a request. */
  answer(name: string, outcome: Outcome): void {
    this.#write(`${name}.answer`, Buffer.from(JSON.stringify(outcome)));
  }

  /** The answer, once it is there; it is taken away. */
  takeAnswer(name: string): Outcome | undefined {
    const text = readIfThere(join(this.#dir, `${name}.answer`));
    if (text === undefined) return undefined;
    // The request goes first: one without an answer would be done again.
    rmSync(join(this.#dir, `${name}.request`), { force: true });
    rmSync(join(this.#dir, `${name}.answer`), { force: true });
    return JSON.parse(text.toString()) as Outcome;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir);
    } catch {
      // ENOENT: nobody has waited here yet.
      return [];
    }
  }

  #read(file: string): Write | undefined {
    const bytes = readIfThere(join(this.#dir, file));
    const end = bytes?.indexOf(10) ?? -1;
    if (bytes === undefined || end < 0) return undefined;
    const head = JSON.parse(bytes.toString('utf8', 0, end)) as Omit<Write, 'body'>;
    // Whoever wrote it was to check that; it goes to git as it is.
    return keyProblem(head.key) === undefined ? { ...head, body: bytes.subarray(end + 1) } : undefined;
  }

  #sweep(file: string, now: number): void {
    const owner = (REQUEST.exec(file)?.[2] ?? ANSWER.exec(file)?.[1]) || /\.new-(\d+\.\d+)$/.exec(file)?.[1];
    if (owner === undefined || isAlive(owner)) return;
    const path = join(this.#dir, file);
    try {
      if (now - statSync(path).mtimeMs > LEFT_MS) rmSync(path, { force: true });
    } catch {
      // ENOENT: another one has swept it.
    }
  }

  #write(file: string, data: Uint8Array): void {
    const path = join(this.#dir, file);
    const unfinished = `${path}.new-${ownerOf(process.pid)}`;
    writeFileSync(unfinished, data, { mode: FILE_MODE });
    renameSync(unfinished, path);
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
