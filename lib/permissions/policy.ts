/**
 * Rules of what may run without asking, and what never: per tool, and for shell per simple command. Layers come from
 * the user, the project and the session; a layer that is not the person's own can only tighten, and so can whatever a child
 * session adds.
 */
import { baseName } from './args.ts';
import { higher, TIERS, type Tier } from './tier.ts';
import { UNKNOWN, type Classification, type Part } from './types.ts';

export const MODES = ['allow', 'ask', 'deny'] as const;

export type Mode = (typeof MODES)[number];

/** `{ tool: exec_shell, argv: [git, push], mode: deny }`. */
export interface Rule {
  /** `*` for every tool. */
  readonly tool: string;
  /** Words of the command; `*` stands for any characters in one of them. Absent: whatever its words are. */
  readonly argv?: readonly string[] | undefined;
  readonly mode: Mode;
}

/** Rules of one origin, the first that matches counts. */
export interface Layer {
  /** `user`, `project`, `session`: for explanations. */
  readonly name: string;
  readonly rules: readonly Rule[];
  /** It may allow what would be asked about. Not so for a project's files, which come with a repository, and for children. */
  readonly mayAllow: boolean;
}

/** What one piece of a call comes to. */
export interface Opinion {
  /** The piece of the line. */
  readonly part: string;
  readonly mode: Mode;
  /** `user rule 2: deny git push`, or why without a rule. */
  readonly why: string;
}

/** What is to be done with a call. */
export interface Decision {
  readonly mode: Mode;
  readonly tier: Tier;
  /** A yes is not enough: the word has to be typed. */
  readonly wantsWord: boolean;
  /** The piece and the rule that decided first. */
  readonly opinions: readonly Opinion[];
}

/** Highest tier that rules may allow beforehand: beyond it somebody looks at the line itself. */
const ALLOW_MAX: Tier = 'write';

/** The layers of a child: all of its parent's, and its own, which can only tighten. */
export function layersOfChild(parent: readonly Layer[], own: readonly Layer[]): Layer[] {
  return [...parent, ...own.map(layer => ({ ...layer, mayAllow: false }))];
}

/** What to do with a line of shell. `runsAlone`: the highest tier that needs no rule to run. */
export function decideShell(
  layers: readonly Layer[],
  tool: string,
  line: Classification,
  runsAlone: Tier = 'read',
): Decision {
  const free = TIERS.indexOf(line.tier) <= TIERS.indexOf(runsAlone) && line.isUnderstood;
  const parts = line.parts.length > 0 ? line.parts : [wholeLine(line)];
  const opinions = parts.map(part => opinionOf(layers, tool, part, free));
  const blocked = blockedBecause(line);
  if (blocked && !free) opinions.push({ part: line.reasons[0]?.part ?? line.cmd, mode: 'ask', why: blocked });
  return decision(opinions, line.tier);
}

/**
 * What to do with a call of another tool, by the words that say what it gets: paths, an address, arguments. Each of them is
 * judged by itself, so that a rule about one is found wherever it stands, and none is allowed by a rule about another. A rule
 * of several words that asks or denies is looked for in all of them.
 */
export function decideTool(
  layers: readonly Layer[],
  tool: string,
  words: readonly string[],
  tier: Tier,
  runsAlone: Tier = 'read',
): Decision {
  const free = TIERS.indexOf(tier) <= TIERS.indexOf(runsAlone);
  const partOf = (argv: readonly string[]): Part => ({
    text: [tool, ...argv].join(' '),
    argv,
    tier,
    isExact: true,
  });
  const pieces = words.length > 0 ? words.map(word => partOf([word])) : [partOf([])];
  const whole = layers.flatMap(layer => layerOpinion(strict(layer), tool, partOf(words)) ?? []);
  return decision([...pieces.map(part => opinionOf(layers, tool, part, free)), ...whole], tier);
}

/** A layer whose rules allow nothing; they keep their places, by which they are told. */
function strict(layer: Layer): Layer {
  const never: Rule = { tool: '', mode: 'allow' };
  return { ...layer, rules: layer.rules.map(rule => (rule.mode === 'allow' ? never : rule)) };
}

