/**
 * What commands print, where a line says so itself (`echo`, `printf`, `cat` of a here-document), and by whom text is
 * made where it does not. Needed since text can be run.
 */
import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';
import { UNKNOWN, type Arg } from './types.ts';

/** Makes words of syntax. */
export type Reader = (word: Extract<SyntaxNode, { type: 'Word' }>) => readonly Arg[];

/** Commands that pass on what they read. */
const PASS_ON = new Set(['cat', 'tee', 'sort', 'uniq', 'head', 'tail', 'pv', 'cut']);

/** What a script prints; undefined where that is not in the line. */
export function outputOf(node: SyntaxNode | undefined, read: Reader): string | undefined {
  switch (node?.type) {
    case 'Script':
    case 'CompoundList': {
      const texts = node.commands.map(one => outputOf(one, read));
      // What one of them prints is known, even where that of another is not.
      return texts.some(one => one !== undefined)
        ? texts.map(one => one ?? `${UNKNOWN}\n`).join('')
        : undefined;
    }
    case 'Statement':
      return outputOf(node.command, read);
    case 'BraceGroup':
    case 'Subshell':
      return outputOf(node.body, read);
    case 'Pipeline':
      return ofPipeline(node, read);
    case 'Command':
      return ofCommand(node, read);
    default:
      return undefined;
  }
}

function ofPipeline(node: Extract<SyntaxNode, { type: 'Pipeline' }>, read: Reader): string | undefined {
  const first = outputOf(node.commands[0], read);
  const rest = node.commands.slice(1);
  return rest.every(one => one.type === 'Command' && PASS_ON.has(one.name?.value ?? '')) ? first : undefined;
}

function ofCommand(node: Extract<SyntaxNode, { type: 'Command' }>, read: Reader): string | undefined {
  const name = node.name?.value ?? '';
  if (name === 'cat' && node.args.length === 0) return hereText(node, read);
  const words = node.args.flatMap(arg => (arg.type === 'Word' ? read(arg) : []));
  const texts = words.map(({ text }) => text);
  if (name === 'echo') {
    while (/^-[neE]+$/.test(texts[0] ?? '')) texts.shift();
    return `${unescaped(texts.join(' '))}\n`;
  }
  return name === 'printf' && texts[0] !== undefined ? printed(texts) : undefined;
}

/** The text of the last here-document or here-string of a command. */
export function hereText(node: SyntaxNode, read: Reader): string | undefined {
  const redirects = 'redirects' in node ? node.redirects : [];
  const last = redirects.findLast(one => one.type === 'HereDoc' || one.type === 'HereString');
  if (last?.type === 'HereString')
    return (
      last.target &&
      `${read(last.target)
        .map(({ text }) => text)
        .join(' ')}\n`
    );
  if (last?.type !== 'HereDoc') return undefined;
  const text = last.body.text;
  const body = last.delimiter?.quoted ? text : expanded(last.body, read);
  return last.operator === '<<-' ? body.replace(/^\t+/gm, '') : body;
}

function expanded(body: Extract<SyntaxNode, { type: 'HereDocBody' }>, read: Reader): string {
  const { parts, text, pos, end } = body;
  return parts ? (read({ type: 'Word', text, value: text, pos, end, parts })[0]?.text ?? text) : text;
}

/** Backslash sequences that can make a newline or any character, as echo -e and printf read them. */
function unescaped(text: string): string {
  return text.replace(/\\(n|t|r|\\|0?[0-7]{1,3}|x[0-9a-fA-F]{1,2})/g, (_, code: string) => {
    if (code === 'n') return '\n';
    if (code === 't') return '\t';
    if (code === 'r') return '\r';
    if (code === '\\') return '\\';
    return String.fromCharCode(code.startsWith('x') ? parseInt(code.slice(1), 16) : parseInt(code, 8));
  });
}

function printed([format = '', ...values]: readonly string[]): string {
  const text = unescaped(format);
  let next = 0;
  const once = (): string =>
    text.replace(/%(?:%|[-+ #0-9.*]*[a-zA-Z])/g, one => (one === '%%' ? '%' : (values[next++] ?? '')));
  let out = once();
  // printf uses its format again until no value is left.
  while (next > 0 && next < values.length && out.length < 64 * 1024) out += once();
  return out;
}

/** Nodes looked at for names: a text that is made by more is made by anything. */
const NODES_MAX = 500;

/** Names of the commands in a script, however deep; UNKNOWN for one that is not known, and for those beyond the limit. */
export function commandNames(node: SyntaxNode | ParsedScript): string[] {
  const found: string[] = [];
  let left = NODES_MAX;
  const visit = (one: SyntaxNode): void => {
    if (--left < 0) return;
    if (one.type === 'Command' && one.name) found.push(one.name.parts ? UNKNOWN : one.name.value);
    forEachChild(one, visit);
  };
  visit(node);
  return left < 0 ? [...found, UNKNOWN] : found;
}
