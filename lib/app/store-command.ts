/**
 * `mux store`: documents of a project or of all, kept in git. Works without a server.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { parseArgs } from '../cmd/args.ts';
import type { CommandSpec, FlagSpec, ParsedArgs } from '../cmd/spec.ts';
import { DOCUMENT_MAX } from '../documents/batch.ts';
import type { StoreGit } from '../documents/git.ts';
import { checkKey } from '../documents/key.ts';
import { projectStore, sharedStore, type StorePlace } from '../documents/places.ts';
import { hasStore } from '../documents/repository.ts';
import type { AppContext } from './context.ts';
import { documentFrom } from './store-input.ts';

/** What the parts of `mux store` are given. */
interface StoreCall {
  readonly context: AppContext;
  readonly args: ParsedArgs;
  readonly place: StorePlace;
  readonly git: StoreGit;
  readonly isJson: boolean;
}

interface Part {
  readonly spec: CommandSpec;
  run(call: StoreCall): Promise<number>;
}

const PLACE_FLAGS: readonly FlagSpec[] = [
  { name: 'repo', value: 'DIR', text: 'documents of the project that DIR is in' },
  { name: 'shared', text: 'documents of all projects' },
];
const FILE_FLAG: FlagSpec = { name: 'f', alias: 'file', value: 'F', text: 'what is in the file' };
/** Changes shown where nobody says how many. */
const LOG_LENGTH = 50;
/** More are no log that anybody reads. */
const LOG_LENGTH_MAX = 100_000;

const PARTS: readonly Part[] = [
  {
    spec: part('put', 'KEY (BODY|-f F|-)', 1, 2, [FILE_FLAG]),
    run: call => write(call, 'put'),
  },
  {
    spec: part('append', 'KEY (LINE|-f F|-)', 1, 2, [FILE_FLAG]),
    run: call => write(call, 'append'),
  },
  { spec: part('rm', 'KEY', 1, 1, []), run: call => write(call, 'rm') },
  {
    spec: part('get', 'KEY', 1, 1, [{ name: 'at', value: 'COMMIT', text: 'as this change left it' }]),
    run: get,
  },
  { spec: part('list', '[PREFIX]', 0, 1, [], ['ls']), run: list },
  {
    spec: part('log', '[KEY]', 0, 1, [{ name: 'n', alias: 'lines', value: 'N', text: 'so many changes' }]),
    run: log,
  },
  { spec: part('path', '', 0, 0, []), run: path },
  { spec: part('repair', '', 0, 0, []), run: repair },
];

function part(
  name: string,
  args: string,
  minArgs: number,
  maxArgs: number,
  flags: readonly FlagSpec[],
  aliases: readonly string[] = [],
): CommandSpec {
  const all = [...flags, ...PLACE_FLAGS];
  const group = 'Sessions';
  const spec = { group, text: '', flags: all, target: 'none', exec: () => undefined } as const;
  return { ...spec, name: `store ${name}`, aliases, args, minArgs, maxArgs };
}

/** Runs `mux store WORDS`. Resolves with the exit status. Throws CodedError. */
export async function storeCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [name = '', ...rest] = words;
  const found = PARTS.find(({ spec }) => spec.name === `store ${name}` || spec.aliases?.includes(name));
  if (!found) throw unknown(name);
  const args = parseArgs(found.spec, rest);
  if (args.has('repo') && args.has('shared'))
    throw new CodedError('usage', `store ${name}: --repo and --shared exclude each other`);
  const { data } = context.paths;
  const place = args.has('shared')
    ? sharedStore(data)
    : projectStore(data, args.value('repo') ?? context.cwd);
  const isJson = context.json !== 'off';
  return found.run({ context, args, place, git: { dir: place.dir, env: context.env }, isJson });
}

function unknown(name: string): CodedError {
  const names = PARTS.map(({ spec }) => spec.name.slice('store '.length));
  const near = nearest(name, names);
  return new CodedError(
    'usage',
    `store: ${name ? `unknown '${name}'` : 'say what'}`,
    near ? `did you mean ${near}?` : `usage: mux store ${names.join('|')} …`,
  );
}

async function write(call: StoreCall, kind: 'put' | 'append' | 'rm'): Promise<number> {
  const { context, args, place, git } = call;
  const key = checkKey(args.rest[0]!);
  const body = kind === 'rm' ? Buffer.alloc(0) : await bodyOf(call, kind);
  const [{ makeStore }, { performWrite }, { writerOf }] = await Promise.all([
    import('../documents/repository.ts'),
    import('../documents/write.ts'),
    import('./store-writer.ts'),
  ]);
  if (kind === 'rm' && !hasStore(place)) throw missing(call, key);
  makeStore(place);
  const id = `${process.pid}-${process.hrtime.bigint()}-${Date.now()}`;
  const writer = await writerOf(context);
  const at = Math.floor(Date.now() / 1000);
  const outcome = await performWrite(git, { id, kind, key, body, writer, at }, Date.now);
  if (outcome.result === 'missing') throw missing(call, key);
  if (outcome.result === 'too_large') throw tooLarge(key);
  if (outcome.result === 'blocked')
    throw new CodedError(
      'refused',
      `document ${key}: ${outcome.by} is ${outcome.by.endsWith('/') ? 'a folder of documents' : 'a document'}`,
      'choose another key',
    );
  const { size, commit } = outcome;
  if (call.isJson) print({ key, size, changed: outcome.result === 'written', commit: commit || null });
  return 0;
}

