/** Words of messages, as full-text search knows them. */
import type { Block } from '../wire.ts';

/** Characters of one message that are searched; a file of megabytes in it is found by its beginning. */
const TEXT_MAX = 256 * 1024;

/** What is searched of a message: what was said and thought. */
export function searchText(blocks: readonly Block[]): string {
  const texts = blocks.map(({ text, thought, tool_result }) => text ?? thought ?? tool_result?.content ?? '');
  return texts.filter(Boolean).join('\n').slice(0, TEXT_MAX);
}

/** A query of FTS5 for all of the words, each also as a beginning; signs of its language mean nothing. */
export function ftsQuery(text: string): string {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.length === 0 ? '""' : words.map(word => `"${word}"*`).join(' ');
}
