/**
 * From what a person wrote to the role, tool set or lore that is meant: one way for every place where selectors stand.
 */
import { CodedError, nearest } from '../base/errors.ts';
import type { ArtifactKind } from './address.ts';
import { printable, quote } from './printable.ts';
import { directoriesOf, shelve } from './repository.ts';
import type { ArtifactTypes, Repository, Shelf, Shelves } from './repository.ts';
import { canonical, parseSelector, qualify } from './selector.ts';
import type { Selector } from './selector.ts';

/** An artifact with the repository it belongs to. */
export interface Found<K extends ArtifactKind> {
  readonly artifact: ArtifactTypes[K];
  readonly repository: Repository;
  /** As the own repository writes it. */
  readonly selector: string;
}

/** Why nothing is found. */
export interface Failure {
  /** `broken`: what it leads to is there, but has errors that are told where they are. */
  readonly code: 'not_found' | 'ambiguous' | 'broken';
  /** One line, without the kind. */
  readonly reason: string;
  readonly hint: string;
  /** What may have been meant, best first, as it is to be written. */
  readonly candidates: readonly string[];
}

/** The answer to a selector. */
export type Resolution<K extends ArtifactKind> =
  | { readonly found: Found<K>; readonly failure?: undefined }
  | { readonly found?: undefined; readonly failure: Failure };

/** Names of the kinds for people. */
export const KIND_NAMES: Readonly<Record<ArtifactKind, string>> = {
  role: 'role',
  toolset: 'tool set',
  lore: 'lore',
};

/** Candidates named in a failure: more is a list to be asked for. */
const MAX_CANDIDATES = 5;
/**
 * Names that are compared with misspelt ones before a resolver only looks for equal ones: some tens of milliseconds. A
 * graph of thousands of roles that all mention something else would cost a minute.
 */
const MAX_COMPARED = 100_000;

/** A repository with what selectors are looked up in. */
interface Index extends Shelves {
  readonly dirs: ReadonlySet<string>;
  /** Roles by alias. */
  readonly aliases: ReadonlyMap<string, readonly ArtifactTypes['role'][]>;
}

/** Finds artifacts of a repository and of those it imports. */
export class Resolver {
  readonly own: Repository;
  readonly #indices = new Map<Repository['files'], Index>();
  readonly #before: ReadonlyMap<string, Index>;
  #compared = 0;

  /** @param before the resolver of the same repositories before some change: what did not change is not sorted again */
  constructor(own: Repository, before?: Resolver) {
    this.own = own;
    this.#before = new Map(before?.repositories().map(r => [r.root, before.#index(r)]));
  }

  /** The artifacts of one kind in a repository, sorted by selector. */
  shelf<K extends ArtifactKind>(kind: K, repository = this.own): Shelf<K> {
    return this.#index(repository)[kind] as unknown as Shelf<K>;
  }

  /** Every repository that can be reached, the own one first, then breadth first. */
  repositories(): readonly Repository[] {
    const all = [this.own];
    for (const repository of all)
      for (const imported of repository.imports.values()) if (!all.includes(imported)) all.push(imported);
    return all;
  }

  /** What `text` means where it is written in `from`. */
  resolve<K extends ArtifactKind>(kind: K, text: string, from = this.own): Resolution<K> {
    const selector = parseSelector(kind === 'lore' ? loreSelector(text) : text);
    if ('reason' in selector) return fail('not_found', selector.reason, selector.hint);
    const repository = this.#repository(selector.importName, from);
    if (!('root' in repository)) return { failure: repository };
    return kind === 'lore'
      ? (this.#lore(selector, repository, text) as Resolution<K>)
      : this.#titled(kind, selector, repository, text);
  }

  /** The same, or CodedError `not_found` or `ambiguous` with what may have been meant. */
  need<K extends ArtifactKind>(kind: K, text: string): Found<K> {
    const { found, failure } = this.resolve(kind, text);
    if (found) return found;
    const code = failure.code === 'broken' ? 'failed' : failure.code;
    throw new CodedError(code, `${KIND_NAMES[kind]} ${printable(text)}: ${failure.reason}`, failure.hint);
  }

  /** Roles with this alias in a repository. */
  aliased(alias: string, repository = this.own): readonly ArtifactTypes['role'][] {
    return this.#index(repository).aliases.get(alias) ?? [];
  }

  /** Whether a directory of a repository holds roles or tool sets, in it or below. */
  hasDirectory(dir: string, repository = this.own): boolean {
    return this.#index(repository).dirs.has(dir);
  }

  /** The repository behind an import's name, or what is wrong with that. */
  #repository(name: string, from: Repository): Repository | Failure {
    if (name === '') return from;
    // An imported repository may count on its importer for a name that it does not import itself.
    for (const scope of from === this.own ? [from] : [from, this.own]) {
      const whole = scope.imports.get(name);
      const nested = whole ?? follow(scope, name);
      if (nested) return nested;
    }
    const known = [...from.imports.keys(), ...from.config.imports.map(i => i.name)];
    if (from.config.imports.some(i => i.name === name))
      return failure('broken', `the import ${quote(name)} could not be read`, "'mux graph check' says why");
    const near = this.#nearest(name, known);
    const hint = near ? `did you mean @${near}?` : names(known, 'imported are', 'nothing is imported');
    return failure('not_found', `${quote(name)} is not imported in .sgpt.json`, hint);
  }

