/**
 * One file of a graph, parsed by the kind its path says.
 */
import { addressOf } from './address.ts';
import { parseLore } from './lore.ts';
import type { LoreLink } from './links.ts';
import { Problems, WHOLE_FILE } from './parsed.ts';
import type { GraphFile } from './parsed.ts';
import { isPrintable } from './printable.ts';
import { parseRole } from './role.ts';
import type { Reference } from './role.ts';
import { parseToolSet } from './tool-set.ts';
import type { Diagnostic, GraphLore, GraphRole, GraphToolSet } from './types.ts';

/** One parsed file of any kind; what it is not is absent. */
export interface ParsedFile {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly role?: GraphRole;
  /** Of a role: what its directives say, and where. */
  readonly references?: readonly Reference[];
  /** Of a role: the one-based line of the file for each line of the prompt. */
  readonly promptLines?: readonly number[];
  readonly toolSet?: GraphToolSet;
  readonly lore?: GraphLore;
  /** Of a lore. */
  readonly body?: string;
  readonly bodyLine?: number;
  readonly links?: readonly LoreLink[];
}

/** Reads one artifact by the kind its path says. A file that is none has neither value nor diagnostics. */
export function parseArtifact({ file, text }: GraphFile): ParsedFile {
  const kind = addressOf(file)?.kind;
  if (kind !== undefined && !isPrintable(file)) return badName(file);
  if (kind === 'role') {
    const { value, diagnostics, references } = parseRole(file, text);
    return { file, diagnostics, references, ...value };
  }
  if (kind === 'toolset') {
    const { value, diagnostics } = parseToolSet(file, text);
    return { file, diagnostics, ...(value && { toolSet: value }) };
  }
  if (kind === 'lore') {
    const { value, diagnostics } = parseLore(file, text);
    return { file, diagnostics, ...value };
  }
  return { file, diagnostics: [] };
}

function badName(file: string): ParsedFile {
  const problems = new Problems(file);
  problems.tell(WHOLE_FILE, 'bad-name', 'the file name holds control characters');
  return { file, diagnostics: problems.list() };
}
