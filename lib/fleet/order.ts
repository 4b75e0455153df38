/**
 * The order in which the members of a fleet start.
 */
import type { Member } from './types.ts';

type Ordered = Pick<Member, 'name' | 'after'>;

/**
 * A way from a member back to itself, over what each waits for: `a`, `b`, `a`. Undefined where there is none. Names that
 * are no member's are passed over.
 */
export function cycleIn(members: readonly Ordered[]): readonly string[] | undefined {
  const byName = new Map(members.map(member => [member.name, member]));
  const done = new Set<string>();
  for (const { name } of members) {
    // A stack of our own: a chain may be as long as the file.
    const trail: { name: string; next: number }[] = done.has(name) ? [] : [{ name, next: 0 }];
    while (trail.length > 0) {
      const top = trail.at(-1)!;
      const wanted = byName.get(top.name)?.after[top.next++]?.name;
      if (wanted === undefined) {
        done.add(top.name);
        trail.pop();
        continue;
      }
      const start = trail.findIndex(step => step.name === wanted);
      if (start >= 0) return [...trail.slice(start).map(step => step.name), wanted];
      if (!done.has(wanted)) trail.push({ name: wanted, next: 0 });
    }
  }
  return undefined;
}

/**
 * Members in waves: each waits for members of earlier waves alone, and stands in the earliest that it can. Within a wave
 * they are in the order of the file. There must be no cycle.
 */
export function waves<T extends Ordered>(members: readonly T[]): readonly (readonly T[])[] {
  const found: T[][] = [];
  const placed = new Set<string>();
  const names = new Set(members.map(member => member.name));
  let rest = members;
  while (rest.length > 0) {
    const isDue = ({ after }: T): boolean => after.every(({ name }) => placed.has(name) || !names.has(name));
    const wave = rest.filter(isDue);
    if (wave.length === 0) throw new Error(`a cycle among ${rest.map(member => member.name).join(', ')}`);
    for (const { name } of wave) placed.add(name);
    rest = rest.filter(member => !wave.includes(member));
    found.push(wave);
  }
  return found;
}