async function bodyOf({ context, args }: StoreCall, kind: 'put' | 'append'): Promise<Buffer> {
  const [key = '', word] = args.rest;
  const body = await documentFrom({
    what: `store ${kind}`,
    word,
    file: args.value('f'),
    cwd: context.cwd,
    limit: DOCUMENT_MAX,
  });
  if (body.length > DOCUMENT_MAX) throw tooLarge(key);
  // A line ends; what comes through a pipe or a file has its newline already.
  const isOpen = kind === 'append' && body.at(-1) !== 10;
  return isOpen ? Buffer.concat([body, Buffer.from('\n')]) : body;
}

function tooLarge(key: string): CodedError {
  return new CodedError('refused', `document ${key}: larger than ${DOCUMENT_MAX / 1024 / 1024} MiB`);
}

function missing({ place }: StoreCall, key: string): CodedError {
  const where = place.project === '' ? 'the shared documents' : `the documents of ${place.project}`;
  return new CodedError('not_found', `document ${key}: not among ${where}`, "'mux store list' shows them");
}

async function get(call: StoreCall): Promise<number> {
  const { args, place, git, context } = call;
  const key = checkKey(args.rest[0]!);
  if (!hasStore(place)) throw missing(call, key);
  const { findCommit, readDocument } = await import('../documents/read.ts');
  const at = args.has('at') ? await findCommit(git, args.value('at')!) : undefined;
  const body = await readDocument(git, key, at);
  if (body === undefined) throw missing(call, key);
  // It is data: JSON only where it was asked for.
  if (context.json === 'on') print({ key, size: body.length, body: body.toString() });
  else await new Promise(resolve => process.stdout.write(body, resolve));
  return 0;
}

async function list({ args, place, git, isJson }: StoreCall): Promise<number> {
  const prefix = args.rest[0] ?? '';
  const { listDocuments } = await import('../documents/read.ts');
  const rows = hasStore(place) ? await listDocuments(git, prefix) : [];
  if (isJson) {
    const documents = rows.map(({ key, size, updatedAt }) => ({ key, size, updated_at: time(updatedAt) }));
    print({ documents, project: place.project || null, repository: place.dir });
  } else
    await table(
      ['KEY', 'SIZE', 'UPDATED'],
      rows.map(row => [row.key, String(row.size), time(row.updatedAt) ?? '']),
    );
  return 0;
}

async function log(call: StoreCall): Promise<number> {
  const { args, place, git, isJson } = call;
  const key = args.rest[0] === undefined ? undefined : checkKey(args.rest[0]);
  const limit = Number(args.value('n') ?? LOG_LENGTH);
  if (!Number.isInteger(limit) || limit < 1 || limit > LOG_LENGTH_MAX)
    throw new CodedError(
      'usage',
      `store log: -n '${args.value('n')}' is not a number from 1 to ${LOG_LENGTH_MAX}`,
    );
  const { readLog } = await import('../documents/read.ts');
  const entries = hasStore(place) ? await readLog(git, key, limit) : [];
  if (key !== undefined && entries.length === 0) throw missing(call, key);
  if (isJson)
    print({
      changes: entries.map(({ at, sessionId, isProven, ...entry }) => ({
        ...entry,
        at: time(at),
        session_id: sessionId || null,
        proven: isProven,
      })),
    });
  else
    await table(
      ['CHANGE', 'WHEN', 'BY', 'WHAT'],
      entries.map(({ commit, at, action, key: what, session, sessionId, isProven }) => [
        commit.slice(0, 10),
        time(at) ?? '',
        `${session || sessionId}${isProven ? '' : ' (unproven)'}`,
        `${action} ${what}`,
      ]),
    );
  return 0;
}

async function path({ place, isJson }: StoreCall): Promise<number> {
  if (isJson) print({ repository: place.dir, project: place.project || null });
  else console.log(place.dir);
  return 0;
}

async function repair({ place, git, isJson }: StoreCall): Promise<number> {
  if (!hasStore(place)) throw new CodedError('not_found', `document store ${place.dir}: there is none`);
  const { repairStore } = await import('../documents/repair.ts');
  const { aside, documents, isWhole } = await repairStore(place, git);
  if (isJson) print({ repository: place.dir, kept_aside: aside ?? null, documents });
  else if (isWhole) console.log(`${place.dir}: nothing is wrong with it`);
  else console.log(`${place.dir}: ${documents} documents were saved; all that was there is in ${aside}`);
  return 0;
}

function time(seconds: number): string | null {
  return seconds === 0 ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function print(value: unknown): void {
  console.log(JSON.stringify(value));
}

async function table(header: readonly string[], rows: readonly (readonly string[])[]): Promise<void> {
  const { formatTable } = await import('./table.ts');
  const text = formatTable(header, rows, process.stdout.isTTY);
  if (text !== '') process.stdout.write(text);
}
