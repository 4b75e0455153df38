/**
 * The labels that the lores of a graph have, as a file beside them: so that who labels the next one takes the same words.
 */
import type { GraphLore } from './types.ts';

/** Where it stands, relative to the root. */
export const VOCABULARY_FILE = '.sgpt/labels';

/** A line for each key, `key: value, value`, keys and values in order; '' where nothing is labelled. */
export function vocabulary(lores: Iterable<Pick<GraphLore, 'labels'>>): string {
  const values = new Map<string, Set<string>>();
  for (const { labels } of lores)
    for (const [key, value] of Object.entries(labels))
      values.set(key, (values.get(key) ?? new Set()).add(value));
  const lines = Array.from(values, ([key, used]) => `${key}: ${[...used].sort().join(', ')}\n`);
  return lines.sort().join('');
}