/** Why no rule may allow a line, though it may allow each of its commands. */
function blockedBecause(line: Classification): string | undefined {
  if (!line.isUnderstood) return 'a part of it cannot be looked into';
  if (higher(line.tier, ALLOW_MAX) !== ALLOW_MAX) return `it is ${line.tier}: that is asked about each time`;
  return line.redirects ? 'it writes a file by a redirection' : undefined;
}

function wholeLine({ cmd, tier, isUnderstood }: Classification): Part {
  return { text: cmd, argv: [], tier, isExact: isUnderstood };
}

function decision(opinions: readonly Opinion[], tier: Tier): Decision {
  const order = (mode: Mode): number => MODES.indexOf(mode);
  const sorted = opinions.toSorted((a, b) => order(b.mode) - order(a.mode));
  const mode = sorted[0]?.mode ?? 'allow';
  return { mode, tier, wantsWord: mode === 'ask' && tier === 'destructive', opinions: sorted };
}

function opinionOf(layers: readonly Layer[], tool: string, part: Part, isFree: boolean): Opinion {
  const given = layers.flatMap(layer => layerOpinion(layer, tool, part) ?? []);
  const strict = given.filter(one => one.mode !== 'allow');
  const hardest = strict.find(one => one.mode === 'deny') ?? strict[0];
  if (hardest) return hardest;
  // What does nothing needs no rule: `cd x && npm test` is about npm.
  const isNothing = part.tier === 'passthrough' && part.isExact;
  if (isFree || isNothing) return { part: part.text, mode: 'allow', why: `it is ${part.tier}` };
  return given[0] ?? { part: part.text, mode: 'ask', why: `it is ${part.tier}, and no rule allows it` };
}

function layerOpinion(layer: Layer, tool: string, part: Part): Opinion | undefined {
  for (const [at, rule] of layer.rules.entries()) {
    if (rule.tool !== '*' && rule.tool !== tool) continue;
    const match = matches(rule, part);
    if (match === 'no') continue;
    const mode = match === 'perhaps' ? 'ask' : rule.mode;
    if (mode === 'allow' && (!layer.mayAllow || !part.isExact)) continue;
    const words = rule.argv?.join(' ') ?? `all of ${rule.tool}`;
    const perhaps = match === 'perhaps' ? ', which it may come to when it runs' : '';
    return { part: part.text, mode, why: `${layer.name} rule ${at + 1}: ${rule.mode} ${words}${perhaps}` };
  }
  return undefined;
}

/**
 * An allowance names the words a command begins with. What is asked about or denied is found wherever options stand between:
 * `deny git push --force` is meant for `git -C x push origin --force` too. `perhaps`: words that are not known yet may
 * make it so.
 */
function matches({ argv, mode }: Rule, part: Part): 'yes' | 'no' | 'perhaps' {
  if (!argv || argv.length === 0) return 'yes';
  if (mode === 'allow') return argv.every((word, at) => isWord(word, part.argv[at])) ? 'yes' : 'no';
  const [name, ...rest] = argv;
  const [given = '', ...words] = part.argv;
  if (given.includes(UNKNOWN)) return 'perhaps';
  if (!isWord(name!, given) && !isWord(name!, baseName(given))) return 'no';
  let at = 0;
  for (const word of rest) {
    while (at < words.length && !isWord(word, words[at])) at++;
    if (at++ >= words.length)
      return words.some(one => one.includes(UNKNOWN)) || !part.isExact ? 'perhaps' : 'no';
  }
  return 'yes';
}

/**
 * Whether a word is what a pattern says; `*` is the only sign with a meaning. Matched without regular expressions, since
 * patterns come from repositories too.
 */
export function isWord(pattern: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  const pieces = pattern.split('*');
  if (pieces.length === 1) return pattern === word;
  const [first = '', ...rest] = pieces;
  const last = rest.pop() ?? '';
  if (!word.startsWith(first) || !word.endsWith(last) || word.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const piece of rest) {
    const found = word.indexOf(piece, at);
    if (found < 0 || found + piece.length > word.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}
