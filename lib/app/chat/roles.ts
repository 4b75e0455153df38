/** Roles of the graph here, and the prompt that a chat begins with. */
import type { Message } from '../../ai/wire.ts';
import { BUILTIN_TOOLS } from '../../graph/builtin-tools.ts';
import { printable } from '../../graph/printable.ts';
import { qualify } from '../../graph/selector.ts';
import type { PickerItem } from '../../mode/picker.ts';
import { roleText, type RoleText } from '../../watch/role-text.ts';
import { promptHere } from '../ai/prompt-facts.ts';
import { aiConfig } from '../ai/service.ts';
import type { AppContext } from '../context.ts';
import { graphEnv, openGraph } from '../graph-context.ts';

/** A role of the graph here. Throws CodedError where there is none of that name. */
export async function roleHere(context: AppContext, role: string): Promise<RoleText> {
  const models = aiConfig(context).ai.models.map(({ name, alias = '' }) => ({ name, alias }));
  return roleText(context.cwd, role, graphEnv(context), models);
}

/** What a new chat begins with: facts, rules and notes of this place, and its role. Throws CodedError. */
export async function promptMessages(
  context: AppContext,
  role: string,
  tools: readonly string[],
): Promise<Message[]> {
  const { text } = await promptHere(context, {
    tools: tools.filter(name => BUILTIN_TOOLS.has(name)),
    toolSets: [],
    role: role === '' ? '' : (await roleHere(context, role)).text,
  });
  return text === '' ? [] : [{ role: 'ROLE_SYSTEM', blocks: [{ text }] }];
}

/** All roles, and none. Throws CodedError where there is no graph. */
export async function rolesHere(context: AppContext): Promise<readonly PickerItem[]> {
  const none = { id: '', text: '(no role)', note: '' };
  const { resolver } = await openGraph(context, 'roles');
  const roles = resolver.repositories().flatMap(repository =>
    resolver.shelf('role', repository).list.map(({ selector, alias }): PickerItem => {
      const id = qualify(repository.prefix, selector);
      return { id, text: printable(id), note: printable(alias) };
    }),
  );
  return [none, ...roles];
}
