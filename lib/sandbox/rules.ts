/**
 * Settings laid over each other: global, agent, role. Pure.
 */
import type { SandboxLayer, SandboxRules } from './types.ts';

/** A sandbox that nobody has described. */
export const NO_RULES: SandboxRules = {
  enabled: false,
  backend: '',
  read: [],
  write: [],
  network: 'open',
  env: [],
};

/** Lists are joined, each entry once; of the rest the last layer that says something counts. */
export function mergeRules(layers: readonly (SandboxLayer | undefined)[]): SandboxRules {
  return layers.reduce<SandboxRules>(
    (rules, layer) => ({
      enabled: layer?.enabled ?? rules.enabled,
      backend: layer?.backend || rules.backend,
      read: union(rules.read, layer?.read),
      write: union(rules.write, layer?.write),
      network: layer?.network ?? rules.network,
      env: union(rules.env, layer?.env),
    }),
    NO_RULES,
  );
}

function union(before: readonly string[], more: readonly string[] | undefined): readonly string[] {
  return [...new Set([...before, ...(more ?? [])])];
}
