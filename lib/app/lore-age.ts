/**
 * How long ago lores were changed, by the history of the repository: what nobody has touched for long may be wrong by
 * now.
 */
import { systemClock } from '../base/clock.ts';
import { LORE_DIR } from '../graph/address.ts';
import type { GraphLore } from '../graph/types.ts';
import { lastChanges } from '../git/ages.ts';
import { Git } from '../git/run.ts';
import type { AppContext } from './context.ts';

const DAY_MS = 86_400_000;
/** Half a year: most of what is written about code is then about other code. */
const STALE_DAYS = 180;

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
    stale: at !== undefined && daysSince(at) >= STALE_DAYS,
  };
}

/** `stale: 212 days` for a person, '' for what is not. */
export function staleText(ages: LoreAges, { name, file }: Pick<GraphLore, 'name' | 'file'>): string {
  const at = changedAt(ages, name, file);
  const days = at === undefined ? 0 : daysSince(at);
  return days >= STALE_DAYS ? `stale: ${days} days` : '';
}

function changedAt(ages: LoreAges, name: string, file: string): number | undefined {
  return name.startsWith('@') ? undefined : ages.get(file);
}

function daysSince(at: number): number {
  return Math.floor((systemClock.now() - at) / DAY_MS);
}
