/**
 * What a chunk of output gave rise to, kept until the chunk is parsed: listeners then may write to the same emulator.
 */
import type { PaneSignal } from './screen-view.ts';

/**
 * Most bytes of replies one write may give rise to. A start-up burst of queries is some hundred bytes; more than this
 * is a program that asks without reading, and the kernel would not take it either.
 */
const MAX_REPLY = 16 * 1024;
/** Most signals of one write. A chunk is a few kilobytes; more is noise. */
const MAX_SIGNALS = 64;

/** Signals of which only the last of a chunk matters. */
const LATEST: ReadonlySet<PaneSignal['type']> = new Set(['bell', 'title', 'cwd', 'progress']);

/** Bounded replies and signals of one write, in order. Muted it keeps nothing. */
export class Outbox {
  muted = false;
  #reply = '';
  #signals: PaneSignal[] = [];

  /** Adds a whole reply; one that no longer fits is dropped. */
  reply(text: string): void {
    if (!this.muted && this.#reply.length + text.length <= MAX_REPLY) this.#reply += text;
  }

  signal(signal: PaneSignal): void {
    if (this.muted) return;
    if (LATEST.has(signal.type)) this.#signals = this.#signals.filter(other => other.type !== signal.type);
    if (this.#signals.length < MAX_SIGNALS) this.#signals.push(signal);
  }

  /** Empties the box. */
  take(): { reply: string; signals: readonly PaneSignal[] } {
    const taken = { reply: this.#reply, signals: this.#signals };
    this.#reply = '';
    if (taken.signals.length > 0) this.#signals = [];
    return taken;
  }
}
