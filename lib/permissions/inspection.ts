/**
 * One line being looked into: what is found is gathered here, and text that turns out to be run is looked into as well.
 */
import { parse, type Command, type Redirect, type SyntaxNode } from 'unbash';
import { applyTool } from './apply.ts';
import { baseName, isUnknown, literal } from './args.ts';
import { judgeAssignmentWord, judgeVariable } from './environment.ts';
import { normalPath, pathTier, show } from './paths.ts';
import { gather } from './gather.ts';
import { Scope } from './scope.ts';
import { TOOLS } from './tables/all.ts';
import { isShell } from './tables/shells.ts';
import { hides, isTooNested, LINE_MAX, unreadTier } from './text-check.ts';
import { higher, TIERS, type Tier } from './tier.ts';
import {
  UNKNOWN,
  type Arg,
  type Classification,
  type Input,
  type Judge,
  type Part,
  type Reason,
} from './types.ts';
import { walk, type Sink } from './walk.ts';
import { readArgument, readWord, type Reading } from './words.ts';
import { disagreement } from './witness.ts';

/** Text within text within text: nobody needs more. */
const DEPTH_MAX = 12;
/** Commands looked into for one line, those of guesses among them: some 20 ms. */
const COMMANDS_MAX = 10_000;
/** Characters of text that is run by text, all together. */
const CODE_MAX = 4 * LINE_MAX;
/** Reasons and parts kept; the tier is right without the others. */
const REASONS_MAX = 100;
const PARTS_MAX = 500;
/** Longest piece of a line shown as a part of it. */
const TEXT_MAX = 400;
/** Values of variables tried, one after the other. */
const READINGS_MAX = 8;

/** Programs that bring text from elsewhere, or make it out of what cannot be read. */
const FOREIGN = new Set(
  `curl wget fetch aria2c http https nc ncat netcat socat telnet ftp sftp scp ssh rsync dig nslookup host base64 base32 basenc xxd od
  openssl gunzip zcat bzcat xzcat zstdcat unzip gzip bzip2 xz uudecode rev tr sed awk gawk perl python python3 ruby node php
  xargs gpg age jq yq cut`.split(/\s+/),
);

/** Whether text that this command prints is from elsewhere; of a command nobody knows it may be. */
function isForeignName(name: string): boolean {
  return name === UNKNOWN || FOREIGN.has(name);
}

/** Folders whose programs are those of the system. */
const SYSTEM_FOLDERS = /^(?:\/usr(?:\/local)?|\/opt\/homebrew|\/opt\/local)?\/s?bin\/[^/]+$/;

export class Inspection {
  readonly #cmd: string;
  readonly #scope = new Scope();
  readonly #reasons: Reason[] = [];
  readonly #parts: Part[] = [];
  #tier: Tier = 'passthrough';
  #isUnderstood = true;
  #redirects = false;
  /** It redirects to a host of the network. */
  #connects = false;
  #commands = 0;
  #codeLength = 0;
  #depth = 0;
  /** Within a guess: what it finds counts, but it is no part of the line. */
  #guesses = 0;

  constructor(cmd: string) {
    this.#cmd = cmd;
  }

