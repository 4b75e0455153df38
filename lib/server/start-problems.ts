/**
 * What is wrong when a server starts and does not keep it from starting.
 */
import { shellProblem } from './programs/launch.ts';
import type { ServerParts } from './parts.ts';

/** A line each; none where all is well. */
export function startProblems({ settings, env }: ServerParts): readonly string[] {
  const shell = settings.options.get('default-shell') ? undefined : shellProblem(env);
  return shell === undefined ? settings.startProblems : [...settings.startProblems, shell];
}
