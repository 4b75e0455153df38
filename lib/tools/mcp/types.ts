/** What the parts of the MCP client speak of. MCP: modelcontextprotocol.io/specification. */
import type { Config } from '../../config/load.ts';
import type { JsonObject } from '../../ai/provider.ts';

/** One entry of `mcp_servers`. */
export type McpEntry = Config['mcp_servers'][number];

/** How far a server has come. `idle`: it was not needed yet. */
export type McpStatus = 'idle' | 'starting' | 'ready' | 'failed' | 'closed';

/** A server as people are told of it. */
export interface McpState {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  readonly status: McpStatus;
  /** Names as models call them. */
  readonly tools: readonly string[];
  /** Names that the server itself gave. */
  readonly prompts: readonly string[];
  readonly resources: readonly string[];
  /** Why it failed, one line; '' where it did not. */
  readonly error: string;
  /** What of its lists was left out or renamed, and why; one line each. */
  readonly problems: readonly string[];
}

/** What a server asks the person for in the middle of a call. Every text in it is the server's: hostile. */
export interface Elicitation {
  readonly server: string;
  /** At most `ELICITATION_TEXT_MAX` characters. */
  readonly message: string;
  /** JSON Schema of a flat object (MCP, elicitation: primitive properties only). */
  readonly schema: JsonObject;
}

/** What the person says. `decline` is a no; `cancel` is no answer. */
export type ElicitationAnswer =
  | {
      readonly action: 'accept';
      readonly content: Readonly<Record<string, string | number | boolean | string[]>>;
    }
  | { readonly action: 'decline' | 'cancel' };

/** The person, as servers can reach them. */
export interface McpPort {
  /** Rejects or ends when the signal is aborted: the call that asked is over. */
  elicit(request: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
}

/** Characters of a question: longer ones are no questions. */
export const ELICITATION_TEXT_MAX = 4000;
