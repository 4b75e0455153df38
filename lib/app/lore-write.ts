/**
 * `mux lore new`, `lore edit` and `lore rename`.
 */
import { isUtf8 } from 'node:buffer';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import type { ParsedArgs } from '../cmd/spec.ts';
import { parseLore } from '../graph/lore.ts';
import { loreName, newLore } from '../graph/new-artifact.ts';
import { printable } from '../graph/printable.ts';
import { relinked, type Moved } from '../graph/relink.ts';
import type { Diagnostic } from '../graph/types.ts';
import type { LoadedGraph } from '../watch/load-graph.ts';
import { MAX_FILE_BYTES, readTextFile } from '../watch/read-file.ts';
import type { AppContext } from './context.ts';
import { runEditor } from './editor.ts';
import { counted, openGraph, shownPath } from './graph-context.ts';
import { createFile, StagedChanges } from './graph-write.ts';
import { keepVocabulary } from './lore-vocabulary.ts';

/** Makes a lore of the graph here; with --edit the person goes on in their editor. Throws CodedError. */
export async function makeLore(context: AppContext, args: ParsedArgs): Promise<number> {
  const [text = ''] = args.rest;
  const labels = Object.fromEntries(args.values('label').map(labelOf));
  const made = newLore(text, { title: args.value('title') ?? '', labels });
  const graph = await openGraph(context, `lore ${text}`);
  const other = sameButForCase(graph, made.selector);
  if (other !== undefined)
    throw new CodedError(
      'refused',
      `lore ${printable(text)}: ${printable(other)} is there`,
      'on some systems both would be one file',
    );
  await createFile(graph.root, made.file, made.text, `lore ${printable(text)}`);
  if (args.has('edit')) runEditor(context.env, join(graph.root, made.file));
  await keepVocabulary(context);
  tell(context, { name: made.selector, file: made.file }, shownPath(context, graph.root, made.file));
  return 0;
}

/** Opens a lore in the person's editor, and saves it where nobody else has changed it meanwhile. Throws CodedError. */
export async function editLore(context: AppContext, text: string): Promise<number> {
  const what = `lore ${printable(text)}`;
  const graph = await openGraph(context, what);
  const { root, file, before } = await ownLore(graph, text, what);
  const folder = await mkdtemp(join(tmpdir(), 'mux-lore-'));
  // Under its own name, by which editors know what it is.
  const copy = join(folder, basename(file));
  await writeFile(copy, before, { mode: 0o600 });
  try {
    runEditor(context.env, copy);
    const after = written(await readFile(copy), what);
    if (after !== before) await save(root, { file, before, text: after }, what);
    await rm(folder, { recursive: true, force: true });
    if (after !== before) await keepVocabulary(context);
    const { diagnostics } = parseLore(file, after);
    tellProblems(context, root, diagnostics);
    tell(context, { name: text, file, changed: after !== before }, after === before ? 'unchanged' : 'saved');
    return 0;
  } catch (error) {
    // What the person wrote is not lost, whatever went wrong.
    console.error(`mux: what you wrote is in ${printable(copy)}`);
    throw error;
  }
}

/** Gives a lore another name, and mends the links to it and in it. Throws CodedError; nothing is changed then. */
export async function renameLore(context: AppContext, from: string, to: string): Promise<number> {
  const what = `lore ${printable(from)}`;
  const target = loreName(to);
  const graph = await openGraph(context, what);
  const { root, file, name } = await ownLore(graph, from, what);
  if (name === target)
    throw new CodedError('usage', `${what}: it is called that already`, 'give it another name');
  const moved = { from: name, to: target };
  const staged = new StagedChanges(root, what);
  let mended: readonly string[];
  try {
    mended = await stage(graph, staged, moved, file);
    await staged.check();
    await staged.commitAs(file, `.sgpt/${target}.md`);
    await staged.commit();
  } finally {
    await staged.drop();
  }
  const after = await openGraph(context, what);
  // Roles and settings may name it, too: those are a person's to change.
  const known = new Set(graph.diagnostics.map(textOf));
  tellProblems(
    context,
    root,
    after.diagnostics.filter(found => !known.has(textOf(found))),
  );
  const links = mended.length === 0 ? '' : `, links mended in ${counted(mended.length, 'lore')}`;
  tell(context, { name: target, file: `.sgpt/${target}.md`, mended }, `${name} is ${target}${links}`);
  return 0;
}

