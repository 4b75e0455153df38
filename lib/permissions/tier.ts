/** What a command may do at most: five tiers, each holding what the ones before it may do. */

/** From harmless to what cannot be undone. */
export const TIERS = ['passthrough', 'read', 'write', 'elevated', 'destructive'] as const;

export type Tier = (typeof TIERS)[number];

/** The higher of two tiers. */
export function higher(a: Tier, b: Tier): Tier {
  return TIERS.indexOf(a) >= TIERS.indexOf(b) ? a : b;
}
