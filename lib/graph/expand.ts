/**
 * A role with what it includes: depth first, what is included before its own, each role once.
 */
import { BUILTIN_TOOLS } from './builtin-tools.ts';
import type { Failure, Found, Resolver } from './resolve.ts';
import type { Repository } from './repository.ts';
import { qualify } from './selector.ts';

/** Where something comes from: a line of a role's file. */
export interface Origin {
  /** The role, as the own repository writes it. */
  readonly selector: string;
  /** Absolute root of its repository, and the file in it. */
  readonly root: string;
  readonly file: string;
  /** One-based; 0 where no line says it. */
  readonly line: number;
}

/** A value with the lines that ask for it, the first of which counts. */
export interface Traced<T = string> {
  readonly value: T;
  readonly from: readonly Origin[];
}

/** The prompt of one role among those joined. */
export interface PromptPart {
  readonly selector: string;
  readonly root: string;
  readonly file: string;
  readonly text: string;
  /** The one-based line of the file for each line of `text`. */
  readonly lines: readonly number[];
}

/** A file that a role wants to be read. */
export interface RoleFile {
  /** As written. */
  readonly written: string;
  /** Root of the repository of the role that wrote it: relative paths start there. */
  readonly root: string;
}

/** An include that leads to no role. */
export interface MissingInclude extends Failure {
  /** As written. */
  readonly written: string;
  readonly from: Origin;
}

/** What a role comes to. Lists hold each entry once, in order of first mention. */
export interface ExpandedRole {
  readonly selector: string;
  readonly alias: string;
  readonly repository: Repository;
  readonly file: string;
  /** Its own, else that of the first include that comes to one; undefined if none does. */
  readonly model: Traced | undefined;
  readonly prompt: string;
  readonly parts: readonly PromptPart[];
  /** Built-in tools by name, tool sets by selector. */
  readonly tools: readonly Traced[];
  readonly files: readonly Traced<RoleFile>[];
  /** Every role that takes part, in the order of their prompts. */
  readonly roles: readonly string[];
  readonly missing: readonly MissingInclude[];
  /** Includes that lead back to a role being expanded, as `a → b → a`. */
  readonly cycles: readonly (readonly string[])[];
}

/**
 * The role behind `text` with its includes. Each reference is taken from the repository that writes it.
 *
 * @throws CodedError not_found or ambiguous, with what may have been meant
 */
export function expandRole(resolver: Resolver, text: string): ExpandedRole {
  return new Expansion(resolver).run(resolver.need('role', text));
}

/** The same for a role at hand. */
export function expandFound(resolver: Resolver, role: Found<'role'>): ExpandedRole {
  return new Expansion(resolver).run(role);
}

/** A step of the walk: what is still to be done for a role whose includes are being followed. */
interface Step {
  readonly role: Found<'role'>;
  readonly includes: Iterator<Traced>;
}

class Expansion {
  readonly #resolver: Resolver;
  readonly #seen = new Set<string>();
  /** How deep in the walk each role stands whose includes are being followed. */
  readonly #depth = new Map<string, number>();
  readonly #order: Found<'role'>[] = [];
  readonly #missing: MissingInclude[] = [];
  readonly #cycles: string[][] = [];
  #model: Traced | undefined;

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  run(root: Found<'role'>): ExpandedRole {
    // A list in place of recursion: ten thousand roles in one chain are no reason to fail.
    const stack = [this.#enter(root, 0)];
    for (let step = stack.at(-1); step; step = stack.at(-1)) {
      const next = step.includes.next();
      if (next.done) {
        this.#order.push(step.role);
        this.#depth.delete(step.role.selector);
        stack.pop();
      } else this.#include(next.value, step.role.repository, stack);
    }
    return this.#result(root);
  }

  #include({ value, from }: Traced, repository: Repository, stack: Step[]): void {
    const { found, failure } = this.#resolver.resolve('role', value, repository);
    if (!found) {
      this.#missing.push({ ...failure, written: value, from: from[0]! });
      return;
    }
    const at = this.#depth.get(found.selector);
    if (at !== undefined)
      this.#cycles.push([...stack.slice(at).map(step => step.role.selector), found.selector]);
    else if (!this.#seen.has(found.selector)) stack.push(this.#enter(found, stack.length));
  }

  #enter(role: Found<'role'>, depth: number): Step {
    this.#depth.set(role.selector, depth);
    this.#seen.add(role.selector);
    // In the order of entering, a role comes before its includes, and an include before those behind it.
    this.#model ??= directives(role, 'model')[0];
    return { role, includes: directives(role, 'role')[Symbol.iterator]() };
  }

  #result(root: Found<'role'>): ExpandedRole {
    const parts = this.#order.flatMap(({ artifact, repository, selector }) => {
      if (artifact.prompt === '') return [];
      const lines = repository.files.get(artifact.file)?.promptLines ?? [];
      return [{ selector, root: repository.root, file: artifact.file, text: artifact.prompt, lines }];
    });
    return {
      selector: root.selector,
      alias: root.artifact.alias,
      repository: root.repository,
      file: root.artifact.file,
      model: this.#model,
      prompt: parts.map(part => part.text).join('\n\n'),
      parts,
      tools: merged(
        this.#order.flatMap(role =>
          directives(role, 'tool').map(tool => ({ ...tool, value: this.#toolName(tool.value, role) })),
        ),
        tool => tool,
      ),
      files: merged(
        this.#order.flatMap(role =>
          directives(role, 'file').map(({ value, from }) => ({
            value: { written: value, root: role.repository.root },
            from,
          })),
        ),
        file => (/^[/~]/.test(file.written) ? file.written : `${file.root}/${file.written}`),
      ),
      roles: this.#order.map(role => role.selector),
      missing: this.#missing,
      cycles: this.#cycles,
    };
  }

  /** A tool set by its one spelling; what is none is a built-in tool, or unknown. */
  #toolName(written: string, { repository }: Found<'role'>): string {
    return canonicalTool(this.#resolver, written, repository);
  }
}

/** How a tool of a role or of the settings is called: a tool set by its one spelling, anything else as written. */
export function canonicalTool(resolver: Resolver, written: string, from = resolver.own): string {
  if (BUILTIN_TOOLS.has(written)) return written;
  const found = resolver.resolve('toolset', written, from).found;
  if (found) return found.selector;
  return written.startsWith('//') ? qualify(from.prefix, written) : written;
}

/** The values of a role's directives, with their lines. */
function directives({ artifact, repository, selector }: Found<'role'>, name: string): Traced[] {
  const references = repository.files.get(artifact.file)?.references ?? [];
  return references
    .filter(reference => reference.directive === name)
    .map(({ value, line }) => ({
      value,
      from: [{ selector, root: repository.root, file: artifact.file, line }],
    }));
}

/** Each value once, with all its origins. */
function merged<T>(list: readonly Traced<T>[], key: (value: T) => string): Traced<T>[] {
  const byKey = new Map<string, Traced<T>>();
  for (const item of list) {
    const before = byKey.get(key(item.value));
    byKey.set(key(item.value), before ? { ...before, from: [...before.from, ...item.from] } : item);
  }
  return [...byKey.values()];
}
