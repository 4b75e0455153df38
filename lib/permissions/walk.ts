/**
 * Goes through everything a script may run, in every branch and body, and every file it redirects to. Conditions are
 * not looked at: what may run counts as run.
 */
import { forEachChild, type Command, type Redirect, type SyntaxNode } from 'unbash';
import type { Tier } from './tier.ts';
import { hasResidue } from './residue.ts';
import { commandNames, hereText, outputOf, type Reader } from './output.ts';
import type { Input } from './types.ts';

/** Takes what is found. */
export interface Sink {
  readonly read: Reader;
  command(node: Command, input: Input, text: string): void;
  redirect(node: Redirect, text: string): void;
  note(tier: Tier, why: string, text: string): void;
  /** The parser and this file do not agree on what there is. */
  notUnderstood(why: string, text: string): void;
  /** Text whose substitutions bash runs although it is quoted. */
  evaluated(text: string): void;
}

/** Nodes of one script that are looked at: a hundred times what people write, and some 50 ms. */
const NODES_MAX = 20_000;

interface Place {
  readonly budget: { left: number };
  readonly source: string;
  readonly input: Input;
}

const INHERITED: Input = { kind: 'inherited', sources: [] };

/** Nodes that hold words, in which substitutions could be missed. */
const WORDS = new Set(['Word', 'Assignment', 'ArithmeticCommand', 'HereDocBody']);

/** Every kind of node there is in the pinned version of the parser. What is not here is not understood. */
const KINDS = new Set(
  `Script Statement CompoundList CaseItem Elif Command If For ArithmeticFor Select While Subshell BraceGroup Case
  TestCommand ArithmeticCommand Redirected Function Coproc Pipeline Time Negation AndOr Word Literal Glob SingleQuoted
  DoubleQuoted AnsiCQuoted LocaleString SimpleExpansion ParameterExpansion CommandExpansion ArithmeticExpansion
  ProcessSubstitution ExtendedGlob BraceExpansion Assignment ArrayValue Redirect HereString HereDoc FileDescriptor
  FileDescriptorVariable HereDocDelimiter HereDocBody ArithmeticBinary ArithmeticUnary ArithmeticTernary ArithmeticGroup
  ArithmeticWord ArithmeticCommandExpansion TestUnary TestBinary TestLogical TestNot TestGroup Default Remove Replace
  Slice CaseModification Transform Names Unknown`.split(/\s+/),
);

/** Operators of `[[` whose operands bash takes for arithmetic, array subscripts with it. */
const ARITHMETIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R']);

/** Walks a script that was parsed from `source`. */
export function walk(script: SyntaxNode, source: string, sink: Sink, input: Input = INHERITED): void {
  visit(script, { source, input, budget: { left: NODES_MAX } }, sink);
}

function visit(node: SyntaxNode, place: Place, sink: Sink): void {
  if (--place.budget.left < 0) {
    if (place.budget.left === -1) sink.notUnderstood('too long to be read', place.source);
    return;
  }
  if (!KINDS.has(node.type)) return sink.notUnderstood(`unknown syntax ${node.type}`, textOf(node, place));
  // A here-document whose delimiter is quoted is text, whatever stands in it.
  if (node.type === 'HereDoc' && node.delimiter?.quoted) return;
  if (WORDS.has(node.type)) checkWord(node, place, sink);
  LOOKS[node.type]?.(node, place, sink);
  const inner = placeInside(node, place, sink);
  if (node.type === 'Pipeline') return visitPipeline(node, inner, sink);
  forEachChild(node, child => visit(child, inner, sink));
}

function textOf(node: SyntaxNode, { source }: Place): string {
  return source.slice(node.pos, node.end);
}

function placeInside(node: SyntaxNode, place: Place, sink: Sink): Place {
  // Escaped backticks are parsed from a text of their own.
  if (node.type === 'Script' && node.source !== undefined) return { ...place, source: node.source };
  if (node.type === 'Redirected') return { ...place, input: inputOf(node, place.input, sink) };
  return place;
}

function visitPipeline(node: Extract<SyntaxNode, { type: 'Pipeline' }>, place: Place, sink: Sink): void {
  let { input } = place;
  const names: string[] = [];
  node.commands.forEach((command, at) => {
    visit(command, { ...place, input }, sink);
    names.push(...commandNames(command));
    const before = { ...node, commands: node.commands.slice(0, at + 1) };
    input = { kind: 'pipe', text: outputOf(before, sink.read), sources: names };
  });
}

