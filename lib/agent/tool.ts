/**
 * What the engine knows of tools: what a model is told of one, what a call of it would do, and how it is run. Where tools
 * come from (built in, engines by reflection, MCP servers), the engine does not see.
 */
import type { Tool as WireTool, WireValue } from '../ai/wire.ts';
import type { Classification } from '../permissions/types.ts';
import type { Tier } from '../permissions/tier.ts';

/** Arguments of a call, as JSON has them. They come from a model: hostile until a tool has checked them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What a call would do, told before anything of it is done. */
export interface Preview {
  /** Told to the policy: a line of shell with its parts, or the words that say what the tool gets, as a path or an address. */
  readonly subject:
    | { readonly kind: 'shell'; readonly line: Classification }
    | { readonly kind: 'words'; readonly words: readonly string[]; readonly tier: Tier };
  /** One line for people: `edited src/a.ts`. */
  readonly header: string;
  /** Markdown for people; absent where the header says all. */
  readonly body?: string;
  /** Unified diff with true line numbers; absent where nothing of a file changes. */
  readonly diff?: string;
  /** Why the call will fail as things are now; absent where it should succeed. */
  readonly trouble?: string;
  /**
   * What the preview was made from, a hash. A call is not run where a new preview has another one: what a person has said
   * yes to is what is done. Absent: nothing to compare.
   */
  readonly basis?: string;
}

/** What a call came to; goes to the model. */
export interface Outcome {
  /** Text for the model; at most `OUTCOME_MAX` bytes, with its middle left out and told where it was longer. */
  readonly content: string;
  readonly structured?: WireValue;
  /** Whether the model is to take it as a failure. */
  readonly isError: boolean;
  /** Of tool results that the service reads again, as those of discoveries; kept as they are. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Markdown for people, where it differs from what the model gets. */
  readonly shown?: string;
}

/** Bytes of a result that a model is given: beyond this one call would fill what its context has. */
export const OUTCOME_MAX = 64 * 1024;

/** What a call has of its surroundings while it runs. */
export interface CallContext {
  /** The call's id, as the model gave it. */
  readonly id: string;
  /** Aborted: the call ends as soon as it can, with everything it has started. */
  readonly signal: AbortSignal;
  /** Output as it comes, for people to watch: hostile text. */
  progress(text: string): void;
}

/** One tool. */
export interface Tool {
  /** Name, description, schema and annotations, as the service gets them. */
  readonly wire: WireTool;
  /** Whether it changes nothing: such calls may run beside each other. */
  readonly isReadOnly: boolean;
  /** Does nothing but look. Throws CodedError `usage` for arguments that it cannot take: the model is told. */
  preview(args: Arguments, context: CallContext): Promise<Preview>;
  /**
   * Runs a call that was allowed. Everything that goes wrong is an outcome; what is thrown besides is a defect.
   *
   * @param preview what was shown when it was allowed
   */
  run(args: Arguments, preview: Preview, context: CallContext): Promise<Outcome>;
}

/** The tools of one conversation. */
export interface ToolBox {
  /** In the order in which models are told of them. */
  list(): readonly Tool[];
  /** By the name that a model calls; undefined: there is none. */
  find(name: string): Tool | undefined;
}
