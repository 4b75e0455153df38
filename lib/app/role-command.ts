/**
 * `mux role show SEL`: a role of the graph here, expanded.
 */
import { CodedError } from '../base/errors.ts';
import { expandRole, type ExpandedRole } from '../graph/expand.ts';
import { findGraphRoot } from '../watch/find-root.ts';
import { scanGraph } from '../watch/graph-tree.ts';
import type { AppContext } from './context.ts';
import { unknownWord } from './own-commands.ts';
import { showInPager } from './pager.ts';

/** Throws CodedError where there is no graph or no such role. */
export async function roleCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const flags = words.filter(word => word.startsWith('--'));
  const [what, selector, ...rest] = words.filter(word => !word.startsWith('--'));
  const wrong = flags.find(flag => flag !== '--pager' && flag !== '--prompt') ?? rest[0];
  if (what !== 'show' || selector === undefined || wrong !== undefined)
    throw unknownWord('role', wrong ?? what, 'role show SEL [--prompt] [--pager]');
  const root = await findGraphRoot(context.cwd);
  if (root === undefined)
    throw new CodedError('not_found', `role ${selector}: there is no .sgpt.json here or above`);
  const role = expandRole(await scanGraph(root), selector);
  if (context.json === 'on') console.log(JSON.stringify(role));
  else if (flags.includes('--prompt')) console.log(role.prompt);
  else if (flags.includes('--pager')) showInPager(context.env, describe(role));
  else console.log(describe(role));
  return 0;
}

function describe(role: ExpandedRole): string {
  const list = (name: string, values: readonly string[]): string[] =>
    values.length > 0 ? [`${name.padEnd(9)}${values.join(', ')}`] : [];
  return [
    `${'role'.padEnd(9)}${role.selector}`,
    ...list('model', role.model ? [role.model] : []),
    ...list('tools', role.tools),
    ...list('files', role.files),
    ...list('missing', role.missing),
    '',
    role.prompt,
  ].join('\n');
}
