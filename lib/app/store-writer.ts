/**
 * Who writes a document: the session whose token the caller has, as the server confirms it. Without a server it is what
 * the environment says, and the commit says that it is no more than that.
 */
import { CodedError } from '../base/errors.ts';
import { PERSON, type Writer } from '../documents/message.ts';
import type { AppContext } from './context.ts';

/** What `show` tells of the caller's own session. */
interface Shown {
  readonly id: string;
  readonly name: string;
  readonly agent: string;
}

/** The writer, for a commit's trailers. Never fails: a document is worth more than the name of who wrote it. */
export async function writerOf(context: AppContext): Promise<Writer> {
  const { env, isInside } = context;
  if (!isInside || !env.MUX_SESSION) return PERSON;
  const agent = env.MUX_AGENT ?? '';
  const claimed = { session: '', sessionId: env.MUX_SESSION, agent, isProven: false };
  if (!env.MUX_TOKEN) return claimed;
  const shown = await ownSession(context);
  if (!shown) return claimed;
  return { session: shown.name, sessionId: shown.id, agent: agent && shown.agent, isProven: true };
}

/** The session whose token we have; without a target `show` is about that one, wherever it is shown. */
async function ownSession(context: AppContext): Promise<Shown | undefined> {
  let told = '';
  const write = (_stream: 'out' | 'err', text: string): void => void (told += text);
  try {
    const { runRemote } = await import('./remote.ts');
    const exit = await runRemote({ ...context, json: 'on' }, ['show'], { write, start: false });
    return exit === 0 ? (JSON.parse(told) as Shown) : undefined;
  } catch (error) {
    // No server, or one that refuses the token.
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}