  /** Looks into the whole line. */
  run(): Classification {
    const cmd = this.#cmd;
    if (cmd.length > LINE_MAX) this.#notUnderstood('too long to be read', cmd);
    else {
      const hidden = hides(cmd);
      if (hidden) this.#notUnderstood(hidden, cmd);
      this.#script(cmd, undefined);
      if (!hidden) this.#askWitness();
      if (this.#connects && this.#parts.some(part => isShell(literal(part.argv[0] ?? ''))))
        this.#note('destructive', 'gives a shell to the network', cmd);
    }
    const order = (tier: Tier): number => TIERS.indexOf(tier);
    return {
      cmd,
      tier: this.#tier,
      reasons: this.#reasons.toSorted((a, b) => order(b.tier) - order(a.tier)),
      parts: this.#parts,
      isUnderstood: this.#isUnderstood,
      redirects: this.#redirects,
    };
  }

  #askWitness(): void {
    // What is elevated is asked about in any case.
    const matters = this.#isUnderstood && TIERS.indexOf(this.#tier) < TIERS.indexOf('elevated');
    const why = matters ? disagreement(this.#cmd) : undefined;
    if (why) this.#notUnderstood(why, this.#cmd);
  }

  #script(text: string, input: Input | undefined): void {
    const source = text.replaceAll(UNKNOWN, '${_}');
    const script = isTooNested(source) ? undefined : parsed(source);
    if (!script) return this.#notUnderstood('nested too deep to be read', source);
    try {
      gather(script, this.#scope, READINGS_MAX);
      walk(script, source, this.#sink(), input);
    } catch (error) {
      // Words are read when they are looked at, by a parser that calls itself for each level.
      if (!(error instanceof RangeError)) throw error;
      this.#notUnderstood('nested too deep to be read', source);
    }
  }

  #sink(): Sink {
    const plain: Reading = { scope: this.#scope, reading: undefined };
    return {
      read: word => readWord(word, plain),
      command: (node, input, text) => this.#simple(node, input, text),
      redirect: (node, text) => this.#redirect(node, text),
      note: (tier, why, text) => this.#note(tier, why, text),
      notUnderstood: (why, text) => this.#notUnderstood(why, text),
      evaluated: text => {
        if (/\$\(|`/.test(text)) this.#code(text, [], text);
      },
    };
  }

  #note(tier: Tier, why: string, text: string): void {
    this.#tier = higher(this.#tier, tier);
    if (tier === 'passthrough' || this.#reasons.length >= REASONS_MAX) return;
    const part = cut(show(text));
    if (!this.#reasons.some(one => one.tier === tier && one.why === why && one.part === part))
      this.#reasons.push({ tier, why, part });
  }

  #notUnderstood(why: string, text: string): void {
    this.#isUnderstood = false;
    this.#note(unreadTier(text), why, text);
  }

  #redirect({ operator, target, descriptor }: Redirect, text: string): void {
    if (!target || operator === '<' || (descriptor?.type === 'FileDescriptorVariable' && operator === '<&'))
      return;
    const words = readWord(target, { scope: this.#scope, reading: undefined });
    // A descriptor's number, or `-` to close it.
    if (operator.endsWith('&') && words.every(word => /^(?:\d+-?|-)$/.test(word.text))) return;
    if (operator === '<&') return;
    for (const word of words) {
      const { tier, why } = pathTier(word);
      if (tier !== 'passthrough') this.#redirects = true;
      if (/^\/dev\/(?:tcp|udp)\//.test(word.text)) this.#connects = true;
      this.#scope.wrote(word.text);
      this.#note(tier, why, text);
    }
    for (const word of this.#guessed(target)) this.#note(pathTier(word).tier, pathTier(word).why, text);
  }

  /** Paths that variables of the line give a word. */
  #guessed(word: Parameters<typeof readWord>[0]): Arg[] {
    if (!word.parts) return [];
    const count = Math.min(READINGS_MAX, this.#scope.readings);
    return Array.from({ length: count }, (_, reading) => readWord(word, { scope: this.#scope, reading }))
      .flat()
      .filter(arg => !isUnknown(arg) && arg.text !== '');
  }

  #simple(node: Command, input: Input, text: string): void {
    const words = this.#words(node, undefined);
    for (const one of node.prefix)
      if (one.type === 'Assignment') this.#assignment(one, node.name !== undefined, text);
    if (words.length === 0) return;
    if (isCutAssignment(node)) this.#cutAssignment(words, input, text);
    this.#command(words, input, text);
    if (!words.some(word => word.isDynamic)) return;
    const count = Math.max(1, Math.min(READINGS_MAX, this.#scope.readings));
    this.#guesses++;
    for (let reading = 0; reading < count; reading++) {
      const guess = this.#words(node, reading);
      if (guess.length > 0) this.#command(guess, input, text);
    }
    this.#guesses--;
  }

  /** The command is behind what the parser takes for it. */
  #cutAssignment([value, ...words]: readonly Arg[], input: Input, text: string): void {
    this.#notUnderstood('a value that the parser takes for a command', text);
    if (value?.output !== undefined) this.#code(value.output, value.sources, text);
    this.#command(words, input, text);
  }

  #words(node: Command, reading: number | undefined): Arg[] {
    const how = { scope: this.#scope, reading };
    return [...(node.name ? [node.name] : []), ...node.args].flatMap(arg => readArgument(arg, how));
  }

  /** `x=1` alone sets a variable of this shell; before a command it is given to that. */
  #assignment(node: Extract<SyntaxNode, { type: 'Assignment' }>, isPrefix: boolean, text: string): void {
    if (node.value.type !== 'Word') return;
    const [value = literal('')] = readWord(node.value, { scope: this.#scope, reading: undefined });
    // Of variables of the shell itself only some are heard of by programs, but those are exported already.
    if (isPrefix || !/^IFS$/.test(node.name)) judgeVariable(node.name, value, this.#judge(text));
  }

  /** One reading of a simple command. */
  #command(words: readonly Arg[], input: Input, text: string): void {
    if (++this.#commands > COMMANDS_MAX) return this.#notUnderstood('more commands than anybody reads', text);
    const [first, ...args] = words;
    if (!first) return;
    const before = this.#tier;
    this.#tier = 'passthrough';
    this.#named(first, args, input, text);
    if (this.#guesses === 0) this.#addPart(words, text, this.#tier);
    this.#tier = higher(before, this.#tier);
  }

  #addPart(words: readonly Arg[], text: string, tier: Tier): void {
    if (this.#parts.length >= PARTS_MAX) {
      this.#isUnderstood = false;
      return;
    }
    const isExact = words.every(word => !word.isDynamic && !word.isGlob);
    this.#parts.push({ text: cut(show(text)), argv: words.map(word => word.text), tier, isExact });
  }

  #named(first: Arg, args: readonly Arg[], input: Input, text: string): void {
    const judge = this.#judge(text);
    if (isUnknown(first)) {
      if (this.#guesses === 0) this.#unknownName(first, args, text);
      return;
    }
    const alias = this.#scope.aliasOf(first.text);
    if (alias !== undefined && this.#depth < DEPTH_MAX) this.#aliased(alias, args, input, text);
    const name = baseName(first.text);
    if (name === '') return;
    if (first.text.includes('/')) this.#path(first, text);
    const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : toolByPattern(name);
    if (tool && asksHelp(args) && !tool.runsWords) return judge.note('passthrough', 'asks for help');
    if (tool) return applyTool(tool, { name, args, input }, judge);
    if (this.#scope.isFunction(name)) return;
    if (asksHelp(args)) return judge.note('passthrough', 'asks for help');
    judge.note('write', `${show(name)} is not known`);
  }

  #unknownName(first: Arg, args: readonly Arg[], text: string): void {
    const looksLikeRemoval = args.some(({ text: word }) =>
      /^-[a-zA-Z]*[rRf][a-zA-Z]*$|^--(?:force|rec)/.test(word),
    );
    const isForeign = first.sources.some(isForeignName);
    const isBad =
      looksLikeRemoval ||
      isForeign ||
      /IFS/.test(text) ||
      this.#scope.valuesOf('IFS').length > 0 ||
      /^\/s?bin\/r/.test(first.text);
    this.#note(isBad ? 'destructive' : 'elevated', 'which program it runs is known only when it runs', text);
  }

  #aliased(alias: string, args: readonly Arg[], input: Input, text: string): void {
    this.#depth++;
    this.#guesses++;
    const words = alias.trim().split(/\s+/).map(literal);
    this.#command([...words, ...args], input, text);
    this.#guesses--;
    this.#depth--;
  }

  /** A program by its path: what was written on this line is run unseen; what is not the system's may be anything. */
  #path(program: Arg, text: string): void {
    if (this.#scope.hasWritten(program.text))
      return this.#note('destructive', 'runs a file that this line writes', text);
    if (!SYSTEM_FOLDERS.test(normalPath(program.text))) this.#note('write', 'a program of its own', text);
  }

  /** A command that another one runs; assignments before it count, though few wrappers take them. */
  #inner(words: readonly Arg[], input: Input, text: string): void {
    if (this.#depth >= DEPTH_MAX) return this.#notUnderstood('wrapped too deep to be read', text);
    const from = words.findIndex(word => !judgeAssignmentWord(word, this.#judge(text)));
    if (from < 0) return;
    const command = words.slice(from);
    this.#depth++;
    this.#command(command, input, this.#guesses > 0 ? text : command.map(word => word.text).join(' '));
    this.#depth--;
  }

  #code(text: string, sources: readonly string[], part: string): void {
    const isUnseen = text.includes(UNKNOWN);
    const isForeign = sources.some(isForeignName);
    if (isUnseen)
      this.#note(isForeign ? 'destructive' : 'elevated', 'runs text that is known only when it runs', part);
    this.#codeLength += text.length;
    if (this.#depth >= DEPTH_MAX || this.#codeLength > CODE_MAX)
      return this.#notUnderstood('text within text: too deep to be read', part);
    const hidden = hides(text.replaceAll(UNKNOWN, ''));
    if (hidden) this.#notUnderstood(hidden, text);
    this.#depth++;
    this.#script(text, undefined);
    this.#depth--;
  }

  #judge(text: string): Judge {
    return {
      note: (tier, why) => this.#note(tier, why, text),
      run: (words, input = { kind: 'inherited', sources: [] }) => this.#inner(words, input, text),
      code: (code, sources = []) => this.#code(code, sources, text),
      write: file => {
        const { tier, why } = pathTier(file);
        this.#scope.wrote(file.text);
        this.#note(tier, why, text);
      },
      execute: file => {
        if (this.#scope.hasWritten(file.text))
          this.#note('destructive', 'runs a file that this line writes', text);
      },
      environment: (name, value) => judgeVariable(name, value, this.#judge(text)),
      positional: words => {
        words.forEach((word, at) => this.#scope.assign(String(at + 1), [word]));
        this.#scope.assign('@', words);
        this.#scope.assign('*', words);
      },
    };
  }
}

/** `x=<(a) b`: the parser has the assignment end before `<(`, and b for a word of a command `<(a)`. */
function isCutAssignment({ prefix, name }: Command): boolean {
  const last = prefix.at(-1);
  return name !== undefined && last?.type === 'Assignment' && last.end === name.pos;
}

/** The tree of a text; undefined where the parser's own stack does not hold it. */
function parsed(source: string): SyntaxNode | undefined {
  try {
    return parse(source);
  } catch {
    return undefined;
  }
}

/** `--help` or `--version` as the last of at most two words. */
function asksHelp(args: readonly Arg[]): boolean {
  return args.length <= 2 && /^--(?:help|version)$/.test(args.at(-1)?.text ?? '');
}

/** Names that belong to a family: mkfs.ext4, python3.12. */
function toolByPattern(name: string): (typeof TOOLS)[string] | undefined {
  const family = FAMILIES.find(([pattern]) => pattern.test(name))?.[1];
  return family === undefined ? undefined : TOOLS[family];
}

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^mkfs\b|^mke2fs|^newfs/, 'mkfs'],
  [/^fsck\b/, 'fsck'],
  [/^python[\d.]+$|^pypy[\d.]*$/, 'python'],
  [/^pip[\d.]+$/, 'pip'],
  [/^(?:ruby|perl|php|lua|node|nodejs)[\d.]+$/, 'interpreter'],
  [/^(?:bash|sh|zsh|ksh)-?[\d.]+$/, 'sh'],
  [/^(?:gcc|g\+\+|clang|clang\+\+|cpp)-[\d.]+$/, 'gcc'],
];

function cut(text: string): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`;
}
