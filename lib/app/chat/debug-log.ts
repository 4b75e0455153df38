/** Requests and events as they went, for a person who wants to know why. In memory only. */
import type { AiClient } from '../../ai/client.ts';
import { systemClock } from '../../base/clock.ts';
import type { StyledLine } from '../../base/styled.ts';
import { visible } from '../../base/visible.ts';

/** Lines that are kept, the newest. */
const LINES_MAX = 1000;
/** Characters of a line. */
const LINE_MAX = 2000;

export class DebugLog {
  #lines: StyledLine[] = [];

  /** Oldest first. */
  lines(): readonly StyledLine[] {
    if (this.#lines.length > 0) return this.#lines;
    return [[{ text: 'nothing was asked yet', role: 'dim' }]];
  }

  /** The same client, of which it is noted what goes and comes. */
  watching(client: AiClient): AiClient {
    const note = this.#note.bind(this);
    return {
      close: () => client.close(),
      async call<T>(method: string, request: object, options?: Parameters<AiClient['call']>[2]): Promise<T> {
        note('→', method, request);
        return await client.call<T>(method, request, options);
      },
      async *generate(request, signal) {
        note('→', 'StreamGenerateMessage', request);
        for await (const event of client.generate(request, signal)) {
          note('←', Object.keys(event).join(), event);
          yield event;
        }
      },
    };
  }

  #note(direction: '→' | '←', what: string, value: unknown): void {
    const time = new Date(systemClock.now()).toISOString().slice(11, 23);
    const text = JSON.stringify(value, (_key, one: unknown) =>
      one instanceof Uint8Array ? `${one.length} bytes` : one,
    );
    this.#lines.push([
      { text: `${time} `, role: 'dim' },
      { text: `${direction} ${what} `, role: direction === '→' ? 'accent' : 'ok' },
      { text: visible(text.slice(0, LINE_MAX)) },
    ]);
    if (this.#lines.length > LINES_MAX) this.#lines = this.#lines.slice(-LINES_MAX);
  }
}
