/**
 * What an agent wants to do and waits for a person's word about.
 */
import type { Event } from '../base/event.ts';
import type { SessionId } from '../model/types.ts';

/** What is asked, as the agent's hook tells it. Texts are the agent's: nothing of them is safe to print as it is. */
export interface Wish {
  /** Name of the tool, as the agent calls it. */
  readonly tool: string;
  /** The command line, file or address, where the tool gets nothing else that matters; else its whole input as JSON. */
  readonly command: string;
  /** Unified diff of what would change in files, null where nothing is known to. */
  readonly diff: string | null;
}

/** A wish that waits. */
export interface Approval extends Wish {
  readonly id: string;
  readonly session: SessionId;
  /** How dangerous it is; null where nobody judges that. */
  readonly tier: string | null;
  /** Why it is asked about. */
  readonly reasons: readonly string[];
  readonly createdAt: number;
}

/** A person's word, or what their rules say. */
export type Verdict =
  /** `always`: for the same tool with the same command or file in this session. */
  | { readonly type: 'allow'; readonly always: boolean; readonly byRule?: true }
  | { readonly type: 'deny'; readonly reason: string; readonly byRule?: true };

/** What became of an approval. `left`: nobody waits for a verdict any more, since the agent asks by itself or is gone. */
export interface ApprovalEvent {
  readonly type: 'asked' | 'allowed' | 'denied' | 'left';
  readonly approval: Approval;
  /** Of a denial, '' for none. */
  readonly reason: string;
  /** An allowance for this session, or by one. */
  readonly always: boolean;
}

/** All that waits, and the one way to answer it. */
export interface ApprovalsPort {
  /** The oldest first. */
  all(): readonly Approval[];
  /** Gives the verdict for one, by its id or the beginning of just one. Throws CodedError `not_found`, `ambiguous`. */
  decide(id: string, verdict: Verdict): Approval;
  /** The one to show for a session, undefined for none. `fresh`: not one that was put off. */
  of(session: string, which?: { readonly fresh: boolean }): Approval | undefined;
  /** A person has seen it and wants to decide later. */
  putOff(id: string): void;
  readonly onChange: Event<ApprovalEvent>;
}
