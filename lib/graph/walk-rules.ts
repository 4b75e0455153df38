/**
 * Which directories of a repository the walk enters: gitignore(5), with the graph's own patterns below all others.
 */
import ignore from 'ignore';
import { HOLDER } from './address.ts';

/** Names the walk never enters: git's own, and the holders, which are read apart from the walk. */
const SKIPPED = new Set(['.git', HOLDER]);
/** A pattern list longer than this many lines is not a person's; the rest is left out. */
const MAX_PATTERNS = 5000;
/** Longest pattern that is read, in UTF-16 units. */
const MAX_PATTERN_LENGTH = 1000;

/**
 * The rules that hold in one directory. Immutable: entering a directory with a `.gitignore` gives new rules.
 *
 * All patterns are kept in one list relative to the root, the later the stronger, as git does; patterns of a directory
 * are rewritten to be anchored there.
 */
export class WalkRules {
  readonly #matcher: ignore.Ignore;

  private constructor(matcher: ignore.Ignore) {
    this.#matcher = matcher;
  }

  /** Rules at the root, with the patterns of `.sgpt.json`. */
  static from(patterns: readonly string[]): WalkRules {
    return new WalkRules(ignore({ ignoreCase: false }).add(rewrite('', patterns)));
  }

  /** Rules inside `dir` (relative to the root, '' is the root itself), whose `.gitignore` holds `text`. */
  within(dir: string, text: string): WalkRules {
    const patterns = rewrite(dir, text.replace(/^\ufeff/, '').split(/\r?\n/));
    if (patterns.length === 0) return this;
    return new WalkRules(ignore({ ignoreCase: false }).add(this.#matcher).add(patterns));
  }

  /** Whether the walk enters `dir` (relative to the root), given that it entered its parent. Links are for the caller. */
  enters(dir: string): boolean {
    const name = dir.slice(dir.lastIndexOf('/') + 1);
    return !SKIPPED.has(name) && !this.#matcher.ignores(`${dir}/`);
  }
}

/** The patterns of the `.gitignore` in `dir` as ones that mean the same at the root. */
function rewrite(dir: string, patterns: readonly string[]): string[] {
  return patterns.slice(0, MAX_PATTERNS).flatMap(line => {
    if (line.length > MAX_PATTERN_LENGTH || line === '' || line.startsWith('#')) return [];
    const negated = line.startsWith('!');
    const body = negated ? line.slice(1) : line;
    if (/^\/?\s*$/.test(body)) return [];
    const anchored = /\/./.test(body.trimEnd());
    const path = body.replace(/^\//, '');
    const base = dir === '' ? '/' : `/${escape(dir)}/`;
    return [`${negated ? '!' : ''}${base}${anchored ? '' : '**/'}${path}`];
  });
}

/** A directory's name as a pattern for just this name. */
function escape(dir: string): string {
  return dir.replace(/[\\*?[\] !#]/g, '\\$&');
}
