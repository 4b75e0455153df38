/**
 * What is not the service's to keep: what is being written, what waits to be said, how a chat is set. One file for each chat, and
 * one for the tabs of each terminal; whole at every moment, so that neither a closed window nor a killed process loses them.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicSync, writeCopy } from '../../store/atomic.ts';
import type { Attachment, Tab } from '../../chat/state.ts';

/** What is kept of a tab. */
export interface Draft {
  readonly version: 1;
  readonly chat: string;
  readonly title: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly queued: readonly string[];
  readonly model: string;
  readonly role: string;
  readonly effort: string;
  readonly mode: string;
  readonly tools?: readonly string[] | undefined;
  readonly resumeFrom: string;
}

/** The tabs of a terminal. */
export interface Tabs {
  readonly chats: readonly string[];
  readonly active: number;
}

/** Characters of a file's name: what every file system takes, with room for a suffix. */
const NAME_MAX = 180;
/** Messages that are remembered across chats. */
const HISTORY_NAME = 'history.json';

export class Drafts {
  readonly #dir: string;
  /** Writes of one file go one after the other. */
  readonly #writing = new Map<string, Promise<void>>();
  /** What a file is to hold next, while it is being written. */
  readonly #next = new Map<string, string>();

  /** `dir` is made where it is missing. */
  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  /** What was kept of a chat; undefined where nothing was. */
  read(chat: string): Draft | undefined {
    const value = this.#read(`draft-${chat}`) as Partial<Draft> | undefined;
    if (value?.version !== 1 || value.chat !== chat) return undefined;
    const text = (one: unknown): string => (typeof one === 'string' ? one : '');
    return {
      version: 1,
      chat,
      title: text(value.title),
      text: text(value.text),
      attachments: list(value.attachments).filter(isAttachment),
      queued: list(value.queued).filter((one): one is string => typeof one === 'string'),
      model: text(value.model),
      role: text(value.role),
      effort: text(value.effort),
      mode: text(value.mode),
      ...(Array.isArray(value.tools)
        ? { tools: list(value.tools).filter((one): one is string => typeof one === 'string') }
        : {}),
      resumeFrom: text(value.resumeFrom),
    };
  }

  /** Keeps it, soon. */
  write(draft: Draft): void {
    this.#put(`draft-${draft.chat}`, JSON.stringify(draft));
  }

  /** Nothing of a chat is worth keeping any more. */
  forget(chat: string): void {
    rmSync(this.#path(`draft-${chat}`), { force: true });
  }

  readTabs(terminal: string): Tabs | undefined {
    const value = this.#read(`tabs-${terminal}`) as Partial<Tabs> | undefined;
    const chats = list(value?.chats).filter((one): one is string => typeof one === 'string');
    if (chats.length === 0) return undefined;
    const active = Number(value?.active);
    return { chats, active: Number.isInteger(active) && active >= 0 && active < chats.length ? active : 0 };
  }

  writeTabs(terminal: string, tabs: Tabs): void {
    this.#put(`tabs-${terminal}`, JSON.stringify(tabs));
  }

  /** What was sent before, the oldest first. */
  readHistory(): readonly string[] {
    return list(this.#read(HISTORY_NAME)).filter((one): one is string => typeof one === 'string');
  }

  writeHistory(history: readonly string[]): void {
    this.#put(HISTORY_NAME, JSON.stringify(history));
  }

  /** Writes at once what has not been written: there is no later. */
  flush(): void {
    for (const [name, text] of this.#next) writeAtomicSync(this.#path(name), text);
    this.#next.clear();
  }

  /** The latest wins: a file that is being written gets what came meanwhile afterwards. */
  #put(name: string, text: string): void {
    this.#next.set(name, text);
    if (this.#writing.has(name)) return;
    const run = async (): Promise<void> => {
      for (let next = this.#next.get(name); next !== undefined; next = this.#next.get(name)) {
        await writeCopy(this.#path(name), next);
        if (this.#next.get(name) === next) this.#next.delete(name);
      }
    };
    // A full disk loses a draft only with the process; it is tried again at the next change, and at the end.
    const done = run()
      .catch(() => undefined)
      .finally(() => this.#writing.delete(name));
    this.#writing.set(name, done);
  }

  #read(name: string): unknown {
    try {
      return JSON.parse(readFileSync(this.#path(name), 'utf8')) as unknown;
    } catch {
      // ENOENT: none yet; SyntaxError: a convenience is lost, and the chat itself is the service's.
      return undefined;
    }
  }

  #path(name: string): string {
    return join(this.#dir, encodeURIComponent(name).slice(-NAME_MAX));
  }
}

/** What is kept of a tab. */
export function draftOf(tab: Tab, text: string): Draft {
  return {
    version: 1,
    chat: tab.chat,
    title: tab.title,
    text,
    attachments: tab.attachments,
    queued: tab.queued,
    model: tab.model.name,
    role: tab.role,
    effort: tab.effort,
    mode: tab.mode,
    tools: tab.tools,
    resumeFrom: tab.resumeFrom,
  };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false;
  const { name, text, path } = value as Record<string, unknown>;
  return (
    typeof name === 'string' && typeof text === 'string' && (path === undefined || typeof path === 'string')
  );
}