/** What a command reads: its own redirections come before what it is given. */
function inputOf(node: SyntaxNode, input: Input, sink: Sink): Input {
  const text = hereText(node, sink.read);
  if (text !== undefined) return { kind: 'text', text, sources: [] };
  const redirects = 'redirects' in node ? node.redirects : [];
  const file = redirects.findLast(one => one.type === 'Redirect' && one.operator === '<');
  if (file?.type !== 'Redirect' || !file.target) return input;
  const [word] = sink.read(file.target);
  return { kind: word?.sources.length ? 'pipe' : 'file', text: word?.output, sources: word?.sources ?? [] };
}

function checkWord(node: SyntaxNode, place: Place, sink: Sink): void {
  if (hasResidue(node, place.source))
    sink.notUnderstood('a substitution that the parser does not see', textOf(node, place));
}

type Look = (node: never, place: Place, sink: Sink) => void;

/** What is looked at beyond a node's children. */
const LOOKS: Readonly<Record<string, (node: SyntaxNode, place: Place, sink: Sink) => void>> = {
  Script: look((node: Extract<SyntaxNode, { type: 'Script' }>, place, sink) => {
    const error = node.errors?.[0];
    if (error) sink.notUnderstood(`does not parse: ${error.message}`, textOf(node, place));
  }),
  Command: look((node: Command, place, sink) =>
    sink.command(node, inputOf(node, place.input, sink), textOf(node, place)),
  ),
  Redirect: look((node: Redirect, place, sink) => sink.redirect(node, textOf(node, place))),
  CommandExpansion: look(hasScript),
  ProcessSubstitution: look(hasScript),
  ArithmeticCommandExpansion: look(hasScript),
  TestBinary: look((node: Extract<SyntaxNode, { type: 'TestBinary' }>, _, sink) => {
    if (!ARITHMETIC_TESTS.has(node.operator)) return;
    for (const word of [node.left, node.right]) sink.evaluated(sink.read(word)[0]?.text ?? '');
  }),
  TestUnary: look((node: Extract<SyntaxNode, { type: 'TestUnary' }>, _, sink) => {
    if (ARITHMETIC_TESTS.has(node.operator)) sink.evaluated(sink.read(node.operand)[0]?.text ?? '');
  }),
  ArithmeticWord: look((node: Extract<SyntaxNode, { type: 'ArithmeticWord' }>, _, sink) =>
    sink.evaluated(node.value.replace(/\$\([^)]*\)/g, '')),
  ),
  Function: look((node: Extract<SyntaxNode, { type: 'Function' }>, place, sink) => {
    if (isBomb(node))
      sink.note('destructive', 'a function that starts itself again and again', textOf(node, place));
  }),
  While: look((node: Extract<SyntaxNode, { type: 'While' }>, place, sink) => {
    if (isEndless(node.clause) && startsJobs(node.body))
      sink.note('destructive', 'starts processes without end', textOf(node, place));
  }),
  ArithmeticFor: look((node: Extract<SyntaxNode, { type: 'ArithmeticFor' }>, place, sink) => {
    if (!node.test && startsJobs(node.body))
      sink.note('destructive', 'starts processes without end', textOf(node, place));
  }),
};

function look<N>(
  check: (node: N, place: Place, sink: Sink) => void,
): (node: SyntaxNode, place: Place, sink: Sink) => void {
  return check as Look as (node: SyntaxNode, place: Place, sink: Sink) => void;
}

function hasScript(
  node: { readonly script: object | undefined } & SyntaxNode,
  place: Place,
  sink: Sink,
): void {
  if (node.script === undefined) sink.notUnderstood('a substitution without a script', textOf(node, place));
}

/** `true`, `:` and the like; `until false`. */
function isEndless(clause: SyntaxNode): boolean {
  const list = commandNames(clause);
  return (
    (list.length === 1 && ['true', ':', 'false', '/bin/true', '['].includes(list[0]!)) || list.length === 0
  );
}

function startsJobs(body: SyntaxNode): boolean {
  let found = false;
  const search = (node: SyntaxNode): void => {
    if (node.type === 'Statement' && node.background) found = true;
    if (!found) forEachChild(node, search);
  };
  search(body);
  return found;
}

function isBomb(node: Extract<SyntaxNode, { type: 'Function' }>): boolean {
  if (!commandNames(node.body).includes(node.name.value)) return false;
  let isPiped = startsJobs(node.body);
  const search = (one: SyntaxNode): void => {
    if (one.type === 'Pipeline' && one.commands.length > 1) isPiped = true;
    if (!isPiped) forEachChild(one, search);
  };
  search(node.body);
  return isPiped;
}
