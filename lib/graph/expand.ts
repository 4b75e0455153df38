/**
 * A role with what it includes: depth first, what is included before its own, each role once.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { canonicalSelector } from './address.ts';
import type { Graph, GraphRole } from './types.ts';

/** What a role comes to. Lists hold each entry once, in order of first mention. */
export interface ExpandedRole {
  readonly selector: string;
  /** Its own, else that of the first included role that has one; '' if none does. */
  readonly model: string;
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly files: readonly string[];
  /** Includes that lead to no role of this graph, as written. */
  readonly missing: readonly string[];
}

/** A role by any spelling: selector, bare title, or alias. */
function findRole(graph: Graph, text: string): GraphRole | undefined {
  const selector = canonicalSelector(text);
  return (
    graph.roles.find(role => role.selector === selector) ??
    graph.roles.find(role => role.alias !== '' && role.alias === text)
  );
}

/** The role behind `text` with its includes. Throws CodedError `not_found` with the nearest name. */
export function expandRole(graph: Graph, text: string): ExpandedRole {
  const role = findRole(graph, text);
  if (!role) {
    const near = nearest(text, graph.roles.flatMap(r => [r.selector, r.title, r.alias]).filter(Boolean));
    throw new CodedError(
      'not_found',
      `role ${text}: no such role in ${graph.root || 'this directory'}`,
      near && `did you mean ${near}?`,
    );
  }
  const order: GraphRole[] = [];
  const missing: string[] = [];
  const seen = new Set<string>();
  const visit = (current: GraphRole): void => {
    // Diamonds and cycles: a role counts where it is met first.
    if (seen.has(current.selector)) return;
    seen.add(current.selector);
    for (const include of current.roles) {
      const found = findRole(graph, include);
      if (found) visit(found);
      else missing.push(include);
    }
    order.push(current);
  };
  visit(role);
  const unique = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
  return {
    selector: role.selector,
    model: role.model || (order.find(r => r.model !== '')?.model ?? ''),
    prompt: order
      .map(r => r.prompt)
      .filter(Boolean)
      .join('\n\n'),
    tools: unique(order.map(r => r.tools)),
    files: unique(order.map(r => r.files)),
    missing,
  };
}
