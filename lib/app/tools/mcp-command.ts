/** `mux mcp list`: the MCP servers of the settings, what they have, and what is wrong with them. */
import { CodedError } from '../../base/errors.ts';
import type { McpState } from '../../tools/mcp/types.ts';
import { aiConfig } from '../ai/service.ts';
import type { AppContext } from '../context.ts';
import { counted, printRows } from '../graph-context.ts';
import { unknownWord } from '../own-commands.ts';
import { projectHere } from '../project/project-here.ts';
import { debugLog, mcpServers } from './foreign.ts';
import { interruptible } from './interruptible.ts';

const USAGE = 'mcp list';

/** Starts them all, tells how they are, and ends them. Throws CodedError. */
export async function mcpCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what !== 'list') throw unknownWord('mcp', what, USAGE);
  if (rest.length > 0)
    throw new CodedError('usage', `mcp list: '${rest[0]}' is too much`, `usage: mux ${USAGE}`);
  const { mcpServers: projectEntries } = await projectHere(context);
  const servers = mcpServers(context, aiConfig(context), { log: debugLog(context), projectEntries });
  await interruptible(async signal => {
    try {
      await servers.start(signal);
      print(context, servers.states());
    } finally {
      await servers.close();
    }
  });
  return 0;
}

function print({ json }: AppContext, states: readonly McpState[]): void {
  if (json !== 'off') {
    console.log(JSON.stringify({ mcp_servers: states }));
    return;
  }
  printRows(
    ['SERVER', 'BY', 'STATE', 'TOOLS', 'RESOURCES', 'PROMPTS', 'ERROR'],
    states.map(({ name, transport, status, tools, resources, prompts, error }) => [
      name,
      transport,
      status,
      String(tools.length),
      String(resources.length),
      String(prompts.length),
      error,
    ]),
  );
  if (!process.stdout.isTTY) return;
  for (const { name, tools } of states)
    if (tools.length > 0) console.log(`\n${name}\n  ${tools.join('\n  ')}`);
  for (const { name, problems } of states)
    if (problems.length > 0)
      console.log(`\n${name}: ${counted(problems.length, 'problem')}\n  ${problems.join('\n  ')}`);
}
