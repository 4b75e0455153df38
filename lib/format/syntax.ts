/**
 * How formats are written: finding the end of `#{…}`, splitting at commas, reading modifiers (tmux(1) FORMATS).
 */

/** Characters that `#` makes plain. */
const ESCAPED = ',#{}:;';

/**
 * Index of the first of `stops` in `text` from `from` on that is outside every `#{…}` and not escaped by `#`; -1 where
 * there is none.
 */
export function findOutside(text: string, from: number, stops: string): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const char = text[i]!;
    if (char === '#' && ESCAPED.includes(text[i + 1] ?? ' ')) {
      if (text[i + 1] === '{') depth++;
      i++;
    } else if (depth === 0 && stops.includes(char)) return i;
    else if (char === '}') depth--;
    if (depth < 0) return -1;
  }
  return -1;
}

/** Pieces of `text` between commas that stand outside every `#{…}`. */
export function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const comma = findOutside(text, from, ',');
    if (comma < 0) return [...parts, text.slice(from)];
    parts.push(text.slice(from, comma));
    from = comma + 1;
  }
}

/** One modifier of `#{modifier;modifier:rest}`. */
export interface Modifier {
  readonly name: string;
  readonly args: readonly string[];
}

/** Modifiers without arguments, longest first. */
const PLAIN = ['==', '!=', '<=', '>=', '&&', '||', '!', '<', '>', 'b', 'd', 'l', 'n', 'w'] as const;
/** Modifiers with arguments. */
const WITH_ARGUMENTS = '=pqs';
/** More in one place are a mistake. */
const MAX_MODIFIERS = 10;

/**
 * Reads `m1;m2:rest`. Where that is not what `text` is (a plain name, say) there are no modifiers and all of it is rest.
 */
export function readModifiers(text: string): {
  readonly modifiers: readonly Modifier[];
  readonly rest: string;
} {
  const modifiers: Modifier[] = [];
  let at = 0;
  while (modifiers.length < MAX_MODIFIERS) {
    const read = readModifier(text, at);
    if (!read) break;
    modifiers.push(read.modifier);
    at = read.end + 1;
    if (text[read.end] === ':') return { modifiers, rest: text.slice(at) };
  }
  return { modifiers: [], rest: text };
}

/** The modifier at `at`; `end` is the index of the `:` or `;` behind it. */
function readModifier(text: string, at: number): { modifier: Modifier; end: number } | undefined {
  const name = PLAIN.find(word => text.startsWith(word, at) && isEnd(text[at + word.length]));
  if (name) return { modifier: { name, args: [] }, end: at + name.length };
  const char = text[at];
  if (char === undefined || !WITH_ARGUMENTS.includes(char)) return undefined;
  const next = text[at + 1];
  if (next === undefined) return undefined;
  if (isEnd(next)) return { modifier: { name: char, args: [] }, end: at + 1 };
  // A punctuation character other than a sign separates arguments: =/10/…  s|a|b|
  const delimited = /[^\w\s#-]/.test(next);
  const args: string[] = [];
  let end = at + 1;
  while (!isEnd(text[end])) {
    const from = delimited ? end + 1 : end;
    end = findOutside(text, from, delimited ? `${next};:` : ';:');
    if (end < 0) return undefined;
    if (end > from || !isEnd(text[end])) args.push(text.slice(from, end));
  }
  return { modifier: { name: char, args }, end };
}

function isEnd(char: string | undefined): boolean {
  return char === ':' || char === ';';
}
