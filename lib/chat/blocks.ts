/** The parts of an item that can be gone to and copied by themselves: blocks of code, as they are between their fences, and text. */
import { parseMarkdown } from '../markdown/parse.ts';
import type { Item } from './item.ts';

/** Parts of a text, in order; of items without markup the whole is one. */
export function blocksOf(item: Item): readonly string[] {
  if (item.kind === 'files') return item.files.map(({ text }) => text);
  if (item.kind !== 'assistant' && item.kind !== 'system') return [];
  return parseMarkdown(item.text).tokens.flatMap(token => {
    if (token.type === 'space' || token.type === 'def') return [];
    return [token.type === 'code' && 'text' in token ? String(token.text) : token.raw.trimEnd()];
  });
}
