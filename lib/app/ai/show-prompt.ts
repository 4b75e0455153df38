/** `mux role show [SEL] --system`: the first message of a chat as a model gets it. */
import { readConfig } from '../../config/file.ts';
import { findGraphRoot } from '../../watch/find-root.ts';
import { loadGraph } from '../../watch/load-graph.ts';
import { roleText } from '../../watch/role-text.ts';
import type { AppContext } from '../context.ts';
import { graphEnv } from '../graph-context.ts';
import { showInPager } from '../pager.ts';
import { promptHere, toolNames } from './prompt-facts.ts';

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
  const tools = [role?.tools ?? [], config.agent.default_tools].find(({ length }) => length > 0);
  const { text, warnings } = await promptHere(context, { ...toolNames(tools), role: role?.text ?? '' });
  for (const warning of [...(role?.warnings ?? []), ...warnings]) console.error(`mux: ${warning}`);
  if (context.json === 'on') console.log(JSON.stringify({ role: role?.selector ?? null, system: text }));
  else if (isPaged) showInPager(context.env, text);
  else console.log(text);
  return 0;
}
