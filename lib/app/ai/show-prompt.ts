/** `mux role show [SEL] --system`: the first message of a chat as a model gets it. */
import { readConfig } from '../../config/file.ts';
import type { Config } from '../../config/load.ts';
import { BUILTIN_TOOLS } from '../../graph/builtin-tools.ts';
import { findGraphRoot } from '../../watch/find-root.ts';
import { loadGraph } from '../../watch/load-graph.ts';
import { roleText } from '../../watch/role-text.ts';
import { expandRole } from '../../graph/expand.ts';
import type { Resolver } from '../../graph/resolve.ts';
import type { AppContext } from '../context.ts';
import { graphEnv } from '../graph-context.ts';
import { showInPager } from '../pager.ts';
import { promptHere } from './prompt-facts.ts';

/**
 * Prints it, and what is wrong with it on stderr. Works outside of graphs for who names no role.
 *
 * @param selector undefined: the default role of the settings, if there is one
 * @throws CodedError where the role is not there
 */
export async function showPrompt(
  context: AppContext,
  selector: string | undefined,
  isPaged: boolean,
): Promise<number> {
  const { config } = readConfig(context.configFile);
  const models = config.ai.models.map(({ name, alias = '' }) => ({ name, alias }));
  const env = graphEnv(context);
  const root = await findGraphRoot(context.cwd);
  const resolver = root === undefined ? undefined : (await loadGraph(root, env, models)).resolver;
  const wanted = selector ?? (config.agent.default_role || (resolver?.own.config.chat.defaultRole ?? ''));
  const role = wanted === '' ? undefined : await roleText(context.cwd, wanted, env, models);
  const tools = toolsOf(config, resolver, role?.selector);
  const isBuiltIn = (name: string): boolean => BUILTIN_TOOLS.has(name);
  const { text, warnings } = await promptHere(context, {
    tools: tools.filter(isBuiltIn),
    toolSets: tools.filter(name => !isBuiltIn(name)),
    role: role?.text ?? '',
  });
  for (const warning of [...(role?.warnings ?? []), ...warnings]) console.error(`mux: ${warning}`);
  if (context.json === 'on') console.log(JSON.stringify({ role: role?.selector ?? null, system: text }));
  else if (isPaged) showInPager(context.env, text);
  else console.log(text);
  return 0;
}

/** What a chat in the role has: the tools that it names, else those of the settings, else all that are built in. */
function toolsOf(
  { agent }: Config,
  resolver: Resolver | undefined,
  role: string | undefined,
): readonly string[] {
  const ofRole =
    resolver && role !== undefined ? expandRole(resolver, role).tools.map(({ value }) => value) : [];
  return [ofRole, agent.default_tools].find(({ length }) => length > 0) ?? [...BUILTIN_TOOLS];
}
