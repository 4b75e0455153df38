/**
 * Keeping the file of labels as the lores are, after one of them was written.
 */
import { CodedError } from '../base/errors.ts';
import { vocabulary, VOCABULARY_FILE } from '../graph/vocabulary.ts';
import { readTextFile } from '../watch/read-file.ts';
import type { AppContext } from './context.ts';
import { openGraph } from './graph-context.ts';
import { createFile, StagedChanges } from './graph-write.ts';

/** Writes it where it differs, and only then. What goes wrong is told and no more: the lore itself is written. */
export async function keepVocabulary(context: AppContext): Promise<void> {
  const what = 'labels';
  try {
    const { root, resolver } = await openGraph(context, what);
    const text = vocabulary(resolver.shelf('lore').list);
    const read = readTextFile(root, VOCABULARY_FILE);
    if (read.kind === 'gone' && text !== '') await createFile(root, VOCABULARY_FILE, text, what);
    if (read.kind !== 'text' || read.text === text) return;
    const staged = new StagedChanges(root, what);
    try {
      await staged.add({ file: VOCABULARY_FILE, before: read.text, text });
      await staged.check();
      await staged.commit();
    } finally {
      await staged.drop();
    }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    console.error(`mux: ${VOCABULARY_FILE} was not written: ${error.message}`);
  }
}