  #titled<K extends ArtifactKind>(
    kind: K,
    selector: Selector,
    repository: Repository,
    text: string,
  ): Resolution<K> {
    const shelves = this.#index(repository);
    const shelf = this.shelf(kind, repository);
    const { form, dir, title } = selector;
    const isImported = selector.importName !== '';
    const address = canonical(dir, title);
    const hit = shelf.bySelector.get(address);
    const found = (artifact: ArtifactTypes[K]): Resolution<K> => ({
      found: { artifact, repository, selector: qualify(repository.prefix, artifact.selector) },
    });
    const written = (selectors: readonly string[]): string[] =>
      selectors.map(s => (isImported ? `@${selector.importName}${s}` : s));
    if (form === 'short' && shelves.dirs.has(title)) {
      const inside = shelf.list.filter(a => a.selector.startsWith(`//${title}:`)).map(a => a.selector);
      if (!hit) return directory(kind, title, written(inside));
      const both = written([`//:${title}`, ...inside]);
      return fail('ambiguous', `it is a ${KIND_NAMES[kind]} and a directory`, `write ${both[0]}`, both);
    }
    // An alias stands alone, or behind its import.
    const takesAlias = kind === 'role' && (form === 'bare' || (form === 'short' && isImported));
    const aliased = takesAlias ? (this.aliased(title, repository) as readonly ArtifactTypes[K][]) : [];
    const meant = [...new Set([...(hit ? [hit] : []), ...aliased])];
    if (meant.length === 1) return found(meant[0]!);
    if (meant.length > 1) {
      const all = written(meant.map(a => (a.selector === `//${title}` ? `//:${title}` : a.selector)));
      return fail(
        'ambiguous',
        `it means ${all.slice(0, MAX_CANDIDATES).join(' and ')}`,
        `write ${all[0]}`,
        all,
      );
    }
    if (shelf.broken.has(address))
      return fail('broken', `${shelf.broken.get(address)} has errors`, "'mux graph check' tells them");
    const candidates = written(this.#candidates(kind, shelves, title));
    const near = this.#nearest(title, shelves.aliases.keys());
    if (takesAlias && near && !candidates.includes(near))
      candidates.push(...written([isImported ? `//${near}` : near]));
    const where = isImported ? ` in @${printable(selector.importName)}` : '';
    if (form === 'full' && dir !== '' && !shelves.dirs.has(dir)) {
      const nearDir = this.#nearest(dir, shelves.dirs);
      const hint = didYouMean(nearDir ? written([canonical(nearDir, title)]) : candidates);
      return fail(
        'not_found',
        `the directory ${quote(dir)} is not part of the graph${where}`,
        hint,
        candidates,
      );
    }
    const place = dir === '' ? `at the root${where}` : `in ${printable(dir)}${where}`;
    const reason = `no ${KIND_NAMES[kind]} of that name ${place}`;
    const hint = didYouMean(candidates) || listed(kind, text);
    return fail('not_found', reason, hint, candidates);
  }

  #lore(selector: Selector, repository: Repository, text: string): Resolution<'lore'> {
    const shelf = this.shelf('lore', repository);
    const name = selector.title.replace(/\.md$/, '');
    const isNamed = selector.form === 'short' && name.startsWith('lores/');
    const artifact = isNamed ? shelf.bySelector.get(name) : undefined;
    if (artifact)
      return { found: { artifact, repository, selector: qualify(repository.prefix, artifact.selector) } };
    if (shelf.broken.has(name))
      return fail('broken', `${shelf.broken.get(name)} has errors`, "'mux graph check' tells them");
    const prefix = selector.importName === '' ? '' : `@${selector.importName}//`;
    const title = name.slice(name.lastIndexOf('/') + 1);
    const same = (shelf.byTitle.get(title) ?? []).map(a => a.selector);
    const named = shelf.list.filter(a => a.name.endsWith(`/${title}`)).map(a => a.selector);
    const near = this.#nearest(
      name,
      shelf.list.map(a => a.name),
    );
    const all = unique([...named, ...same, ...(near ? [near] : [])]).map(n => prefix + n);
    return fail('not_found', 'no such lore', didYouMean(all) || listed('lore', text), all);
  }

  /** What may have been meant by a title, in other places and by other spellings. */
  #candidates(kind: ArtifactKind, shelves: Index, title: string): string[] {
    const shelf = shelves[kind];
    const last = title.slice(title.lastIndexOf('/') + 1);
    const near = this.#nearest(title, shelf.byTitle.keys());
    const titles = [title, last];
    if (near !== undefined) titles.push(near);
    if (this.#compared <= MAX_COMPARED) {
      const lower = title.toLowerCase();
      titles.push(...[...shelf.byTitle.keys()].filter(t => t.toLowerCase() === lower));
    }
    return unique(titles.flatMap(t => (shelf.byTitle.get(t) ?? []).map(a => a.selector)));
  }

  /** The name nearest to a word, as long as there is time for looking. */
  #nearest(word: string, names: Iterable<string>): string | undefined {
    if (this.#compared > MAX_COMPARED) return undefined;
    const list = [...names];
    this.#compared += list.length;
    return nearest(word, list);
  }

  #index(repository: Repository): Index {
    const known = this.#indices.get(repository.files);
    if (known) return known;
    const before = this.#before.get(repository.root);
    const shelves = shelve(repository.files.values(), before);
    const { role, toolset } = shelves;
    const same = before?.role === role && before.toolset === toolset ? before : undefined;
    const selectors = [role, toolset].flatMap(s => [...s.bySelector.keys(), ...s.broken.keys()]);
    const index = {
      ...shelves,
      dirs: same?.dirs ?? directoriesOf(selectors),
      aliases: same?.aliases ?? aliasesOf(role),
    };
    this.#indices.set(repository.files, index);
    return index;
  }
}

