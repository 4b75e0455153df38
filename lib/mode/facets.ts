/**
 * Labels of what a browser lists as facets: each `key=value` with the number of lores that carry it. Of one key any chosen value will
 * do; of several keys each must fit.
 */

interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
}

/** One label value. */
export interface Facet {
  readonly key: string;
  readonly value: string;
  /** Lores with it. */
  readonly count: number;
}

/** Facets offered; the most frequent ones. A row of more could not be read. */
const MAX_FACETS = 60;

/** All facets of `lores`, by key, then value; the rarest are left out where there are too many. */
export function facetsOf(lores: readonly Labelled[]): Facet[] {
  const counts = new Map<string, Facet>();
  for (const lore of lores) {
    for (const [key, value] of Object.entries(lore.labels)) {
      const name = facetName({ key, value });
      counts.set(name, { key, value, count: (counts.get(name)?.count ?? 0) + 1 });
    }
  }
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const order = (a: Facet, b: Facet): number => byText(a.key, b.key) || byText(a.value, b.value);
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || order(a, b))
    .slice(0, MAX_FACETS)
    .sort(order);
}

/** `key=value`: how a facet is written and remembered. */
export function facetName(facet: Pick<Facet, 'key' | 'value'>): string {
  return `${facet.key}=${facet.value}`;
}

/** The lores that fit the `chosen` facets. */
export function applyFacets<T extends Labelled>(lores: readonly T[], chosen: readonly Facet[]): readonly T[] {
  const keys = new Set(chosen.map(facet => facet.key));
  const wanted = new Set(chosen.map(facetName));
  return lores.filter(lore =>
    [...keys].every(key => {
      const value = Object.hasOwn(lore.labels, key) ? lore.labels[key] : undefined;
      return value !== undefined && wanted.has(facetName({ key, value }));
    }),
  );
}
