/** Names of the tools of MCP servers, as models call them: `mcp__SERVER__TOOL`. */
import { createHash } from 'node:crypto';

/** Characters of a name: what the narrowest provider takes. */
const NAME_MAX = 64;
/** Characters that a server's own part may take of it: half of what `mcp__` and `__` leave. */
const SERVER_MAX = 28;
/** What all of these names begin with. */
export const MCP_PREFIX = 'mcp__';
/** Hexadecimal digits that tell two names apart which would else be the same. */
const MARK_DIGITS = 6;

/**
 * One prefix for each server, told from the settings alone, so that names do not depend on which server is there first. None
 * has `__` inside or `_` at its ends: where the server's part ends is never in doubt.
 */
export function serverPrefixes(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map(name => {
      const plain =
        part(name)
          .replace(/_{2,}/g, '_')
          .replace(/^_+|_+$/g, '') || 'server';
      const own = free(plain, name, SERVER_MAX, taken);
      taken.add(own);
      return [name, `${MCP_PREFIX}${own}__`];
    }),
  );
}

/** A name for a tool of a server, unlike those in `taken`; the same ones always give the same name. */
export function toolName(prefix: string, tool: string, taken: ReadonlySet<string>): string {
  const short = free(part(tool) || 'tool', tool, NAME_MAX - prefix.length, {
    has: name => taken.has(prefix + name),
  });
  return prefix + short;
}

/** What a name is for every provider: letters, digits, `_` and `-`. */
function part(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** `plain` where it is short enough and free; else with a mark made of `name`. */
function free(plain: string, name: string, max: number, taken: { has(name: string): boolean }): string {
  if (plain.length <= max && !taken.has(plain)) return plain;
  for (let round = 0; ; round++) {
    const mark = createHash('sha256').update(`${round}:${name}`).digest('hex').slice(0, MARK_DIGITS);
    const marked = `${plain.slice(0, max - MARK_DIGITS - 1)}_${mark}`;
    if (!taken.has(marked)) return marked;
  }
}
