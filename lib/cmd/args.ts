/**
 * Reads a command's words by its record: short flags may be bundled (`-dP`), a value may follow at once or as the
 * next word (`-t2`, `-t 2`, `--name=x`), `--` ends flags, and a negative number is no flag, unless the command has
 * one of that digit.
 */
import { CodedError, nearest } from '../base/errors.ts';
import type { CommandSpec, FlagSpec, ParsedArgs } from './spec.ts';

/** What every command takes besides its own flags. */
const COMMON_FLAGS: readonly FlagSpec[] = [
  { name: 'help', text: 'say how to use it' },
  { name: 'version', text: 'say which mux this is' },
  { name: 'json', text: 'answer in JSON' },
];

/** Flags and positionals of `words` (without the command's name). Throws CodedError `usage` or `unknown_flag`. */
export function parseArgs(spec: CommandSpec, words: readonly string[]): ParsedArgs {
  const found = new Map<string, string[]>();
  const rest: string[] = [];
  let at = 0;
  const take = (flag: FlagSpec, given: string, inline: string | undefined): void => {
    const values = found.get(flag.name) ?? [];
    found.set(flag.name, values);
    if (flag.value === undefined) {
      if (inline !== undefined) throw usage(spec, `${given} takes no value`);
      values.push('');
      return;
    }
    const value = inline ?? (flag.isOptional ? '' : words[at++]);
    if (value === undefined) throw usage(spec, `${given} needs ${flag.value}`);
    values.push(value);
  };
  while (at < words.length) {
    const word = words[at]!;
    if (word === '--') {
      rest.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-' || isNumber(spec, word)) {
      rest.push(word);
      at++;
      if (rest.length <= (spec.wordsFrom ?? Infinity)) continue;
      rest.push(...words.slice(at));
      break;
    }
    at++;
    if (word.startsWith('--')) {
      const [name = '', ...value] = word.slice(2).split('=');
      const long = [...spec.flags, ...COMMON_FLAGS].filter(f => f.name.length > 1 || f.alias);
      take(
        find(spec, name, word, name.length > 1 ? long : []),
        `--${name}`,
        value.length > 0 ? value.join('=') : undefined,
      );
    } else {
      takeBundle(spec, word, take);
    }
  }
  // Whoever asks how a command is used need not know it yet.
  if (!found.has('help') && !found.has('version')) checkCount(spec, rest);
  return {
    has: flag => found.has(flag),
    value: flag => found.get(flag)?.at(-1),
    values: flag => found.get(flag) ?? [],
    rest,
  };
}

/** Whether a word is a negative number to this command. */
function isNumber({ flags }: CommandSpec, word: string): boolean {
  return /^-\d/.test(word) && !flags.some(flag => flag.name === word[1]);
}

/** `-dP`, `-t2`: letters up to the first that takes a value, which has what is left. */
function takeBundle(
  spec: CommandSpec,
  word: string,
  take: (flag: FlagSpec, given: string, inline: string | undefined) => void,
): void {
  for (let i = 1; i < word.length; i++) {
    const letter = word[i]!;
    const flag = find(spec, letter, word, spec.flags);
    const inline = word.slice(i + 1);
    if (flag.value === undefined) {
      take(flag, `-${letter}`, undefined);
    } else {
      take(flag, `-${letter}`, inline === '' ? undefined : inline);
      return;
    }
  }
}

function find(spec: CommandSpec, name: string, word: string, flags: readonly FlagSpec[]): FlagSpec {
  const flag = flags.find(f => f.name === name || f.alias === name);
  if (flag) return flag;
  const names = flags.flatMap(f => (f.alias ? [f.name, f.alias] : [f.name]));
  const near = nearest(
    name,
    names.filter(n => n.length > 1),
  );
  throw new CodedError(
    'unknown_flag',
    `${spec.name}: unknown flag ${word}`,
    near ? `did you mean --${near}?` : `usage: ${usageOf(spec)}`,
  );
}

function checkCount(spec: CommandSpec, rest: readonly string[]): void {
  if (rest.length < spec.minArgs) throw usage(spec, 'too few arguments');
  if (rest.length > spec.maxArgs) throw usage(spec, `unexpected '${rest[spec.maxArgs]}'`);
}

function usage(spec: CommandSpec, why: string): CodedError {
  return new CodedError('usage', `${spec.name}: ${why}`, `usage: ${usageOf(spec)}`);
}

/** A flag as it is written, `-x` or `--name`, and then its other spelling. */
export function flagWords({ name, alias }: FlagSpec): string[] {
  return [name, ...(alias ? [alias] : [])].map(n => (n.length === 1 ? `-${n}` : `--${n}`));
}

/** One line: `split-window [-bdfhP] [-c DIR] … [CMD…]`. */
export function usageOf(spec: CommandSpec): string {
  const switches = spec.flags.filter(f => f.value === undefined && f.name.length === 1).map(f => f.name);
  const parts = [spec.name];
  if (switches.length > 0) parts.push(`[-${switches.join('')}]`);
  for (const flag of spec.flags) {
    if (flag.value === undefined && flag.name.length === 1) continue;
    const value = flag.value === undefined ? '' : flag.isOptional ? `[=${flag.value}]` : ` ${flag.value}`;
    parts.push(`[${flagWords(flag).join('|')}${value}]${flag.many ? '…' : ''}`);
  }
  if (spec.args) parts.push(spec.args);
  return parts.join(' ');
}

/** Usage, sentence, flags and aliases of one command. */
export function describeCommand(spec: CommandSpec): string {
  const lines = [`usage: mux ${usageOf(spec)}`, '', `${spec.text}.`];
  if (spec.aliases?.length) lines.push('', `Also: ${spec.aliases.join(', ')}`);
  if (spec.flags.length > 0) lines.push('');
  for (const flag of spec.flags) {
    lines.push(
      `  ${(flagWords(flag).join(', ') + (flag.value ? ` ${flag.value}` : '')).padEnd(24)}${flag.text}`,
    );
  }
  return lines.join('\n');
}
