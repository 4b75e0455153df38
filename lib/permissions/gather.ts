/**
 * Reads what a script says about its own names before it is judged: `x=rm`, `f() { … }`, `alias l=ls`, `set -- rm`.
 */
import { forEachChild, type SyntaxNode } from 'unbash';
import type { Scope, Value } from './scope.ts';
import { readArgument, readWord } from './words.ts';

/** Rounds over the script: a value made of other variables is known a round later. */
const ROUNDS = 3;

/** Nodes that are read for it; the walk gives up a script that has more. */
const NODES_MAX = 5_000;

/** Fills a scope from a script. */
export function gather(script: SyntaxNode, scope: Scope, readingsMax: number): void {
  // Most lines set nothing.
  const nodes = interesting(script);
  for (let round = 0; round < ROUNDS; round++) {
    const before = scope.size;
    for (const node of nodes) LOOKS[node.type]?.(node, scope, readingsMax);
    if (scope.size === before) return;
  }
}

function interesting(script: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (node: SyntaxNode): void => {
    if (found.length >= NODES_MAX) return;
    if (Object.hasOwn(LOOKS, node.type)) found.push(node);
    forEachChild(node, visit);
  };
  visit(script);
  return found;
}

type Node<T extends SyntaxNode['type']> = Extract<SyntaxNode, { type: T }>;

const LOOKS: Readonly<Record<string, (node: SyntaxNode, scope: Scope, readingsMax: number) => void>> = {
  Assignment: (node, scope) => assignment(node as Node<'Assignment'>, scope),
  Function: (node, scope) => scope.define((node as Node<'Function'>).name.value),
  For: (node, scope) => loop(node as Node<'For'>, scope),
  Select: (node, scope) => loop(node as Node<'Select'>, scope),
  ParameterExpansion: (node, scope) => expansion(node as Node<'ParameterExpansion'>, scope),
  Command: (node, scope, readingsMax) => command(node as Node<'Command'>, scope, readingsMax),
};

/** As it stands and, where it is made of other variables, with their first values. */
function assignment(node: Node<'Assignment'>, scope: Scope): void {
  const { value } = node;
  const read = (reading: number | undefined): Value =>
    value.type === 'Word'
      ? joined(readWord(value, { scope, reading }))
      : value.elements.flatMap(one => readWord(one, { scope, reading }));
  const plain = read(undefined);
  const known = plain.some(arg => arg.isDynamic) ? read(0) : plain;
  if (node.append)
    for (const before of scope.valuesOf(node.name))
      scope.assign(node.name, appended(before, known, value.type === 'Word'));
  scope.assign(node.name, known);
  if (value.type !== 'Word') known.forEach((arg, at) => scope.assign(`${node.name}[${at}]`, [arg]));
}

/** `${x:=rm}` gives x a value too; of all such the text is one more that may stand there. */
function expansion({ parameter, operation }: Node<'ParameterExpansion'>, scope: Scope): void {
  if (operation?.type !== 'Default') return;
  scope.hasOther(parameter);
  if (operation.operator.endsWith('='))
    scope.assign(parameter, readWord(operation.operand, { scope, reading: 0 }));
}

/** Brace lists and blanks part no words in an assignment, and patterns stay patterns. */
function joined(words: Value): Value {
  const [first] = words;
  return first ? [{ ...first, isGlob: false, text: words.map(({ text }) => text).join(' ') }] : words;
}

function appended(before: Value, more: Value, isScalar: boolean): Value {
  if (!isScalar) return [...before, ...more];
  const [first] = before;
  return first ? [{ ...first, text: first.text + (more[0]?.text ?? '') }] : more;
}

function loop(node: Node<'For'> | Node<'Select'>, scope: Scope): void {
  for (const word of node.wordlist ?? [])
    for (const value of readWord(word, { scope, reading: 0 }))
      if (!value.isGlob) scope.assign(node.name.value, [value]);
}

function command(node: Node<'Command'>, scope: Scope, readingsMax: number): void {
  const name = node.name?.value;
  if (name === undefined) return;
  if (name === 'alias') return aliases(node, scope);
  const words = (): Value => node.args.flatMap(arg => readArgument(arg, { scope, reading: 0 }));
  if (name === 'set') {
    const list = words();
    const from = list.findIndex(({ text }) => text === '--');
    if (from >= 0 || /^[^-+]/.test(list[0]?.text ?? '')) positional(list.slice(from + 1), scope);
  } else if (scope.isFunction(name) && scope.readings <= readingsMax) positional(words(), scope);
  else if (name === 'read' || name === 'printf') assigned(node, scope);
}

function positional(words: Value, scope: Scope): void {
  words.forEach((word, at) => scope.assign(String(at + 1), [word]));
  scope.assign('@', words);
  scope.assign('*', words);
}

function aliases(node: Node<'Command'>, scope: Scope): void {
  for (const arg of node.args) {
    const [word] = readArgument(arg, { scope, reading: 0 });
    const match = word && /^([^=]+)=([\s\S]*)$/.exec(word.text);
    if (match) scope.alias(match[1]!, match[2]!);
  }
}

/** `printf -v x rm`, `read x <<< rm`. */
function assigned(node: Node<'Command'>, scope: Scope): void {
  const words = node.args.flatMap(arg => readArgument(arg, { scope, reading: 0 }));
  const at = words.findIndex(({ text }) => text === '-v');
  if (node.name?.value === 'printf' && at >= 0 && words[at + 2])
    scope.assign(words[at + 1]?.text ?? '', [
      {
        ...words[at + 2]!,
        text: words
          .slice(at + 2)
          .map(w => w.text)
          .join('')
          .replace(/%[sbq]/g, ''),
      },
    ]);
  const here = node.redirects.find(one => one.type === 'HereString');
  if (node.name?.value !== 'read' || here?.type !== 'HereString' || !here.target) return;
  const value = readWord(here.target, { scope, reading: 0 });
  for (const { text } of words) if (!text.startsWith('-')) scope.assign(text, joined(value));
}
