/**
 * Deltas on their way to a client. A message of gRPC costs more than all else that is done for a token: deltas of one block
 * that come in one turn of the event loop go as one, where there are many of them.
 */
import type { Block, StreamEvent } from '../wire.ts';

/** Characters of one message, after which the next begins: what is shown comes in steps that nobody sees as steps. */
const DELTA_MAX = 4096;

/**
 * So many of a turn go as they come: what one packet of a provider holds while it writes. Half of what a stream of Node takes
 * before it has its writer wait for the next turn.
 */
const SINGLE_MAX = 8;

/** A delta of text or thought and nothing else. */
interface Delta {
  readonly index: number;
  readonly kind: 'text' | 'thought';
  text: string;
}

export class DeltaWriter {
  readonly #write: (event: StreamEvent) => boolean;
  #held: Delta | undefined;
  #timer: NodeJS.Immediate | undefined;
  /** Deltas of this turn. */
  #count = 0;

  /** @param write sends an event; false where the client reads too slowly */
  constructor(write: (event: StreamEvent) => boolean) {
    this.#write = write;
  }

  /** Sends an event, at once or with those that come in this turn, in order; false where the client reads too slowly. */
  write(event: StreamEvent): boolean {
    const delta = deltaOf(event);
    const held = this.#held;
    if (delta && held && held.index === delta.index && held.kind === delta.kind) {
      held.text += delta.text;
      return held.text.length < DELTA_MAX || this.flush();
    }
    const isRoom = this.flush();
    if (!delta) return this.#write(event) && isRoom;
    this.#timer ??= setImmediate(() => {
      this.#timer = undefined;
      this.#count = 0;
      this.flush();
    });
    if (++this.#count <= SINGLE_MAX) return this.#write(event) && isRoom;
    this.#held = delta;
    return isRoom;
  }

  /** Sends what is held. */
  flush(): boolean {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined || this.#write({ block: { index: held.index, [held.kind]: held.text } });
  }

  /** Nothing is sent any more. */
  dispose(): void {
    if (this.#timer) clearImmediate(this.#timer);
    this.#held = undefined;
  }
}

function deltaOf({ block }: StreamEvent): Delta | undefined {
  if (!block) return undefined;
  const { index = 0, text, thought, ...others }: Block = block;
  if (Object.keys(others).length > 0) return undefined;
  if (text !== undefined && thought === undefined) return { index, kind: 'text', text };
  return thought !== undefined && text === undefined ? { index, kind: 'thought', text: thought } : undefined;
}
