/** What the specs of tools share: a call as the engine makes it. */
import type { Arguments, CallContext, Outcome, Preview, Tool } from '../../lib/agent/tool.ts';
import { tempDir } from '../support/temp.ts';
import { realpathSync } from 'node:fs';

/** A call's surroundings; `seen` gets what it says while it runs. */
export function callContext(seen: string[] = [], signal = new AbortController().signal): CallContext {
  return { id: 'call-1', signal, progress: text => void seen.push(text) };
}

/** Looks and runs, as the engine does with a call that is allowed. */
export async function call(tool: Tool, args: Arguments): Promise<{ preview: Preview; outcome: Outcome }> {
  const context = callContext();
  const preview = await tool.preview(args, context);
  return { preview, outcome: await tool.run(args, preview, context) };
}

/** A folder with files, its links followed. */
export function realDir(files: Readonly<Record<string, string>> = {}): string {
  return realpathSync(tempDir(files));
}

/** A tool of a list by its name. */
export function named(tools: readonly Tool[], name: string): Tool {
  const found = tools.find(tool => tool.wire.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
}
