/**
 * `.mux.yaml`, the settings that a repository brings along: few of the keys of config.yaml, with the same meaning. Pure: reading
 * the file, and asking whether the person trusts it, is the caller's.
 */
import { z } from 'zod';
import { readYaml, type Problem } from './document.ts';
import { toProblems } from './problems.ts';
import { hooks } from './schema-hooks.ts';
import { mcpServers, permission, selectors } from './schema.ts';

/** Where it stands: at the top of a repository. */
export const PROJECT_FILE = '.mux.yaml';

/** The whole file. */
export const projectSchema = z.strictObject({
  agent: z
    .strictObject({
      default_tools: selectors().prefault([]).describe('tools that chats here start with'),
      default_lores: selectors().prefault([]).describe('lores that chats here start with'),
    })
    .prefault({}),
  permissions: z.array(permission).prefault([]).describe('rules; they can only tighten'),
  mcp_servers: mcpServers.prefault([]).describe('MCP servers whose tools are offered here'),
  hooks: hooks.prefault([]).describe('commands run before and after tools and turns'),
});

export type Project = z.output<typeof projectSchema>;

/** What a file says, or what is wrong with it: half of a project's rules is another set of rules. */
export type LoadedProject =
  | { readonly project: Project; readonly problems: readonly [] }
  | { readonly project: undefined; readonly problems: readonly Problem[] };

/** Reads a whole file. Never throws. @param path named in problems */
export function loadProject({ path, text }: { path: string; text: string }): LoadedProject {
  const yaml = readYaml(path, text);
  if (yaml.problems.length > 0) return { project: undefined, problems: yaml.problems };
  const result = projectSchema.safeParse(yaml.value ?? {});
  if (result.success) return { project: result.data, problems: [] };
  return { project: undefined, problems: toProblems(path, yaml, projectSchema, result.error.issues) };
}
