/** An answer as it is shown: text as it comes, one JSON document, or a line of JSON for every event. */
import { visible } from '../../base/visible.ts';
import type { Message, ModelUsage, StreamEvent } from '../../ai/wire.ts';

export const OUTPUTS = ['text', 'json', 'stream-json'] as const;
export type OutputKind = (typeof OUTPUTS)[number];

/** Where an answer goes. */
export interface Output {
  /** Takes an event. */
  event(event: StreamEvent): void;
  /** The answer is whole. */
  end(chat: string): void;
}

/** What is known once a stream has ended. */
interface Whole {
  message?: Message;
  stop?: string;
}

export function outputOf(kind: OutputKind, write: (text: string) => void, isTerminal: boolean): Output {
  const whole: Whole = {};
  const keep = (event: StreamEvent): void => {
    if (event.generated_message) whole.message = event.generated_message;
    if (event.stop_reason) whole.stop = event.stop_reason;
  };
  const line = (value: object): void => write(`${JSON.stringify(value)}\n`);
  if (kind === 'json') return { event: keep, end: chat => line(document(chat, whole)) };
  if (kind === 'stream-json')
    return {
      event: event => {
        keep(event);
        const { text, thought, tool_call } = event.block ?? {};
        if (text !== undefined) line({ type: 'text', text });
        else if (thought !== undefined) line({ type: 'thought', text: thought });
        else if (tool_call) line({ type: 'tool_call', id: tool_call.id, name: tool_call.name });
        else if (event.model_usage) line({ type: 'usage', usage: usageJson(event.model_usage) });
      },
      end: chat => line({ type: 'done', ...document(chat, whole) }),
    };
  return textOutput(write, isTerminal, keep, whole);
}

/** What a person is told where an answer is not what was asked for. */
const ENDINGS: Readonly<Record<string, string>> = {
  STOP_REASON_MAX_TOKENS: 'the answer is cut: the model may write no more at once',
  STOP_REASON_REFUSAL: 'the model declined to answer',
  STOP_REASON_PAUSE_TURN: 'the model paused in the middle of its answer',
};

function textOutput(
  write: (text: string) => void,
  isTerminal: boolean,
  keep: (event: StreamEvent) => void,
  whole: Whole,
): Output {
  // A model's words act on no terminal; in a pipe they are data.
  const safe = (text: string): string => (isTerminal ? text.replace(/[^\n\t]+/g, visible) : text);
  let last = '\n';
  return {
    event: event => {
      keep(event);
      const text = event.block?.text;
      if (!text) return;
      write(safe(text));
      last = text.at(-1)!;
    },
    end: () => {
      if (last !== '\n') write('\n');
      const told = ENDINGS[whole.stop ?? ''];
      if (told) console.error(`mux: ask: ${told}`);
    },
  };
}

function document(chat: string, { message, stop }: Whole): object {
  const text = (message?.blocks ?? []).map(block => block.text ?? '').join('');
  return {
    chat,
    model: message?.model ?? '',
    text,
    stop_reason: (stop ?? '').replace('STOP_REASON_', '').toLowerCase(),
    usage: message?.model_usage ? usageJson(message.model_usage) : null,
    price: message?.price ?? 0,
  };
}

/** Quantities by the names of the wire. */
function usageJson({ model: _, ...classes }: ModelUsage): object {
  return Object.fromEntries(Object.entries(classes).map(([name, one]) => [name, one?.quantity ?? 0]));
}
