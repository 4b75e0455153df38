/** Roles of the graph here, as a chat can be given one. */
import type { Message } from '../../ai/wire.ts';
import { printable } from '../../graph/printable.ts';
import { qualify } from '../../graph/selector.ts';
import type { PickerItem } from '../../mode/picker.ts';
import { aiConfig } from '../ai/service.ts';
import type { AppContext } from '../context.ts';
import { graphEnv, openGraph } from '../graph-context.ts';
import { roleText } from '../../watch/role-text.ts';

/** The role's prompt as a message that comes first. Throws CodedError where there is no such role. */
export async function roleMessages(context: AppContext, role: string): Promise<Message[]> {
  const models = aiConfig(context).ai.models.map(({ name, alias = '' }) => ({ name, alias }));
  const { text } = await roleText(context.cwd, role, graphEnv(context), models);
  return text === '' ? [] : [{ role: 'ROLE_SYSTEM', blocks: [{ text }] }];
}

/** All roles, and none. Without a graph only that. */
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
