/**
 * Code blocks with syntax colours, as roles: themes decide what they look like.
 */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import protobuf from 'highlight.js/lib/languages/protobuf';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Run, StyledLine } from '../base/styled.ts';
import { safeText } from './inline.ts';
import { wrap, type Style } from './wrap.ts';

/** Grammars by the names people write after the fence. Each is compiled when a block first asks for it. */
const LANGUAGES = new Map(
  Object.entries({
    'bash sh shell zsh console': bash,
    'c h': c,
    'cpp c++ cc hpp': cpp,
    'csharp cs c#': csharp,
    css,
    'diff patch': diff,
    'dockerfile docker': dockerfile,
    'go golang': go,
    'ini toml': ini,
    java,
    'javascript js jsx mjs cjs': javascript,
    'json jsonc json5': json,
    'kotlin kt': kotlin,
    lua,
    'makefile make': makefile,
    'markdown md': markdown,
    php,
    'protobuf proto': protobuf,
    'python py': python,
    'ruby rb': ruby,
    'rust rs': rust,
    sql,
    swift,
    'typescript ts tsx mts cts': typescript,
    'xml html svg': xml,
    'yaml yml': yaml,
  }).flatMap(([names, grammar]) => names.split(' ').map(name => [name, grammar] as const)),
);

/** By highlight.js scope, its first part deciding: `title.function` is a `title`. */
const SCOPES: Readonly<Record<string, Style>> = {
  keyword: { role: 'accent' },
  built_in: { role: 'accent' },
  type: { role: 'accent' },
  literal: { role: 'accent' },
  name: { role: 'accent' },
  'selector-tag': { role: 'accent' },
  string: { role: 'ok' },
  regexp: { role: 'ok' },
  char: { role: 'ok' },
  number: { role: 'warn' },
  symbol: { role: 'warn' },
  comment: { role: 'dim' },
  quote: { role: 'dim' },
  meta: { role: 'dim' },
  title: { bold: true },
  section: { bold: true },
  addition: { role: 'add' },
  deletion: { role: 'del' },
};

/** Code of more characters is shown plain: colouring it would hold up the screen for longer than colours are worth. */
const HIGHLIGHT_MAX = 32_768;

/** The lines of a code block of language `lang` ('' if unknown), broken where `width` cells are full. */
export function codeLines(code: string, lang: string, width: number): StyledLine[] {
  const text = safeText(code.replace(/\n$/, ''));
  return wrap(
    highlight(
      text,
      lang
        .trim()
        .split(/[\s,{]/, 1)[0]!
        .toLowerCase(),
    ),
    width,
    true,
  );
}

function highlight(text: string, name: string): Run[] {
  const grammar = LANGUAGES.get(name);
  if (!grammar || text.length > HIGHLIGHT_MAX) return [{ text }];
  // highlight.js keeps its grammars in one registry: registering the same one again would compile it again.
  if (!hljs.getLanguage(name)) hljs.registerLanguage(name, grammar);
  return runsOfHtml(hljs.highlight(text, { language: name, ignoreIllegals: true }).value);
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
};

/** highlight.js answers with text in nested `<span class="hljs-SCOPE">`, all else escaped. */
function runsOfHtml(html: string): Run[] {
  const runs: Run[] = [];
  const styles: Style[] = [{}];
  for (const [, opened, closed, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (opened !== undefined) styles.push({ ...styles.at(-1), ...styleOf(opened) });
    else if (closed !== undefined) styles.pop();
    else runs.push({ text: unescapeHtml(text!), ...styles.at(-1) });
  }
  return runs;
}

function styleOf(classes: string): Style {
  const scope = /^(?:hljs-)?([\w-]+)/.exec(classes)?.[1] ?? '';
  return Object.hasOwn(SCOPES, scope) ? SCOPES[scope]! : {};
}

function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_entity, name: string) => HTML_ENTITIES[name]!);
}
