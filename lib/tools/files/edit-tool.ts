/**
 * The tools that change files: what differs between them is how the change is planned.
 */
import type { Tool } from '../../agent/tool.ts';
import type { ToolMethods } from '../contract.ts';
import { protoTool, type Keeper } from '../proto-tool.ts';
import { diffPlanner } from './diff.ts';
import { carryOut, planPreview, type Planner } from './plan.ts';
import { replacePlanner, writePlanner } from './replace.ts';
import type { Workspace } from './workspace.ts';

/** `diff`, `replace` and `write_file`. */
export function editTools(methods: ToolMethods, workspace: Workspace, keeper?: Keeper): Tool[] {
  const tool = <A extends { readonly path: string }>(method: string, plan: Planner<A>): Tool =>
    protoTool<A>(
      methods,
      method,
      {
        preview: async args => planPreview(workspace, await plan(args)),
        run: async (args, preview) => carryOut(await plan(args), preview, () => plan(args)),
        touched: async args => {
          const made = await plan(args);
          const places = 'trouble' in made ? made.places : [made.from, made.to];
          return { what: [...new Set(places.map(place => place.real))] };
        },
      },
      keeper,
    );
  return [
    tool('Diff', diffPlanner(workspace)),
    tool('Replace', replacePlanner(workspace)),
    tool('WriteFile', writePlanner(workspace)),
  ];
}