/** Stages the lore that moves and every one with a link to it; gives the names of the latter. */
async function stage(
  { root, resolver }: LoadedGraph,
  staged: StagedChanges,
  moved: Moved,
  file: string,
): Promise<readonly string[]> {
  const mended: string[] = [];
  for (const { lore, links = [] } of resolver.own.files.values()) {
    const isIt = lore?.file === file;
    if (!lore || (!isIt && !links.some(link => link.target === moved.from))) continue;
    const before = await textOfLore(root, lore.file, `lore ${lore.name}`);
    // From the text at hand: it may be newer than what the graph was made of.
    const now = parseLore(lore.file, before).value?.links ?? [];
    const at = isIt ? moved : { from: lore.name, to: lore.name };
    // Places in a parsed lore do not count a byte order mark.
    const mark = before.startsWith('\ufeff') ? '\ufeff' : '';
    const text = mark + relinked(before.slice(mark.length), now, at, moved);
    if (!isIt && text === before) continue;
    await staged.add({ file: lore.file, before, text });
    if (!isIt) mended.push(lore.name);
  }
  return mended;
}

async function save(
  root: string,
  change: { readonly file: string; readonly before: string; readonly text: string },
  what: string,
): Promise<void> {
  const staged = new StagedChanges(root, what);
  try {
    await staged.add(change);
    await staged.check();
    await staged.commit();
  } finally {
    await staged.drop();
  }
}

/** A lore of the own repository with its text. Those of imports are somebody else's. */
async function ownLore({ resolver, root }: LoadedGraph, text: string, what: string) {
  const { artifact, repository } = resolver.need('lore', text);
  if (repository !== resolver.own)
    throw new CodedError(
      'refused',
      `${what}: it belongs to ${printable(repository.root)}`,
      'change it there',
    );
  return {
    root,
    file: artifact.file,
    name: artifact.name,
    before: await textOfLore(root, artifact.file, what),
  };
}

/** What an editor left, if it can be read again. @throws CodedError refused */
function written(bytes: Buffer, what: string): string {
  if (bytes.length > MAX_FILE_BYTES)
    throw new CodedError(
      'refused',
      `${what}: it is larger than ${MAX_FILE_BYTES / 1024} KiB now`,
      'split it',
    );
  if (bytes.includes(0) || !isUtf8(bytes))
    throw new CodedError('refused', `${what}: it is no text in UTF-8 now`, 'save it as UTF-8');
  return bytes.toString('utf8');
}

async function textOfLore(root: string, file: string, what: string): Promise<string> {
  const read = readTextFile(root, file);
  if (read.kind === 'text') return read.text;
  throw new CodedError(
    'failed',
    `${what}: ${read.kind === 'problem' ? read.message : 'it was just removed'}`,
  );
}

function sameButForCase({ resolver }: LoadedGraph, name: string): string | undefined {
  const folded = name.toLowerCase();
  return resolver.shelf('lore').list.find(lore => lore.name !== name && lore.name.toLowerCase() === folded)
    ?.name;
}

function labelOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CodedError('usage', `label ${printable(text)}: it is not KEY=VALUE`);
}

const textOf = ({ file, code, message }: Diagnostic): string => `${file} ${code} ${message}`;

function tellProblems(context: AppContext, root: string, found: readonly Diagnostic[]): void {
  for (const { file, line, severity, message } of found)
    console.error(`${shownPath(context, root, file)}${line > 0 ? `:${line}` : ''}: ${severity}: ${message}`);
}

function tell(context: AppContext, document: object, text: string): void {
  console.log(context.json === 'off' ? printable(text) : JSON.stringify(document));
}
