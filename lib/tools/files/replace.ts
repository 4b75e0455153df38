/**
 * `replace`: pieces of a file's text replaced. `write_file`: all of it.
 */
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import { applyPatches, type Patch } from '../edits/apply.ts';
import { fileAt, type Planner } from './plan.ts';
import type { Workspace } from './workspace.ts';

/** The message of `replace`. */
export interface ReplaceArgs {
  readonly path: string;
  readonly patches: readonly Patch[];
}

/** What patches would do. */
export function replacePlanner(workspace: Workspace): Planner<ReplaceArgs> {
  return async ({ path, patches }) => {
    if (patches.length === 0) throw new CodedError('usage', 'replace: argument patches: it is empty');
    const place = await workspace.place(path);
    const before = await fileAt(place);
    if (!before) return { trouble: `${visible(place.shown)}: no such file`, places: [place] };
    const applied = applyPatches(before.text, patches);
    if ('trouble' in applied)
      return { trouble: `${visible(place.shown)}: ${applied.trouble}`, places: [place] };
    const what = `${patches.length} ${patches.length === 1 ? 'patch' : 'patches'}`;
    return { verb: 'edited', from: place, to: place, before, text: applied.text, what };
  };
}

/** The message of `write_file`. */
export interface WriteArgs {
  readonly path: string;
  readonly content: string;
}

/** What writing a whole file would do. The file keeps its encoding and line ends. */
export function writePlanner(workspace: Workspace): Planner<WriteArgs> {
  return async ({ path, content }) => {
    const place = await workspace.place(path);
    const before = await fileAt(place);
    const what = `${Buffer.byteLength(content)} bytes`;
    if (!before) return { verb: 'created', from: place, to: place, text: content, what };
    const text = before.isCrlf ? content.replaceAll('\r\n', '\n') : content;
    if (text === before.text)
      return { trouble: `${visible(place.shown)}: that is in it already`, places: [place] };
    return { verb: 'edited', from: place, to: place, before, text, what };
  };
}
