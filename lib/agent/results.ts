/** Outcomes of calls as the service keeps them, and what is said to a model in place of an outcome. */
import type { Block, Message, ToolCall, ToolResult } from '../ai/wire.ts';
import { OUTCOME_MAX, type Outcome, type Preview } from './tool.ts';

/** google.rpc.Code of a call that failed for a reason of its own: UNKNOWN. */
const FAILED = 2;
/** google.rpc.Code of a call that was not to run: PERMISSION_DENIED. */
const DENIED = 7;
/** What has been shown of a call, kept with it: a chat that is opened again shows what was approved. */
const SHOWN = 'sgpt.com/tool-call-metadata';

/** How a call ended. */
export interface Ended {
  readonly outcome: Outcome;
  /** It was not to run. */
  readonly isDenied: boolean;
  readonly preview: Preview | undefined;
}

/** A call that did not run, and why. */
export function refusal(why: string): Outcome {
  return { content: why, isError: true };
}

/** Said of calls that nobody ran before the turn was over. */
export const NEVER_RAN = refusal('interrupted: this call never ran');

/** A result as the model gets it. Text that is too long loses its middle: beginnings say what it is, ends how it went. */
export function resultOf(call: ToolCall, outcome: Outcome, isDenied = false): ToolResult {
  const { structured, isError, annotations } = outcome;
  const content = shortened(outcome.content);
  return {
    tool_name: call.name ?? '',
    tool_call_id: call.id ?? '',
    ...(structured ? { structured_content: structured } : isError ? {} : { content }),
    ...(isError ? { error: { code: isDenied ? DENIED : FAILED, message: content } } : {}),
    ...(annotations ? { annotations } : {}),
  };
}

/** All results of one answer, as the message that goes back. */
export function resultMessage(results: readonly ToolResult[]): Message {
  return { role: 'ROLE_TOOL', blocks: results.map(tool_result => ({ tool_result })) };
}

/** The blocks of an answer with what each call came to, and what was shown of it, beside it. */
export function withOutcomes(
  blocks: readonly Block[],
  ended: (index: number, call: ToolCall) => Ended | undefined,
): { readonly blocks: readonly Block[]; readonly results: readonly ToolResult[] } {
  const results: ToolResult[] = [];
  const done = blocks.map((block, at) => {
    const { tool_call: call } = block;
    const one = call && ended(block.index ?? at, call);
    if (!call || !one) return block;
    const result = call.result ?? resultOf(call, one.outcome, one.isDenied);
    results.push(result);
    const annotations = one.preview
      ? { ...call.annotations, [SHOWN]: JSON.stringify(metadataOf(one.preview)) }
      : (call.annotations ?? {});
    return { ...block, tool_call: { ...call, annotations, result } };
  });
  return { blocks: done, results };
}

function metadataOf({ header, diff }: Preview): object {
  return { display_message: { content: header }, ...(diff === undefined ? {} : { diff }) };
}

function shortened(text: string): string {
  if (text.length <= OUTCOME_MAX) return text;
  const half = OUTCOME_MAX / 2;
  // Not between the halves of a character.
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
