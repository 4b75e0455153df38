/**
 * Messages to other agents, and documents that they share: mux's own, for its own agents.
 */
import type { Preview, Tool } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import type { ToolMethods } from '../contract.ts';
import { code, fenced } from '../markdown.ts';
import { told } from '../outcome.ts';
import { protoTool } from '../proto-tool.ts';

/** A message in the inbox. */
export interface Mail {
  readonly id: string;
  readonly sender: string;
  readonly body: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** The mail of whoever runs this, as the server knows them. */
export interface Mailbox {
  /** Gives the id. Throws CodedError. */
  send(to: string, body: string, replyTo: string, signal: AbortSignal): Promise<string>;
  /** The oldest first; what is read counts as read. Throws CodedError. */
  read(all: boolean, signal: AbortSignal): Promise<readonly Mail[]>;
}

/** The documents of the project. All throw CodedError. */
export interface SharedDocuments {
  get(key: string, signal: AbortSignal): Promise<string>;
  list(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
  put(key: string, body: string, signal: AbortSignal): Promise<void>;
}

/** UTF-16 units of a message, and of a document. */
const MESSAGE_MAX = 64 * 1024;
const DOCUMENT_MAX = 1024 * 1024;

const wordsOf = (words: readonly string[], tier: 'read' | 'write'): Preview['subject'] => ({
  kind: 'words',
  words,
  tier,
});

function bounded(text: string, max: number, what: string): void {
  if (text === '') throw new CodedError('usage', `${what}: it is empty`);
  if (text.length > max) throw new CodedError('usage', `${what}: it is longer than ${max} characters`);
}

/** `send_message` and `read_messages`. */
export function mailTools(methods: ToolMethods, mailbox: Mailbox): Tool[] {
  interface SendArgs {
    readonly to: string;
    readonly body: string;
    readonly reply_to?: string;
  }
  const send = protoTool<SendArgs>(methods, 'SendMessage', {
    preview: async ({ to, body }) => {
      bounded(body, MESSAGE_MAX, 'send_message: argument body');
      bounded(to, 200, 'send_message: argument to');
      return { subject: wordsOf([to], 'write'), header: `message to ${code(to)}`, body: fenced(body) };
    },
    run: async ({ to, body, reply_to = '' }, _, { signal }) =>
      told(`sent as ${await mailbox.send(to, body, reply_to, signal)}`),
  });
  const read = protoTool<{ readonly all?: boolean }>(methods, 'ReadMessages', {
    preview: async () => ({ subject: wordsOf([], 'read'), header: 'read messages' }),
    run: async ({ all = false }, _, { signal }) => {
      const mails = await mailbox.read(all, signal);
      return told(mails.map(mailText).join('\n\n') || 'there are none');
    },
  });
  return [send, read];
}

function mailText({ id, sender, body, createdAt }: Mail): string {
  return `from ${sender} at ${createdAt} (id ${id}):\n${body
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n')}`;
}

/** `get_document`, `list_documents` and `put_document`. */
export function documentTools(methods: ToolMethods, documents: SharedDocuments): Tool[] {
  const get = protoTool<{ readonly key: string }>(methods, 'GetDocument', {
    preview: async ({ key }) => ({ subject: wordsOf([key], 'read'), header: `read document ${code(key)}` }),
    run: async ({ key }, _, { signal }) => told(await documents.get(key, signal)),
  });
  const list = protoTool<{ readonly prefix?: string }>(methods, 'ListDocuments', {
    preview: async () => ({ subject: wordsOf([], 'read'), header: 'listed documents' }),
    run: async ({ prefix = '' }, _, { signal }) =>
      told((await documents.list(prefix, signal)).join('\n') || 'there are none'),
  });
  const put = protoTool<{ readonly key: string; readonly body: string }>(methods, 'PutDocument', {
    preview: async ({ key, body }) => {
      bounded(body, DOCUMENT_MAX, 'put_document: argument body');
      return { subject: wordsOf([key], 'write'), header: `wrote document ${code(key)}`, body: fenced(body) };
    },
    run: async ({ key, body }, _, { signal }) => {
      await documents.put(key, body, signal);
      return told(`written: ${key}`);
    },
  });
  return [get, list, put];
}
