/**
 * Completion at the command prompt: names of commands, then flags, then sessions and windows.
 */
import { graphemes } from '../../base/text.ts';
import { flagWords } from '../../cmd/args.ts';
import { COMMANDS } from '../../cmd/registry.ts';
import type { ClientServices } from './services.ts';

/** What may stand in place of the word before the caret. */
export function completeCommand(
  before: string,
  services: Pick<ClientServices, 'model' | 'options'>,
): { readonly candidates: readonly string[]; readonly replace: number } {
  const line = before.slice(before.lastIndexOf(';') + 1).trimStart();
  const words = line.split(/\s+/);
  const word = words.at(-1) ?? '';
  const found = candidates(words, services).filter(c => c.startsWith(word));
  // A word that can be nothing else is finished: the next one can be typed at once.
  return { candidates: found.length === 1 ? [`${found[0]} `] : found, replace: graphemes(word).length };
}

function candidates(
  words: readonly string[],
  { model, options }: Pick<ClientServices, 'model' | 'options'>,
): readonly string[] {
  if (words.length <= 1) return COMMANDS.map(c => c.name);
  const spec = COMMANDS.find(
    c => c.name === words[0] || c.name === `${words[0]} ${words[1]}` || c.aliases?.includes(words[0]!),
  );
  if (!spec) {
    // The second word of a name.
    const start = words.length === 2 ? `${words[0]} ` : '\0';
    return COMMANDS.filter(c => c.name.startsWith(start)).map(c => c.name.slice(start.length));
  }
  if (words.at(-1)!.startsWith('-')) return spec.flags.flatMap(flagWords);
  if (spec.name.endsWith('-option') || spec.name.endsWith('-options')) return options.list().map(o => o.name);
  if (spec.target === 'none') return [];
  const sessions = model.sessions.all().map(s => s.name);
  return spec.target === 'window' ? [...model.windows.all().map(w => w.name), ...sessions] : sessions;
}
