/**
 * How a model's answer looks on the wire, in the three protocols that agents speak: Anthropic's Messages, OpenAI's
 * Responses and Chat Completions, each as server-sent events, with as much in them as agents insist on.
 */

/** What an agent has sent: who said what, in order. */
export interface Said {
  readonly role: 'user' | 'tool' | 'other';
  readonly text: string;
}

/** A tool that the agent shall run. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One protocol. Texts are those of whole events. */
export interface Format {
  /** What was said before, with the new words at the end. */
  said(body: Json): readonly Said[];
  /** Names of the tools that the agent offers. */
  tools(body: Json): readonly string[];
  /** The beginning of an answer in words, of pieces that follow, and its end. */
  begin(id: string): string;
  piece(id: string, text: string): string;
  end(id: string, text: string): string;
  /** A whole answer that calls a tool. */
  call(id: string, call: ToolCall): string;
}

/** A JSON object of which nothing is sure. */
export type Json = { readonly [key: string]: unknown };

/** A path of the server → what is spoken there. */
export function formatOf(path: string): Format | undefined {
  if (path.endsWith('/messages')) return MESSAGES;
  if (path.endsWith('/responses')) return RESPONSES;
  return path.endsWith('/chat/completions') ? CHAT : undefined;
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const named = (type: string, facts: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...facts })}\n\n`;
const plain = (facts: object): string => `data: ${JSON.stringify(facts)}\n\n`;

/** Text of a message's content: a string, or blocks of which those with text count. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map(block => (typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n');
}

const roleOf = (role: unknown): Said['role'] => (role === 'user' || role === 'tool' ? role : 'other');
const toolNames = (body: Json): readonly string[] =>
  list(body['tools']).map(tool => String(tool['name'] ?? (tool['function'] as Json | undefined)?.['name']));

const USAGE = { input_tokens: 10, output_tokens: 5 };
const messageStart = (id: string): string => {
  const message = { id, type: 'message', role: 'assistant', model: 'mock', content: [], usage: USAGE };
  return named('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } });
};
const messageEnd = (stop_reason: string): string =>
  named('content_block_stop', { index: 0 }) +
  named('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: USAGE }) +
  named('message_stop', {});

const MESSAGES: Format = {
  said: body =>
    list(body['messages']).flatMap(({ role, content }): Said[] => {
      const said: Said = { role: roleOf(role), text: textOf(content) };
      // A result, and in the same message what the person said after it.
      const hasResult = list(content).some(({ type }) => type === 'tool_result');
      return hasResult ? [{ role: 'tool', text: '' }, said] : [said];
    }),
  tools: toolNames,
  begin: id =>
    messageStart(id) + named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  piece: (_id, text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end: () => messageEnd('end_turn'),
  call: (id, { name, input }) => {
    const partial_json = JSON.stringify(input);
    const content_block = { type: 'tool_use', id: `toolu_${id}`, name, input: {} };
    return (
      messageStart(id) +
      named('content_block_start', { index: 0, content_block }) +
      named('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } }) +
      messageEnd('tool_use')
    );
  },
};

const answer = (id: string, status: string, output: readonly object[]): object => ({
  response: { id, object: 'response', model: 'mock', status, output, usage: { ...USAGE, total_tokens: 15 } },
});
const messageItem = (id: string, text: string): object => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const begun = (id: string, item: object): string =>
  named('response.created', answer(id, 'in_progress', [])) +
  named('response.output_item.added', { output_index: 0, item });
const completed = (id: string, item: object): string =>
  named('response.output_item.done', { output_index: 0, item }) +
  named('response.completed', answer(id, 'completed', [item]));

const RESPONSES: Format = {
  said: body =>
    list(body['input']).map(({ type, role, content }) => ({
      role: String(type).endsWith('_output') ? 'tool' : roleOf(role),
      text: textOf(content),
    })),
  tools: toolNames,
  begin: id => begun(id, { ...messageItem(id, ''), status: 'in_progress', content: [] }),
  piece: (id, delta) =>
    named('response.output_text.delta', {
      item_id: `msg_${id}`,
      output_index: 0,
      content_index: 0,
      delta,
    }),
  end: (id, text) => completed(id, messageItem(id, text)),
  call: (id, { name, input }) => {
    const facts = { id: `fc_${id}`, type: 'function_call', call_id: `call_${id}`, name, status: 'completed' };
    const item = { ...facts, arguments: JSON.stringify(input) };
    return begun(id, item) + completed(id, item);
  },
};

const chunk = (id: string, delta: object, finish_reason: string | null = null): string =>
  plain({
    id,
    object: 'chat.completion.chunk',
    model: 'mock',
    choices: [{ index: 0, delta, finish_reason }],
  });

const CHAT: Format = {
  said: body =>
    list(body['messages']).map(({ role, content }) => ({ role: roleOf(role), text: textOf(content) })),
  tools: toolNames,
  begin: id => chunk(id, { role: 'assistant', content: '' }),
  piece: (id, content) => chunk(id, { content }),
  end: id => chunk(id, {}, 'stop') + 'data: [DONE]\n\n',
  call: (id, { name, input }) => {
    const call = { name, arguments: JSON.stringify(input) };
    const tool_calls = [{ index: 0, id: `call_${id}`, type: 'function', function: call }];
    return (
      chunk(id, { role: 'assistant', content: null, tool_calls }) +
      chunk(id, {}, 'tool_calls') +
      'data: [DONE]\n\n'
    );
  },
};
