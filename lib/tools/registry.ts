/**
 * The tools of a conversation, put together from where they come from: built in, engines, MCP servers. Sources may change
 * while a conversation goes on; nobody has to be told.
 */
import { nearest } from '../base/errors.ts';
import type { Tool, ToolBox } from '../agent/tool.ts';

/** Where tools come from. */
export interface ToolSource {
  /** Told to people: `built in`, `mcp files`. */
  readonly name: string;
  /** Those that are there now. The same list object means the same tools. */
  list(): readonly Tool[];
}

/** A tool that is not offered, and why. */
export interface Unoffered {
  readonly source: string;
  readonly tool: string;
  readonly why: string;
}

/** What every provider takes as the name of a tool (that of OpenAI's functions is the narrowest). */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Sources as one box. Where two have a tool of the same name, that of the earlier source is offered. */
export class Registry implements ToolBox {
  readonly #sources: readonly ToolSource[];
  /** What the sources gave when the tools were last put together. */
  #given: readonly (readonly Tool[])[] = [];
  #tools: ReadonlyMap<string, Tool> = new Map();
  #unoffered: readonly Unoffered[] = [];

  /** @param sources those that other things are built upon first: nothing takes a name away from them */
  constructor(sources: readonly ToolSource[]) {
    this.#sources = sources;
  }

  list(): readonly Tool[] {
    return [...this.#current().values()];
  }

  find(name: string): Tool | undefined {
    return this.#current().get(name);
  }

  /** What the sources have and no model is told of. */
  unoffered(): readonly Unoffered[] {
    this.#current();
    return this.#unoffered;
  }

  #current(): ReadonlyMap<string, Tool> {
    const given = this.#sources.map(source => source.list());
    const isSame = given.length === this.#given.length && given.every((list, at) => list === this.#given[at]);
    if (!isSame) this.#putTogether(given);
    return this.#tools;
  }

  #putTogether(given: readonly (readonly Tool[])[]): void {
    const tools = new Map<string, Tool>();
    const homes = new Map<string, string>();
    const unoffered: Unoffered[] = [];
    for (const [at, { name: source }] of this.#sources.entries())
      for (const one of given[at] ?? []) {
        const tool = one.wire.name ?? '';
        const home = homes.get(tool);
        if (!NAME.test(tool)) unoffered.push({ source, tool, why: 'models cannot call a tool of that name' });
        else if (home !== undefined)
          unoffered.push({ source, tool, why: `${home} has a tool of the same name` });
        else {
          tools.set(tool, one);
          homes.set(tool, source);
        }
      }
    [this.#given, this.#tools, this.#unoffered] = [given, tools, unoffered];
  }
}

/** A box with the tools of another whose names are wanted: a role's, or what is left of them for a child. */
export function narrowed(box: ToolBox, isWanted: (name: string) => boolean): ToolBox {
  return {
    list: () => box.list().filter(({ wire }) => isWanted(wire.name ?? '')),
    find: name => (isWanted(name) ? box.find(name) : undefined),
  };
}

/** The name that was probably meant by one that no tool has. */
export function likelyName(box: ToolBox, name: string): string | undefined {
  return nearest(
    name,
    box.list().map(({ wire }) => wire.name ?? ''),
  );
}
