/**
 * Questions on their way: each is a file before it is sent, which goes when the service has it. What a service that went away
 * may not have had is there when its chat is used next.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerateRequest } from '../../ai/wire.ts';
import { CodedError } from '../../base/errors.ts';
import { syncFolderSync, systemError, writeAtomicSync } from '../../store/atomic.ts';
import type { AppContext } from '../context.ts';
import { isRunning, processMark } from './process-mark.ts';

const FOLDER = 'queue';
/** Questions that wait in one chat: who has asked so often without an answer looks for the service first. */
const WAITING_MAX = 100;
/** Digits of a time in ms until the year 2286, so that names sort as they came. */
const TIME_DIGITS = 13;

/** A request that can be sent again: its id is in it. */
export type QueuedRequest = GenerateRequest & { readonly request_id: string };

/** One file. */
interface Entry {
  /** The process that sends it. */
  readonly by: number;
  readonly request: QueuedRequest;
}

export class InputQueue {
  readonly #folder: string;

  /** @param chat its name */
  constructor({ paths }: AppContext, chat: string) {
    this.#folder = join(paths.data, FOLDER, encodeURIComponent(chat).replace(/^\./, '%2E'));
  }

  /** What nobody sends any more, the oldest first. Throws CodedError for what cannot be read: it is not to be lost. */
  waiting(): QueuedRequest[] {
    return this.#names()
      .map(name => this.#read(join(this.#folder, name)))
      .filter(entry => entry !== undefined)
      .filter(({ by }) => !isRunning(by))
      .map(({ request }) => request);
  }

  /** Throws CodedError: the question is not sent then. `now` is in ms since 1970. */
  add(request: QueuedRequest, now: number): void {
    if (this.#names().length >= WAITING_MAX)
      throw new CodedError('refused', `ask: ${WAITING_MAX} questions wait in this chat already`);
    const path = join(this.#folder, `${String(now).padStart(TIME_DIGITS, '0')}-${request.request_id}.json`);
    const entry: Entry = { by: processMark(process.pid), request };
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeAtomicSync(
        path,
        JSON.stringify(entry, (_, part: unknown) => withText(part)),
      );
    } catch (error) {
      throw systemError('ask: the question could not be kept', error);
    }
  }

  /** It has arrived, or is given up. Throws CodedError. */
  remove({ request_id: id }: QueuedRequest): void {
    const names = this.#names().filter(name => name.endsWith(`-${id}.json`));
    try {
      for (const name of names) rmSync(join(this.#folder, name), { force: true });
      if (names.length > 0) syncFolderSync(this.#folder);
    } catch (error) {
      throw systemError(this.#folder, error);
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter(name => name.endsWith('.json'))
        .sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw systemError(this.#folder, error);
    }
  }

  /** Undefined where its sender has just removed it. */
  #read(path: string): Entry | undefined {
    try {
      const value = JSON.parse(readFileSync(path, 'utf8'), (_, part: unknown) => withBytes(part)) as Entry;
      if (typeof value.request.request_id === 'string') return value;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      if (code !== undefined) throw systemError(path, error);
      // SyntaxError, TypeError: told below.
    }
    throw new CodedError('failed', `${path}: it is no question that was kept`, 'move it elsewhere to go on');
  }
}

/** Pictures, which JSON would write number by number. */
function withText(part: unknown): unknown {
  const { type, data } = (part ?? {}) as { type?: unknown; data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? { base64: Buffer.from(data).toString('base64') } : part;
}

function withBytes(part: unknown): unknown {
  const { base64, ...others } = (part ?? {}) as { base64?: unknown };
  const isBytes = typeof base64 === 'string' && Object.keys(others).length === 0;
  return isBytes ? Buffer.from(base64, 'base64') : part;
}
