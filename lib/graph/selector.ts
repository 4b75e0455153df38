/**
 * Selectors: the ways to write where a role, a tool set or a lore is. One grammar for every place.
 *
 *     title          at the root, or an alias        //dir:title    in a directory
 *     //title        at the root                     //dir          a directory
 *     //:title       at the root, whatever else      lores/path     a lore
 *     @import//…     any of them in an imported repository
 */
import { printable, quote } from './printable.ts';

/** A selector taken apart. */
export interface Selector {
  /** What stands between '@' and the first '//'; '' for the repository in which it is written. */
  readonly importName: string;
  /**
   * `bare`: a title at the root, or an alias · `short`: after '//' without a colon, a title at the root or a directory ·
   * `full`: with a colon.
   */
  readonly form: 'bare' | 'short' | 'full';
  /** '' at the root. */
  readonly dir: string;
  /** Of `short`, the whole rest: it may be a path. */
  readonly title: string;
}

/** Why a text is no selector, and how to write it. */
export interface BadSelector {
  readonly reason: string;
  readonly hint: string;
}

/** Longer ones are not a person's: a path of Linux has at most 4096 bytes. */
const MAX_LENGTH = 4096;

const bad = (reason: string, hint: string): BadSelector => ({ reason, hint });

/** Takes a selector apart. */
export function parseSelector(text: string): Selector | BadSelector {
  if (text === '') return bad('the selector is empty', 'write //dir:title, or a title');
  if (text.length > MAX_LENGTH) return bad('the selector is too long', 'write //dir:title');
  if (text.startsWith('@')) {
    const at = text.indexOf('//');
    if (at < 0) return bad(`${quote(text)} is an import without '//'`, `write ${printable(text)}//title`);
    if (at === 1) return bad(`${quote(text)} names no import`, `write @import${printable(text.slice(1))}`);
    const importName = text.slice(1, at);
    const rest = parseLocal(text.slice(at));
    return 'reason' in rest ? rest : { ...rest, importName };
  }
  if (text.startsWith('//')) return parseLocal(text);
  if (!/[/:]/.test(text)) return { importName: '', form: 'bare', dir: '', title: text };
  return bad(`${quote(text)} has no '//' in front`, `write //${printable(text).replace(/^\/+/, '')}`);
}

/** What follows an import's name: '//' and the rest. */
function parseLocal(text: string): Selector | BadSelector {
  const rest = text.slice(2);
  const [dir = '', title, ...more] = rest.split(':');
  if (rest === '') return bad(`${quote(text)} names nothing`, 'write //title, or //dir:title');
  if (more.length > 0) return bad(`${quote(text)} has more than one colon`, 'write //dir:title');
  if (/^\/|\/$|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(dir))
    return bad(`${quote(text)} is no path from the root`, 'write //dir/sub:title, without . and ..');
  if (title === undefined) return { importName: '', form: 'short', dir: '', title: dir };
  if (title === '') return bad(`${quote(text)} has no title after the colon`, 'write //dir:title');
  if (title.includes('/')) return bad(`the title of ${quote(text)} holds '/'`, 'write //dir/sub:title');
  return { importName: '', form: 'full', dir, title };
}

/** The one spelling of an address: `//title` at the root, else `//dir:title`. */
export function canonical(dir: string, title: string): string {
  return dir === '' ? `//${title}` : `//${dir}:${title}`;
}

/** A canonical selector or a lore's name as it is written from the repository that imports it as `prefix`. */
export function qualify(prefix: string, selector: string): string {
  if (prefix === '') return selector;
  return selector.startsWith('//') ? prefix + selector : `${prefix}//${selector}`;
}
