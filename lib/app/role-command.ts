/**
 * `mux role list` and `mux role show SEL`: the roles of the graph here, and what one of them comes to.
 */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { parseArgs } from '../cmd/args.ts';
import { command, flag } from '../cmd/define.ts';
import type { ParsedArgs } from '../cmd/spec.ts';
import { expandRole, type ExpandedRole, type Origin, type Traced } from '../graph/expand.ts';
import { newRole } from '../graph/new-artifact.ts';
import { printable } from '../graph/printable.ts';
import { qualify } from '../graph/selector.ts';
import type { LoadedGraph } from '../watch/load-graph.ts';
import { roleFilePath } from '../watch/role-files.ts';
import type { AppContext } from './context.ts';
import { runEditor } from './editor.ts';
import { createFile } from './graph-write.ts';
import { graphEnv, openGraph, printRows, shownPath } from './graph-context.ts';
import { roleJson } from './graph-json.ts';
import { unknownWord } from './own-commands.ts';
import { showInPager } from './pager.ts';

const USAGE = 'role list | role show SEL [--explain] [--prompt] [--system] | role new SEL [--edit]';
const LIST = command({ name: 'role list', group: 'Screen', text: '', exec: () => undefined });
const SHOW = command({
  name: 'role show',
  group: 'Screen',
  text: '',
  args: '[SEL]',
  maxArgs: 1,
  flags: [
    flag('explain', 'with the file and line that each part comes from'),
    flag('prompt', 'nothing but the prompt'),
    flag('system', 'the first message of a chat in this role, whole; without SEL of one in the default role'),
    flag('pager', 'in $PAGER'),
  ],
  exec: () => undefined,
});

const NEW = command({
  name: 'role new',
  group: 'Screen',
  text: '',
  args: 'SEL',
  minArgs: 1,
  maxArgs: 1,
  flags: [flag('edit', 'go on in $EDITOR')],
  exec: () => undefined,
});

/** Throws CodedError where there is no graph or no such role. */
export async function roleCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what === 'list') return list(context, rest);
  if (what === 'show') return show(context, parseArgs(SHOW, rest));
  if (what === 'new') return make(context, parseArgs(NEW, rest));
  throw unknownWord('role', what, USAGE);
}

async function make(context: AppContext, args: ParsedArgs): Promise<number> {
  const [text = ''] = args.rest;
  const what = `role ${printable(text)}`;
  const { selector, file, text: content } = newRole(text);
  const { root, resolver } = await openGraph(context, what);
  const dir = join(root, dirname(dirname(file)));
  if (!(await stat(dir).catch(() => undefined))?.isDirectory())
    throw new CodedError('not_found', `${what}: there is no folder ${printable(dir)}`, 'make it first');
  const known = resolver.aliased(selector.slice(2))[0];
  if (known)
    throw new CodedError('refused', `${what}: that is the alias of ${known.selector}`, 'take another title');
  await createFile(root, file, content, what);
  if (args.has('edit')) runEditor(context.env, join(root, file));
  const after = await openGraph(context, what);
  if (!after.resolver.resolve('role', selector).found)
    console.error(
      `mux: ${what}: it is not seen: its folder is ignored, or the file has errors (mux graph check)`,
    );
  console.log(context.json === 'off' ? shownPath(context, root, file) : JSON.stringify({ selector, file }));
  return 0;
}

async function list(context: AppContext, words: readonly string[]): Promise<number> {
  parseArgs(LIST, words);
  const { resolver } = await openGraph(context, 'role list');
  const roles = resolver.repositories().flatMap(repository =>
    resolver.shelf('role', repository).list.map(role => ({
      role,
      selector: qualify(repository.prefix, role.selector),
      file: shownPath(context, repository.root, role.file),
    })),
  );
  if (context.json !== 'off')
    console.log(JSON.stringify({ roles: roles.map(({ role, selector }) => roleJson(role, selector)) }));
  else
    printRows(
      ['ROLE', 'ALIAS', 'MODEL', 'FILE'],
      roles.map(({ role, selector, file }) => [selector, role.alias, role.model, file]),
    );
  return 0;
}

async function show(context: AppContext, args: ParsedArgs): Promise<number> {
  const [selector] = args.rest;
  if (args.has('system'))
    return (await import('./ai/show-prompt.ts')).showPrompt(context, selector, args.has('pager'));
  if (selector === undefined) throw new CodedError('usage', 'role show: say which', `usage: mux ${USAGE}`);
  const graph = await openGraph(context, `role ${selector}`);
  const role = expandRole(graph.resolver, selector);
  for (const { written, reason, from } of role.missing)
    console.error(
      printable(
        `mux: ${shownPath(context, from.root, from.file)}:${from.line}: @role("${written}"): ${reason}`,
      ),
    );
  if (context.json === 'on' || (context.json === 'auto' && !args.has('prompt')))
    console.log(JSON.stringify(document(context, graph, role, args.has('explain'))));
  else if (args.has('prompt')) console.log(role.prompt);
  else {
    const text = args.has('explain') ? explain(context, graph, role) : describe(context, graph, role);
    if (args.has('pager')) showInPager(context.env, text);
    else console.log(text);
  }
  return 0;
}

