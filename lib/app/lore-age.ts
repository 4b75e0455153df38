/**
 * How long ago lores were changed, by the history of the repository: what nobody has touched for long may be wrong by
 * now.
 */
import { systemClock } from '../base/clock.ts';
import { daysBetween, isStale } from '../graph/age.ts';
import { LORE_DIR } from '../graph/address.ts';
import type { GraphLore } from '../graph/types.ts';
import { lastChanges } from '../git/ages.ts';
import { Git } from '../git/run.ts';
import type { AppContext } from './context.ts';

/** When each lore of the own repository was last committed, ms by file; those that never were are not in it. */
export type LoreAges = ReadonlyMap<string, number>;

/** One run of git for all of them. */
export function loreAges({ env }: AppContext, root: string): Promise<LoreAges> {
  return lastChanges(new Git({ env, clock: systemClock }), root, LORE_DIR);
}

/** For documents: null where it is not known, as of imported lores. */
export function ageJson(ages: LoreAges, { name, file }: Pick<GraphLore, 'name' | 'file'>): object {
  const at = changedAt(ages, name, file);
  return {
    changed_at: at === undefined ? null : new Date(at).toISOString(),
    stale: isStale(at, systemClock.now()),
  };
}

/** `stale: 212 days` for a person, '' for what is not. */
export function staleText(ages: LoreAges, { name, file }: Pick<GraphLore, 'name' | 'file'>): string {
  const at = changedAt(ages, name, file);
  const now = systemClock.now();
  return at !== undefined && isStale(at, now) ? `stale: ${daysBetween(at, now)} days` : '';
}

function changedAt(ages: LoreAges, name: string, file: string): number | undefined {
  return name.startsWith('@') ? undefined : ages.get(file);
}
