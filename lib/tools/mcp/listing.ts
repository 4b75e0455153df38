/**
 * What a server says it has: tools, resources, prompts. One entry that is wrong costs that entry alone; lists that never end,
 * or hold more than a model can be told of, end.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Schema } from '../../ai/wire.ts';
import { visible } from '../../base/visible.ts';
import { isObject, wireSchema } from './schema.ts';
import { cutText } from '../text.ts';

/** Entries of one list: more tools than that leave a model no room to think. */
const ENTRIES_MAX = 256;
/** Pages of one list: a server that always has a next page is not followed for ever. */
const PAGES_MAX = 50;
/** Characters of the description of one tool. */
const DESCRIPTION_MAX = 4000;
/** Characters of a name, and of an address (as long as browsers take them). */
const NAME_MAX = 256;
const URI_MAX = 2000;

export interface ListedTool {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

export interface ListedResource {
  /** An address, or a template of addresses (RFC 6570). */
  readonly uri: string;
  readonly isTemplate: boolean;
  readonly name: string;
  readonly description: string;
}

export interface ListedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly isRequired: boolean }[];
}

/** All of it at one time. */
export interface Listing {
  readonly tools: readonly ListedTool[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  /** What was left out, one line each. */
  readonly problems: readonly string[];
}

export const EMPTY_LISTING: Listing = { tools: [], resources: [], prompts: [], problems: [] };

type Entry = Readonly<Record<string, unknown>>;
interface Options {
  readonly signal: AbortSignal;
  /** For one page, ms. */
  readonly timeout: number;
}

/** Asks for what the server said it has. Rejects where it does not list its tools; other lists that fail are problems. */
export async function listAll(client: Client, options: Options): Promise<Listing> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const problems: string[] = [];
  const list = async (method: string, field: string): Promise<Entry[]> =>
    entries(client, method, field, problems, options).catch((error: Error) => {
      if (options.signal.aborted || method === 'tools/list') throw error;
      problems.push(`${method}: ${cutText(visible(error.message), NAME_MAX)}`);
      return [];
    });
  const found = {
    tools: tools ? await list('tools/list', 'tools') : [],
    resources: resources ? await list('resources/list', 'resources') : [],
    templates: resources ? await list('resources/templates/list', 'resourceTemplates') : [],
    prompts: prompts ? await list('prompts/list', 'prompts') : [],
  };
  return {
    tools: checked(found.tools, readTool, 'tool', problems, one => one.name),
    resources: [
      ...checked(found.resources, resourceReader('uri'), 'resource', problems, one => one.uri),
      ...checked(
        found.templates,
        resourceReader('uriTemplate'),
        'resource template',
        problems,
        one => one.uri,
      ),
    ],
    prompts: checked(found.prompts, readPrompt, 'prompt', problems, one => one.name),
    problems,
  };
}

/** Every page of a list (MCP, pagination), entries that are objects only. */
async function entries(
  client: Client,
  method: string,
  field: string,
  problems: string[],
  options: Options,
): Promise<Entry[]> {
  const found: Entry[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const request = { method, params: cursor === undefined ? {} : { cursor } };
    const page = (await client.request(request as never, ResultSchema, {
      ...options,
      // One of its own for each page: the client leaves a listener on every signal it is given.
      signal: AbortSignal.any([options.signal]),
    })) as Entry;
    const list = page[field];
    if (!Array.isArray(list)) throw new Error(`${method}: the answer has no list of ${field}`);
    const room = ENTRIES_MAX - found.length;
    found.push(...list.slice(0, room).filter(isObject));
    const next = page.nextCursor;
    const isMore = typeof next === 'string' && next !== '';
    if (list.length > room || (isMore && found.length >= ENTRIES_MAX))
      problems.push(`${method}: only the first ${ENTRIES_MAX} are taken`);
    if (!isMore || found.length >= ENTRIES_MAX) return found;
    if (seen.has(next) || seen.size >= PAGES_MAX) {
      problems.push(`${method}: its pages do not end`);
      return found;
    }
    seen.add(next);
    cursor = next;
  }
}

function checked<T>(
  given: readonly Entry[],
  read: (entry: Entry) => T | undefined,
  what: string,
  problems: string[],
  nameOf: (one: T) => string,
): T[] {
  const seen = new Set<string>();
  return given.flatMap(entry => {
    const one = read(entry);
    const name = one && nameOf(one);
    if (one === undefined || name === undefined)
      problems.push(`a ${what} without a usable name was left out`);
    else if (seen.has(name)) problems.push(`${what} ${visible(name)} stands twice; the first one counts`);
    else {
      seen.add(name);
      return [one];
    }
    return [];
  });
}

function readTool({ name, title, description, inputSchema }: Entry): ListedTool | undefined {
  if (!isName(name)) return undefined;
  const told = text(description, DESCRIPTION_MAX) || text(title, DESCRIPTION_MAX);
  return { name, description: told, schema: wireSchema(inputSchema) };
}

function resourceReader(field: 'uri' | 'uriTemplate'): (entry: Entry) => ListedResource | undefined {
  return entry => {
    const uri = entry[field];
    if (typeof uri !== 'string' || uri === '' || uri.length > URI_MAX) return undefined;
    return {
      uri,
      isTemplate: field === 'uriTemplate',
      name: text(entry.name, NAME_MAX),
      description: text(entry.description, NAME_MAX),
    };
  };
}

function readPrompt({ name, description, arguments: given }: Entry): ListedPrompt | undefined {
  if (!isName(name)) return undefined;
  const list = Array.isArray(given) ? given.slice(0, ENTRIES_MAX).filter(isObject) : [];
  return {
    name,
    description: text(description, NAME_MAX),
    arguments: list.flatMap(one =>
      isName(one.name) ? [{ name: one.name, isRequired: one.required === true }] : [],
    ),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NAME_MAX;
}

function text(value: unknown, max: number): string {
  return typeof value === 'string' ? cutText(value, max) : '';
}
