/** What can be chosen from: models, roles, tools, files and lores of this place. */
import { join } from 'node:path';
import { BUILTIN_TOOLS } from '../../graph/builtin-tools.ts';
import { printable } from '../../graph/printable.ts';
import { qualify } from '../../graph/selector.ts';
import { shownTab, type PickerPurpose } from '../../chat/state.ts';
import { picker, type Picker, type PickerItem } from '../../mode/picker.ts';
import { findGraphRoot } from '../../watch/find-root.ts';
import { openGraph } from '../graph-context.ts';
import type { ChatEffects } from './effects.ts';
import { filesBelow } from './files.ts';
import { modelFacts } from './model-facts.ts';
import { rolesHere } from './roles.ts';

interface About {
  readonly title: string;
  readonly hint: string;
  readonly empty: string;
}

const ABOUT: Partial<Record<PickerPurpose, About>> = {
  model: {
    title: 'Model',
    hint: 'Enter takes it, from the next message on',
    empty: "no model is known: 'mux models' tells more",
  },
  role: { title: 'Role', hint: 'Enter takes it', empty: 'there are no roles here' },
  tools: {
    title: 'Tools',
    hint: 'Enter turns one on or off · Esc is done',
    empty: 'this model calls no tools',
  },
  file: { title: 'Files', hint: 'Enter puts it beside the next message', empty: 'there are no files here' },
  lore: { title: 'Lores', hint: 'Enter puts it beside the next message', empty: 'there are no lores here' },
};

/** A picker with what there is now. Rejects with CodedError. */
export async function pickerFor(effects: ChatEffects, purpose: PickerPurpose): Promise<Picker> {
  const tab = shownTab(effects.options.program.app);
  const selected = purpose === 'model' ? tab.model.name : purpose === 'role' ? tab.role : '';
  const items = (await ITEMS[purpose]?.(effects)) ?? [];
  return picker({ ...ABOUT[purpose]!, selected }, items);
}

const ITEMS: Partial<Record<PickerPurpose, (effects: ChatEffects) => Promise<readonly PickerItem[]>>> = {
  model: async ({ options }) =>
    options.registry.list().map(model => {
      const { name, label, limit } = modelFacts(model);
      return { id: name, text: label, note: limit > 0 ? `${Math.round(limit / 1000)}k` : '', keywords: name };
    }),
  role: ({ options }) => rolesHere(options.context),
  tools: async effects => {
    const on = new Set(await effects.offered(shownTab(effects.options.program.app)));
    const names = [...new Set([...BUILTIN_TOOLS, ...on, ...(await toolSetsHere(effects))])];
    return names.map(name => ({ id: name, text: printable(name), note: on.has(name) ? 'on' : '' }));
  },
  file: async ({ options }) =>
    (await filesBelow(options.context.cwd)).map(path => ({ id: path, text: printable(path), note: '' })),
  lore: async ({ options: { context } }) => {
    const { resolver } = await openGraph(context, 'lores');
    return resolver.repositories().flatMap(repository =>
      resolver.shelf('lore', repository).list.map(({ name, title, file }): PickerItem => {
        const id = join(repository.root, file);
        return { id, text: printable(qualify(repository.prefix, name)), note: printable(title) };
      }),
    );
  },
};

/** Selectors of the tool sets of the graph here; none without one. */
async function toolSetsHere({ options: { context } }: ChatEffects): Promise<readonly string[]> {
  if ((await findGraphRoot(context.cwd)) === undefined) return [];
  const { resolver } = await openGraph(context, 'tools');
  return resolver
    .repositories()
    .flatMap(repository =>
      resolver.shelf('toolset', repository).list.map(set => qualify(repository.prefix, set.selector)),
    );
}
