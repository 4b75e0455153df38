/**
 * What the classifier speaks of: words, commands, the tables about tools, and what it finds.
 */
import type { Tier } from './tier.ts';

/** Stands in the text of a word for every part that only the running shell knows. NUL: no line that is looked at has one. */
export const UNKNOWN = '\0';

/** One word of a command after the shell has taken the quotes away. */
export interface Arg {
  /** With UNKNOWN for what is not known. */
  readonly text: string;
  /** It has an unquoted pattern, so it may become any names, and any number of words. */
  readonly isGlob: boolean;
  /** It is written with an expansion, even where its text is known. */
  readonly isDynamic: boolean;
  /** Names of the commands whose output is in it. */
  readonly sources: readonly string[];
  /** What a process substitution gives to read, where that can be told. */
  readonly output?: string | undefined;
}

/** Where a command's standard input comes from. */
export interface Input {
  readonly kind: 'inherited' | 'pipe' | 'text' | 'file';
  /** What can be read from it, where that can be told; parts may be UNKNOWN. */
  readonly text?: string | undefined;
  /** Names of the commands that write it. */
  readonly sources: readonly string[];
}

/** A simple command. */
export interface Call {
  /** Without the folder it is in. */
  readonly name: string;
  readonly args: readonly Arg[];
  readonly input: Input;
}

/** What rules of tools tell, and what they have looked into. */
export interface Judge {
  /** The command may do this. */
  note(tier: Tier, why: string): void;
  /** It runs another command, these words. */
  run(words: readonly Arg[], input?: Input): void;
  /** It runs shell text; UNKNOWN in it makes it elevated, or destructive where it comes from the network or a decoder. */
  code(text: string, sources?: readonly string[]): void;
  /** It writes or removes this file. */
  write(file: Arg): void;
  /** It runs this file as a program or script. */
  execute(file: Arg): void;
  /** It sets a variable of the environment. */
  environment(name: string, value: Arg): void;
  /** The variables that shell text run from here sees as $1, $2 …. */
  positional(words: readonly Arg[]): void;
}

/** Tells a judge what the words of a call come to. */
export type Check = (use: Use, judge: Judge) => void;

/** Options (blank-separated) that raise the tier, and why. */
export type Flag = readonly [options: string, tier: Tier, why: string];

/** What is known about a program, or about one of its subcommands. */
export interface Tool {
  /** Without any of what follows. */
  readonly tier: Tier;
  readonly why: string;
  /** Options that take their value from the next word, blank-separated. Those of a subcommand add to its tool's. */
  readonly values?: string;
  /** `words`: an option is a whole word even with one dash, as find and terraform have it. */
  readonly style?: 'letters' | 'words';
  readonly flags?: readonly Flag[];
  /** Options with which nothing happens: then it only reads. */
  readonly dry?: string;
  /** Subcommands by name; several words ('remote add') where the next ones decide. */
  readonly subs?: Readonly<Record<string, Tool>>;
  /** Verbs among the operands, the first that matches one of them counts; for tools with too many subcommands to list. */
  readonly verbs?: readonly (readonly [pattern: RegExp, tier: Tier, why: string])[];
  /** Operands that are written: all, the last, or from the second on. */
  readonly writes?: 'all' | 'last' | 'rest';
  /** Options whose value is a file that is written, blank-separated. */
  readonly outputs?: string;
  /** Options whose value is shell text that is run. */
  readonly codes?: string;
  /** Its words are a command or code: `--help` at their end may be meant for something else. */
  readonly runsWords?: boolean;
  /** What options and operands cannot say. */
  readonly check?: Check;
}

/** A tool's call with its words sorted. */
export interface Use {
  readonly call: Call;
  readonly options: readonly Option[];
  /** Without the subcommand's own words. */
  readonly operands: readonly Arg[];
}

/** An option as it stands in a command. */
export interface Option {
  /** With its dashes. */
  readonly name: string;
  readonly value: Arg | undefined;
}

/** Why a line has a tier. */
export interface Reason {
  readonly tier: Tier;
  readonly why: string;
  /** The piece of the line that it is about. */
  readonly part: string;
}

/** A simple command of a line, however deep inside it. */
export interface Part {
  readonly text: string;
  /** After quote removal; UNKNOWN in words that are not known. */
  readonly argv: readonly string[];
  readonly tier: Tier;
  /** Every word stands in the line as it is: no expansion, no pattern. Only such a part can be allowed beforehand. */
  readonly isExact: boolean;
}

/** What a line may do at most. */
export interface Classification {
  readonly cmd: string;
  readonly tier: Tier;
  /** The most dangerous first. */
  readonly reasons: readonly Reason[];
  readonly parts: readonly Part[];
  /** False where something in it could not be looked into: then no rule may allow it beforehand. */
  readonly isUnderstood: boolean;
  /** It writes a file by a redirection. */
  readonly redirects: boolean;
}
