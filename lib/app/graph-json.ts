/**
 * Artifacts of the graph as JSON: keys as scripts read them.
 */
import type { GraphLore, GraphRole, GraphToolSet, LoreHit } from '../graph/types.ts';

/** A role of `role list`; `selector` is as the own repository writes it. */
export function roleJson(role: GraphRole, selector = role.selector): object {
  return { selector, alias: role.alias, model: role.model, file: role.file };
}

/** A tool set of `toolset list`. */
export function toolSetJson(set: GraphToolSet, selector = set.selector): object {
  return { selector, engine_service: set.engineService, file: set.file, services: set.services };
}

/** A lore of `lore list` and `lore search`. */
export function loreJson(lore: GraphLore, name = lore.name, hit?: LoreHit): object {
  const { title, description, labels, file } = lore;
  const found = hit && { match_count: hit.matchCount, snippets: hit.snippets };
  return { name, title, description, labels, file, ...found };
}