function aliasesOf({ list }: Shelf<'role'>): ReadonlyMap<string, readonly ArtifactTypes['role'][]> {
  const aliases = new Map<string, ArtifactTypes['role'][]>();
  for (const role of list)
    if (role.alias !== '') aliases.set(role.alias, [...(aliases.get(role.alias) ?? []), role]);
  return aliases;
}

/** Lores may be written without '//', and without the folder. */
function loreSelector(text: string): string {
  const at = text.startsWith('@') ? text.indexOf('//') : -1;
  const prefix = at < 0 ? '' : text.slice(0, at);
  const path = (at < 0 ? text : text.slice(at)).replace(/^\/\//, '');
  return `${prefix}//${path === '' || path.startsWith('lores/') ? path : `lores/${path}`}`;
}

/** `a@b`: the import `b` of the import `a`. */
function follow(from: Repository, name: string): Repository | undefined {
  let at: Repository | undefined = from;
  for (const step of name.split('@')) at = at?.imports.get(step);
  return at;
}

function directory(kind: ArtifactKind, dir: string, inside: readonly string[]): { failure: Failure } {
  const reason = `${quote(dir)} is a directory`;
  const hint = didYouMean(inside) || `write //${printable(dir)}:title`;
  return {
    failure: failure(
      'not_found',
      inside.length > 0 ? reason : `${reason} without ${KIND_NAMES[kind]}s`,
      hint,
      inside,
    ),
  };
}

function failure(
  code: Failure['code'],
  reason: string,
  hint: string,
  candidates: readonly string[] = [],
): Failure {
  return { code, reason, hint, candidates: candidates.slice(0, MAX_CANDIDATES) };
}

function fail(
  code: Failure['code'],
  reason: string,
  hint: string,
  candidates: readonly string[] = [],
): { failure: Failure } {
  return { failure: failure(code, reason, hint, candidates) };
}

function didYouMean(candidates: readonly string[]): string {
  const some = candidates.slice(0, MAX_CANDIDATES).map(printable);
  if (some.length < 2) return some.length === 0 ? '' : `did you mean ${some[0]}?`;
  return `did you mean ${some.slice(0, -1).join(', ')} or ${some.at(-1)}?`;
}

function listed(kind: ArtifactKind, text: string): string {
  const command = { role: 'role list', toolset: 'toolset list', lore: 'lore list' }[kind];
  return text === '' ? '' : `'mux ${command}' lists them`;
}

function names(list: readonly string[], before: string, none: string): string {
  return list.length === 0 ? none : `${before} ${list.slice(0, MAX_CANDIDATES).map(printable).join(', ')}`;
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];