/** The full name behind a model's alias, '' where the settings name none. */
function modelName({ resolver }: LoadedGraph, model: string): string {
  return resolver.own.config.models.find(m => m.alias === model)?.name ?? '';
}

/** Absolute, `/...` kept at the end of a directory that is meant with all below it. */
function absolutePath(context: AppContext, { value }: ExpandedRole['files'][number]): string {
  const path = roleFilePath(value.written, value.root, graphEnv(context));
  return value.written.endsWith('/...') ? `${path}/...` : path;
}

function document(context: AppContext, graph: LoadedGraph, role: ExpandedRole, withOrigins: boolean): object {
  const { defaultTools, defaultLores } = graph.resolver.own.config.chat;
  const model = role.model?.value ?? '';
  const from = (origins: readonly Origin[]): object[] =>
    origins.map(o => ({ selector: o.selector, root: o.root, file: o.file, line: o.line }));
  const traced = (entry: Traced<unknown>, value: string): object => ({ value, from: from(entry.from) });
  const origins = {
    model: role.model ? traced(role.model, model) : null,
    tools: role.tools.map(tool => traced(tool, tool.value)),
    files: role.files.map(file => traced(file, absolutePath(context, file))),
    prompt: role.parts.flatMap(part =>
      part.text.split('\n').map((text, i) => ({
        text,
        selector: part.selector,
        root: part.root,
        file: part.file,
        line: part.lines[i] ?? 0,
      })),
    ),
  };
  return {
    selector: role.selector,
    alias: role.alias,
    file: role.file,
    model,
    model_name: modelName(graph, model),
    prompt: role.prompt,
    tools: role.tools.map(tool => tool.value),
    files: role.files.map(file => absolutePath(context, file)),
    roles: role.roles,
    missing: role.missing.map(m => m.written),
    default_tools: defaultTools,
    default_lores: defaultLores,
    ...(withOrigins && { explain: origins }),
  };
}

/** The rows above the prompt: name, values, and for each where it comes from. */
function* rows(
  context: AppContext,
  graph: LoadedGraph,
  role: ExpandedRole,
): Iterable<readonly [string, readonly (readonly [string, readonly Origin[]])[]]> {
  const { defaultTools, defaultLores } = graph.resolver.own.config.chat;
  const own = (values: readonly string[]) => values.map(value => [value, []] as const);
  const model = role.model?.value ?? '';
  const fullName = modelName(graph, model);
  yield ['role', own([role.alias ? `${role.selector} (${role.alias})` : role.selector])];
  yield ['file', own([shownPath(context, role.repository.root, role.file)])];
  yield ['model', role.model ? [[fullName ? `${model} (${fullName})` : model, role.model.from]] : []];
  yield ['tools', role.tools.map(tool => [tool.value, tool.from])];
  yield ['files', role.files.map(file => [shownPath(context, absolutePath(context, file), ''), file.from])];
  yield ['roles', own(role.roles.length > 1 ? role.roles : [])];
  yield ['missing', role.missing.map(m => [m.written, [m.from]])];
  // Every chat here has these too, whatever its role.
  yield ['defaults', own([...defaultTools, ...defaultLores])];
}

const NAME_WIDTH = 10;

function describe(context: AppContext, graph: LoadedGraph, role: ExpandedRole): string {
  const lines = [...rows(context, graph, role)].flatMap(([name, values]) =>
    values.length > 0 ? [name.padEnd(NAME_WIDTH) + printable(values.map(([value]) => value).join(', '))] : [],
  );
  return [...lines, '', role.prompt].join('\n');
}

/** The same with a line for each value, and behind each, or before a line of the prompt, where it stands. */
function explain(context: AppContext, graph: LoadedGraph, role: ExpandedRole): string {
  const place = (o: Origin): string => `${shownPath(context, o.root, o.file)}:${o.line}`;
  const head = [...rows(context, graph, role)].flatMap(([name, values]) =>
    values.map(([value, from], i) => {
      const start = (i === 0 ? name : '').padEnd(NAME_WIDTH) + printable(value);
      return from.length > 0 ? `${start.padEnd(48)}  ${from.map(place).join(', ')}` : start;
    }),
  );
  const body = role.parts.flatMap((part, p) => {
    const file = shownPath(context, part.root, part.file);
    const texts = part.text
      .split('\n')
      .map((text, i) => `${String(part.lines[i] ?? '').padStart(5)}  ${text}`);
    return [...(p > 0 ? [''] : []), `${printable(part.selector)}  ${file}`, ...texts];
  });
  return [...head, '', ...body].join('\n');
}
