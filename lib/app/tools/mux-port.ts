/**
 * mux's own commands for the tools: each runs as a program of its own, with the identity of whoever runs this.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CodedError, type ErrorCode, ERRORS } from '../../base/errors.ts';
import type { Mail, Mailbox, SharedDocuments } from '../../tools/talk/talk-tools.ts';
import type { AppContext } from '../context.ts';

/** For one command, ms: they answer at once, but a server may be starting. */
const TIMEOUT_MS = 30_000;
/** Bytes of an answer: the largest document. */
const ANSWER_MAX = 16 * 1024 * 1024;

/** Runs a command and gives what it says as JSON. Throws CodedError as the command does. */
type RunMux = (words: readonly string[], signal: AbortSignal, input?: string) => Promise<string>;

/** Commands of the server and settings that are meant here. */
export function muxRunner({ env, cwd, serverName }: AppContext): RunMux {
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  return (words, signal, input = '') =>
    new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [main, '-L', serverName, ...words],
        { cwd, env: { ...env, MUX_AGENT_MODE: '1' }, signal, timeout: TIMEOUT_MS, maxBuffer: ANSWER_MAX },
        (error, stdout) => (error ? reject(failureOf(words, stdout)) : resolve(stdout)),
      );
      // EPIPE: it does not want it, and says why itself.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
}

/** The error as the command has told it. */
function failureOf(words: readonly string[], stdout: string): CodedError {
  try {
    const { error } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      readonly error: { readonly code: string; readonly message: string; readonly hint: string };
    };
    const code = Object.hasOwn(ERRORS, error.code) ? (error.code as ErrorCode) : 'failed';
    return new CodedError(code, error.message, error.hint || undefined);
  } catch {
    // It said nothing, or was ended.
    return new CodedError('failed', `mux ${words.slice(0, 2).join(' ')}: no answer`);
  }
}

/** The mail of whoever runs this. */
export function mailPort(run: RunMux): Mailbox {
  return {
    async send(to, body, replyTo, signal) {
      const reply = replyTo ? ['--reply-to', replyTo] : [];
      const sent = JSON.parse(await run(['msg', 'send', to, ...reply, '-f', '-'], signal, body)) as {
        readonly id: string;
      };
      return sent.id;
    },
    async read(all, signal) {
      const text = await run(['msg', 'inbox', '--ack', ...(all ? ['--all'] : [])], signal);
      return text.split('\n').filter(Boolean).map(mailOf);
    },
  };
}

function mailOf(line: string): Mail {
  const { id, sender_name, body, created_at } = JSON.parse(line) as Record<string, string>;
  return { id: id ?? '', sender: sender_name ?? '', body: body ?? '', createdAt: created_at ?? '' };
}

/** The documents of the project here. */
export function documentPort(run: RunMux): SharedDocuments {
  return {
    async get(key, signal) {
      const { body } = JSON.parse(await run(['store', 'get', '--json', '--', key], signal)) as {
        readonly body: string;
      };
      return body;
    },
    async list(prefix, signal) {
      const text = await run(['store', 'list', '--', ...(prefix ? [prefix] : [])], signal);
      const { documents } = JSON.parse(text) as { readonly documents: readonly { readonly key: string }[] };
      return documents.map(({ key }) => key);
    },
    async put(key, body, signal) {
      await run(['store', 'put', '-f', '-', '--', key], signal, body);
    },
  };
}
