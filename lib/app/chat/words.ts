/** What a message says, as plain text. */
import type { Message } from '../../ai/wire.ts';

/** Words of a message. */
export function wordsOf({ blocks = [] }: Message): string {
  return blocks.map(({ text }) => text ?? '').join('');
}
