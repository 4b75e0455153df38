/**
 * `mux lore`: the lores of the graph here and of those it imports.
 */
import { CodedError } from '../base/errors.ts';
import { parseArgs } from '../cmd/args.ts';
import { command, flag, valued } from '../cmd/define.ts';
import type { ParsedArgs } from '../cmd/spec.ts';
import { backlinks } from '../graph/backlinks.ts';
import { printable } from '../graph/printable.ts';
import { SEARCH_RANKS, type SearchRank } from '../graph/search.ts';
import type { GraphLore } from '../graph/types.ts';
import type { AppContext } from './context.ts';
import { counted, openGraph, printRows } from './graph-context.ts';
import { ageJson, loreAges, staleText } from './lore-age.ts';
import { loreJson } from './graph-json.ts';
import { allLores, boundedSearch } from './lore-search.ts';
import { editLore, makeLore, renameLore } from './lore-write.ts';
import { unknownWord } from './own-commands.ts';

const noRun = { group: 'Screen', text: '', exec: () => undefined } as const;
const LIST = command({
  ...noRun,
  name: 'lore list',
  flags: [{ name: 'label', value: 'K=V', many: true, text: 'only those with the label' }],
});
const SEARCH = command({
  ...noRun,
  name: 'lore search',
  args: 'RE',
  minArgs: 1,
  maxArgs: 1,
  flags: [
    valued('n', 'N', 'at most N of them (10)'),
    valued(
      'rank',
      'RANK',
      'what comes first: matches (those with most), or relevance (rare words before common ones)',
    ),
  ],
});
const SHOW = command({ ...noRun, name: 'lore show', args: 'NAME', minArgs: 1, maxArgs: 1 });

const NEW = command({
  ...noRun,
  name: 'lore new',
  args: 'NAME',
  minArgs: 1,
  maxArgs: 1,
  flags: [
    valued('title', 'TEXT', 'its title, else the last part of its name'),
    { name: 'label', value: 'K=V', many: true, text: 'a label' },
    flag('edit', 'go on in $EDITOR'),
  ],
});
const EDIT = command({ ...noRun, name: 'lore edit', args: 'NAME', minArgs: 1, maxArgs: 1 });
const RENAME = command({ ...noRun, name: 'lore rename', args: 'NAME NEW', minArgs: 2, maxArgs: 2 });
const USAGE =
  'lore list [--label K=V] | search RE [-n N] [--rank matches|relevance] | show NAME | new NAME [--edit] | edit NAME | rename NAME NEW';

const DEFAULT_HITS = 10;

/** Throws CodedError where there is no graph, no such lore, or the pattern is none. */
export async function loreCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  if (what === 'list') return list(context, parseArgs(LIST, rest));
  if (what === 'search') return search(context, parseArgs(SEARCH, rest));
  if (what === 'show') return show(context, parseArgs(SHOW, rest).rest[0]!);
  if (what === 'new') return makeLore(context, parseArgs(NEW, rest));
  if (what === 'edit') return editLore(context, parseArgs(EDIT, rest).rest[0]!);
  if (what === 'rename') {
    const [from = '', to = ''] = parseArgs(RENAME, rest).rest;
    return renameLore(context, from, to);
  }
  throw unknownWord('lore', what, USAGE);
}

async function list(context: AppContext, args: ParsedArgs): Promise<number> {
  const { resolver, root } = await openGraph(context, 'lore list');
  const wanted = args.values('label').map(text => text.split(/=(.*)/s, 2));
  const lores = allLores(resolver)
    .map(({ lore }) => lore)
    .filter(({ labels }) =>
      wanted.every(
        ([key = '', value]) => Object.hasOwn(labels, key) && (value === undefined || labels[key] === value),
      ),
    );
  const ages = await loreAges(context, root);
  if (context.json !== 'off') {
    const documents = lores.map(lore => ({ ...loreJson(lore), ...ageJson(ages, lore) }));
    console.log(JSON.stringify({ lores: documents }));
  } else
    printRows(
      ['LORE', 'TITLE', 'LABELS', 'AGE'],
      lores.map(lore => [...row(lore), staleText(ages, lore)]),
    );
  return 0;
}

function row({ name, title, labels }: GraphLore): string[] {
  return [
    name,
    title,
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
  ];
}

async function search(context: AppContext, args: ParsedArgs): Promise<number> {
  const limit = args.value('n') ?? String(DEFAULT_HITS);
  if (!/^[1-9]\d{0,3}$/.test(limit))
    throw new CodedError('usage', `lore search: -n ${limit}: not a number from 1 to 9999`);
  const { resolver } = await openGraph(context, 'lore search');
  const lores = allLores(resolver);
  const hits = boundedSearch(lores, args.rest[0]!, Number(limit), rankOf(args));
  const byName = new Map(lores.map(({ lore }) => [lore.name, lore]));
  if (context.json !== 'off')
    console.log(JSON.stringify({ lores: hits.map(hit => loreJson(byName.get(hit.name)!, hit.name, hit)) }));
  else
    for (const { name, matchCount, snippets } of hits) {
      console.log(
        `${name}  ${byName.get(name)!.title}  (${counted(matchCount, 'match').replace('matchs', 'matches')})`,
      );
      for (const { line, text } of snippets) console.log(`${String(line).padStart(6)}  ${text}`);
    }
  return 0;
}

function rankOf(args: ParsedArgs): SearchRank {
  const rank = args.value('rank') ?? 'matches';
  const known = SEARCH_RANKS.find(name => name === rank);
  if (known) return known;
  throw new CodedError('usage', `lore search: --rank ${printable(rank)}: not ${SEARCH_RANKS.join(' or ')}`);
}

async function show(context: AppContext, text: string): Promise<number> {
  const { resolver, root } = await openGraph(context, `lore ${text}`);
  const { artifact, repository, selector } = resolver.need('lore', text);
  const { body = '', links = [] } = repository.files.get(artifact.file) ?? {};
  if (context.json === 'on')
    console.log(
      JSON.stringify({
        ...loreJson(artifact, selector),
        ...ageJson(await loreAges(context, root), { ...artifact, name: selector }),
        body,
        links: links.map(({ target }) => target),
        backlinks: backlinks(resolver, { artifact, repository, selector }).map(({ name }) => name),
      }),
    );
  else process.stdout.write(body.endsWith('\n') ? body : `${body}\n`);
  return 0;
}
