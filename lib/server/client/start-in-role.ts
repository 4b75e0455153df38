/**
 * Starting agents in roles of the graph, from wherever a terminal's interface offers that.
 */
import { quoteWord } from '../../cmd/parse.ts';
import type { PickerItem } from '../../mode/picker.ts';
import type { AttachedClient } from './client.ts';

/** Roles that are offered with each agent: a list of thousands is no offer, and a name can be typed. */
const MAX_ROLES = 500;
/** No selector and no agent's name holds it. */
const BETWEEN = '\n';

/** `role ▸ agent` for every role of the graph here and every agent on PATH that can be told one. */
export function rolesWithAgents({ services }: AttachedClient): readonly PickerItem[] {
  const agents = services.roleAgents();
  return services
    .graph()
    .graph.roles.slice(0, MAX_ROLES)
    .flatMap(({ selector, alias }) =>
      agents.map(agent => ({
        id: selector + BETWEEN + agent,
        text: `role ${selector} ▸ ${agent}`,
        note: 'start in role',
        keywords: alias,
      })),
    );
}

/** Carries out an item of `rolesWithAgents`; false where it is none. */
export function chooseRoleWithAgent(client: AttachedClient, id: string): boolean {
  const [selector = '', agent] = id.split(BETWEEN);
  if (agent === undefined) return false;
  startInRole(client, selector, agent);
  return true;
}

/** Asks for a name, and starts an agent in a role under it. */
export function startInRole(client: AttachedClient, selector: string, agent: string): void {
  client.prompt({
    questions: [{ label: `name of ${agent} in ${selector}: `, initial: '' }],
    history: 'session-name',
    answer: 'line',
    entered: ([name = '']) =>
      client.run(['new', '--agent', agent, '--role', selector, name.trim()].map(quoteWord).join(' ')),
  });
}
