/**
 * The parts of Jsonnet that are named rather than read (https://jsonnet.org/ref/spec.html).
 *
 * Jsonnet libraries for Node are native builds or large WebAssembly, give values without places, so that a wrong field
 * has no line, and stop at the first mistake. Settings hardly ever need more than JSON with comments and `env`, so
 * that is read here, and whoever wrote more is told what, where, and how to write it plainly.
 */

/** A part of Jsonnet. */
export interface Feature {
  /** As in "Jsonnet's NAME". */
  readonly name: string;
  /** How to write it plainly. */
  readonly hint: string;
}

interface Row extends Feature {
  /** Sticky. */
  readonly at: RegExp;
}

const OPERATORS: Feature = { name: 'operators', hint: 'write the value they come to' };
const COMPREHENSIONS: Feature = { name: 'comprehensions', hint: 'write the entries out' };
const CONDITIONS: Feature = { name: 'conditions', hint: 'write the branch that is meant' };
const REFERENCES: Feature = { name: 'references to other fields', hint: 'write the value again here' };

/** Where a value is expected; the first that fits. */
const AT_VALUE: readonly Row[] = [
  { at: /local\b/y, name: 'local variables', hint: 'write the value where it is used' },
  { at: /import(?:str|bin)?\b/y, name: 'imports of files', hint: "write the file's content here" },
  { at: /function\b/y, name: 'functions', hint: 'write out what the function gives' },
  { at: /if\b/y, ...CONDITIONS },
  { at: /for\b/y, ...COMPREHENSIONS },
  { at: /assert\b/y, name: 'assertions', hint: 'remove it' },
  { at: /error\b/y, name: 'errors', hint: 'remove it' },
  { at: /(?:self|super)\b|\$/y, ...REFERENCES },
  { at: /std\s*\.\s*extVar\b/y, name: 'external variables', hint: "write env('NAME')" },
  { at: /std\b/y, name: 'standard library', hint: 'write out what the call gives' },
  { at: /\|\|\|/y, name: 'text blocks', hint: 'write one string, with \\n between its lines' },
  { at: /@["']/y, name: 'verbatim strings', hint: 'leave the @ out and write each backslash as \\\\' },
  { at: /\(/y, name: 'parentheses', hint: 'write the value without them' },
  { at: /[!~]|[-+](?=\s*[A-Za-z_$("'{[])/y, ...OPERATORS },
  { at: /[A-Za-z_]\w*\s*\(/y, name: 'function calls', hint: 'write out what the call gives' },
  { at: /[A-Za-z_]\w*\s*[.[]/y, ...REFERENCES },
];

/** Where a field name is expected. */
const AT_KEY: readonly Row[] = [
  { at: /local\b(?!\s*[:+(])/y, name: 'local variables', hint: 'write the value where it is used' },
  { at: /assert\b(?!\s*[:+(])/y, name: 'assertions', hint: 'remove it' },
  { at: /(?:for|if)\b(?!\s*[:+(])/y, ...COMPREHENSIONS },
  { at: /\[/y, name: 'computed field names', hint: 'write the name out' },
  { at: /@["']/y, name: 'verbatim strings', hint: 'leave the @ out and write each backslash as \\\\' },
];

/** Behind a field name, where one colon is expected. */
const AFTER_KEY: readonly Row[] = [
  { at: /\+:/y, name: 'field inheritance (+:)', hint: 'write : and the whole value' },
  { at: /::/y, name: 'field visibility (::)', hint: 'write one colon' },
  { at: /\(/y, name: 'methods', hint: 'write the value as a plain field' },
];

/** Behind a value, where a comma or the end is expected. */
const AFTER_VALUE: readonly Row[] = [
  { at: /for\b/y, ...COMPREHENSIONS },
  { at: /if\b/y, ...CONDITIONS },
  { at: /in\b/y, ...OPERATORS },
  { at: /\{/y, name: 'object composition', hint: 'write one object with the fields of both' },
  { at: /[.[]/y, ...REFERENCES },
  { at: /\(/y, name: 'function calls', hint: 'write out what the call gives' },
  { at: /\+/y, name: 'operator +', hint: 'write the joined value as one' },
  { at: /[-*/%&|^<>]|[=!]=/y, ...OPERATORS },
];

const TABLES = { value: AT_VALUE, key: AT_KEY, afterKey: AFTER_KEY, afterValue: AFTER_VALUE };

/** The part of Jsonnet that stands in `text` at `pos`, where `place` says what is expected there. */
export function featureAt(text: string, pos: number, place: keyof typeof TABLES): Feature | undefined {
  return TABLES[place].find(({ at }) => {
    at.lastIndex = pos;
    return at.test(text);
  });
}

/** Variables of a file that has some. */
export const VARIABLES: Feature = { name: 'local variables', hint: 'write the value where it is used' };

/** Index behind the `;` that ends the binding or assertion at `pos`, or undefined where none does. */
export function bindingEnd(text: string, pos: number): number | undefined {
  // What is never closed ends with the text, so that nothing is looked through twice.
  const token =
    /"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\]|\\[^])*(?:'|\\?$)|(?:\/\/|#)[^\n]*|\/\*[^]*?(?:\*\/|$)|[()[\]{};]/g;
  token.lastIndex = pos;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (/^[([{]$/.test(match[0])) depth++;
    else if (/^[)\]}]$/.test(match[0])) {
      if (--depth < 0) return undefined;
    } else if (match[0] === ';' && depth === 0) return match.index + 1;
  }
  return undefined;
}

/** Index behind the text block that starts at `pos`. */
export function textBlockEnd(text: string, pos: number): number {
  const end = /\n[ \t]*\|\|\|/g;
  end.lastIndex = pos + 3;
  return end.test(text) ? end.lastIndex : text.length;
}

/** `env` in either spelling, with one quoted name. Sticky. */
export const ENV_CALL =
  /(?:env|std\s*\.\s*native\s*\(\s*(?:"env"|'env')\s*\))\s*\(\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*\)/y;
/** The beginning of such a call. Sticky. */
export const ENV_OPENING = /(?:env|std\s*\.\s*native\s*\(\s*(?:"env"|'env')\s*\))\s*\(/y;
