/**
 * `mux toolset list` and `mux toolset show SEL`: the tool sets of the graph here.
 */
import { parseArgs } from '../cmd/args.ts';
import { command } from '../cmd/define.ts';
import { CodedError } from '../base/errors.ts';
import { printable } from '../graph/printable.ts';
import { qualify } from '../graph/selector.ts';
import { readTextFile } from '../watch/read-file.ts';
import type { AppContext } from './context.ts';
import { counted, openGraph, printRows, shownPath } from './graph-context.ts';
import { toolSetJson } from './graph-json.ts';
import { unknownWord } from './own-commands.ts';

const LIST = command({ name: 'toolset list', group: 'Screen', text: '', exec: () => undefined });
const SHOW = command({
  name: 'toolset show',
  group: 'Screen',
  text: '',
  args: 'SEL',
  minArgs: 1,
  maxArgs: 1,
  exec: () => undefined,
});

/** Throws CodedError where there is no graph or no such tool set. */
export async function toolsetCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what === 'list') return list(context, rest);
  if (what === 'show') return show(context, parseArgs(SHOW, rest).rest[0]!);
  throw unknownWord('toolset', what, 'toolset list | toolset show SEL');
}

async function list(context: AppContext, words: readonly string[]): Promise<number> {
  parseArgs(LIST, words);
  const { resolver } = await openGraph(context, 'toolset list');
  const sets = resolver.repositories().flatMap(repository =>
    resolver.shelf('toolset', repository).list.map(set => ({
      set,
      selector: qualify(repository.prefix, set.selector),
      file: shownPath(context, repository.root, set.file),
    })),
  );
  if (context.json !== 'off')
    console.log(JSON.stringify({ tool_sets: sets.map(({ set, selector }) => toolSetJson(set, selector)) }));
  else
    printRows(
      ['TOOL SET', 'ENGINE', 'SERVICES', 'FILE'],
      sets.map(({ set, selector, file }) => [selector, set.engineService, set.services.join(', '), file]),
    );
  return 0;
}

async function show(context: AppContext, text: string): Promise<number> {
  const { resolver } = await openGraph(context, `tool set ${text}`);
  const { artifact, repository, selector } = resolver.need('toolset', text);
  const read = readTextFile(repository.root, artifact.file);
  if (read.kind !== 'text')
    throw new CodedError('failed', `tool set ${printable(text)}: it just changed`, 'try again');
  // The file is strict JSON, or it were no tool set.
  const message = JSON.parse(read.text.replace(/^\ufeff/, '')) as { tool_sets?: unknown; toolSets?: unknown };
  const toolSets = message.tool_sets ?? message.toolSets ?? [];
  if (context.json !== 'off') {
    console.log(JSON.stringify({ ...toolSetJson(artifact, selector), tool_sets: toolSets }));
    return 0;
  }
  console.log(
    [
      `tool set  ${printable(selector)}`,
      `file      ${shownPath(context, repository.root, artifact.file)}`,
      `engine    ${printable(artifact.engineService)}`,
      `methods   ${artifact.methodCount === 0 ? 'all' : counted(artifact.methodCount, 'method')}`,
      '',
      JSON.stringify(toolSets, null, 2),
    ].join('\n'),
  );
  return 0;
}
