/** An answer as it is shown: text as it comes, one JSON document, or a line of JSON for every event. */
import { visible } from '../../base/visible.ts';
import type { PictureFile } from './chat-text.ts';
import { MarkdownOutput, type MarkdownScreen } from './markdown-output.ts';
import type { CallView } from '../../agent/events.ts';
import type { Message, ModelUsage, StreamEvent } from '../../ai/wire.ts';

export const OUTPUTS = ['text', 'json', 'stream-json'] as const;
export type OutputKind = (typeof OUTPUTS)[number];

/** Where an answer goes. */
export interface Output {
  /** Takes an event. */
  event(event: StreamEvent): void;
  /** The answer is whole; its pictures are files. */
  end(chat: string, file: PictureFile): void;
  /** What becomes of a call. */
  call?(call: CallView): void;
  /** What calls came to so far. */
  readonly calls?: readonly object[];
  /** It ends in the middle: what came is shown, and what follows begins a line. */
  stop(): void;
}

/** What is known once a stream has ended. */
interface Whole {
  message?: Message;
  stop?: string;
}

/** Where text goes. */
export interface Sink {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** For Markdown as it is meant; absent: as it was written. */
  readonly screen?: MarkdownScreen | undefined;
}

/** @param before what calls of earlier answers came to: for the document */
export function outputOf(kind: OutputKind, sink: Sink, before: readonly object[] = []): Output {
  const { write } = sink;
  const whole: Whole = {};
  const keep = (event: StreamEvent): void => {
    if (event.generated_message) whole.message = event.generated_message;
    if (event.stop_reason) whole.stop = event.stop_reason;
  };
  const line = (value: object): void => write(`${JSON.stringify(value)}\n`);
  const calls: { readonly id: string }[] = [];
  if (kind === 'json')
    return {
      calls,
      event: keep,
      call: call => {
        const known = calls.findIndex(({ id }) => id === call.id);
        const now = { ...resultJson(call), arguments: call.args };
        if (known < 0) calls.push(now);
        else calls[known] = now;
      },
      end: (chat, file) => line({ ...document(chat, whole, file), tool_calls: [...before, ...calls] }),
      stop: () => undefined,
    };
  if (kind === 'stream-json')
    return {
      event: event => {
        keep(event);
        const { text, thought } = event.block ?? {};
        if (text !== undefined) line({ type: 'text', text });
        else if (thought !== undefined) line({ type: 'thought', text: thought });
        else if (event.model_usage) line({ type: 'usage', usage: usageJson(event.model_usage) });
      },
      call: call => {
        if (call.state === 'complete')
          line({ type: 'tool_call', id: call.id, name: call.name, arguments: call.args });
        if (call.state === 'done') line({ type: 'tool_result', ...resultJson(call) });
      },
      end: (chat, file) => line({ type: 'done', ...document(chat, whole, file) }),
      stop: () => undefined,
    };
  return sink.screen ? markdownOutput(sink.screen, keep, whole) : textOutput(sink, keep, whole);
}

/** What a person is told where an answer is not what was asked for. */
const ENDINGS: Readonly<Record<string, string>> = {
  STOP_REASON_MAX_TOKENS: 'the answer is cut: the model may write no more at once',
  STOP_REASON_REFUSAL: 'the model declined to answer',
  STOP_REASON_PAUSE_TURN: 'the model paused in the middle of its answer',
};

function tellEnding({ stop = '' }: Whole): void {
  const told = ENDINGS[stop];
  if (told) console.error(`mux: ask: ${told}`);
}

function markdownOutput(screen: MarkdownScreen, keep: (event: StreamEvent) => void, whole: Whole): Output {
  const markdown = new MarkdownOutput(screen);
  return {
    event: event => {
      keep(event);
      const { text, thought } = event.block ?? {};
      if (text) markdown.add(text);
      else if (thought !== undefined) markdown.think();
    },
    end: (_, file) => {
      markdown.end();
      for (const name of pictures(whole, file)) screen.write(`picture: ${visible(name)}\n`);
      tellEnding(whole);
    },
    stop: () => markdown.end(),
  };
}

function textOutput({ write, isTerminal }: Sink, keep: (event: StreamEvent) => void, whole: Whole): Output {
  // A model's words act on no terminal; in a pipe they are data.
  const safe = (text: string): string => (isTerminal ? text.replace(/[^\n\t]+/g, visible) : text);
  let last = '\n';
  const endLine = (): void => void (last === '\n' || write('\n'));
  return {
    event: event => {
      keep(event);
      const text = event.block?.text;
      if (!text) return;
      write(safe(text));
      last = text.at(-1)!;
    },
    end: (_, file) => {
      endLine();
      for (const name of pictures(whole, file)) write(`picture: ${safe(name)}\n`);
      tellEnding(whole);
    },
    stop: endLine,
  };
}

/** Where the pictures of an answer are: files, or addresses. */
function pictures({ message }: Whole, file: PictureFile): string[] {
  const blocks = message?.blocks ?? [];
  return blocks
    .flatMap(({ image }, at) => (image ? [file(message!, at) || image.url || ''] : []))
    .filter(Boolean);
}

function document(chat: string, whole: Whole, file: PictureFile): object {
  const { message, stop } = whole;
  const text = (message?.blocks ?? []).map(block => block.text ?? '').join('');
  return {
    chat,
    model: message?.model ?? '',
    text,
    pictures: pictures(whole, file),
    stop_reason: (stop ?? '').replace('STOP_REASON_', '').toLowerCase(),
    usage: message?.model_usage ? usageJson(message.model_usage) : null,
    price: message?.price ?? 0,
  };
}

/** A call with what it came to. */
interface ResultJson {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly is_error: boolean;
}

function resultJson({ id, name, outcome }: CallView): ResultJson {
  return { id, name, content: outcome?.content ?? '', is_error: outcome?.isError ?? false };
}

/** Quantities by the names of the wire. */
function usageJson({ model: _, ...classes }: ModelUsage): object {
  return Object.fromEntries(Object.entries(classes).map(([name, one]) => [name, one?.quantity ?? 0]));
}
