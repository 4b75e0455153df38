/**
 * Words of commands: made, asked, and sorted into options and operands.
 */
import { UNKNOWN, type Arg, type Option } from './types.ts';

/** A word that stands for itself. */
export function literal(text: string): Arg {
  return { text, isGlob: false, isDynamic: false, sources: [] };
}

/** A word nobody knows before it runs. */
export function unknown(sources: readonly string[] = []): Arg {
  return { text: UNKNOWN, isGlob: false, isDynamic: true, sources };
}

/** Whether a part of it is known only to the running shell. */
export function isUnknown({ text, isGlob }: Arg): boolean {
  return isGlob || text.includes(UNKNOWN);
}

/** Blank-separated names as a list. */
export function names(text: string | undefined): string[] {
  return text ? text.trim().split(/\s+/) : [];
}

/** The name of a program without its folder; `C:\x\rm.exe` is rm as well. */
export function baseName(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).replace(/\.exe$/i, '');
}

/** How options are sorted out. */
export interface Grammar {
  /** Options that take their value from the next word. */
  readonly values: ReadonlySet<string>;
  readonly style: 'letters' | 'words';
  /** What follows the first operand belongs to it. */
  readonly stopsAtOperand?: boolean;
}

/** Words sorted. */
export interface Sorted {
  readonly options: readonly Option[];
  readonly operands: readonly Arg[];
}

/** Options and operands of a command's words. `--` ends the options; a long option may be shortened, as getopt allows. */
export function sortWords(args: readonly Arg[], grammar: Grammar): Sorted {
  const options: Option[] = [];
  const operands: Arg[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at]!;
    const { text } = arg;
    if (text === '--') {
      at++;
      break;
    }
    if (!/^-./.test(text)) {
      if (grammar.stopsAtOperand) break;
      operands.push(arg);
      continue;
    }
    const found =
      text.startsWith('--') || grammar.style === 'words' ? long(arg, grammar) : letters(arg, grammar);
    const last = found.at(-1)!;
    const takesNext = last.value === undefined && takesValue(last.name, grammar);
    if (takesNext) found[found.length - 1] = { name: last.name, value: args[++at] };
    options.push(...found);
  }
  return { options, operands: [...operands, ...args.slice(at)] };
}

function long(arg: Arg, { style }: Grammar): Option[] {
  const { text } = arg;
  const equals = text.indexOf('=');
  if (equals < 0 || (style === 'words' && !/^--?[\w-]+=/.test(text)))
    return [{ name: text, value: undefined }];
  return [{ name: text.slice(0, equals), value: { ...arg, text: text.slice(equals + 1) } }];
}

function letters(arg: Arg, grammar: Grammar): Option[] {
  const list: Option[] = [];
  const { text } = arg;
  for (let at = 1; at < text.length; at++) {
    const name = `-${text[at]!}`;
    const rest = text.slice(at + 1);
    const isValue = rest !== '' && grammar.values.has(name);
    list.push({ name, value: isValue ? { ...arg, text: rest } : undefined });
    if (isValue) break;
  }
  return list;
}

/** Shortest piece of a long option that counts as it: `--fo`. */
const SHORTEST = 4;

function takesValue(name: string, { values }: Grammar): boolean {
  if (values.has(name)) return true;
  return name.startsWith('--') && name.length >= SHORTEST && [...values].some(one => one.startsWith(name));
}

/** Whether an option that was given means one of these (blank-separated), shortened or not. */
export function means(given: string, wanted: readonly string[]): boolean {
  if (wanted.includes(given)) return true;
  return given.startsWith('--') && given.length >= SHORTEST && wanted.some(one => one.startsWith(given));
}

/** The option that means one of these (blank-separated), undefined for none. */
export function findOption(options: readonly Option[], wanted: string): Option | undefined {
  const list = names(wanted);
  return options.find(({ name }) => means(name, list));
}
