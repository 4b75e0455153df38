/** Which chat each terminal used last, so that `--continue` and `--resume` find it again. */
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicSync } from '../../store/atomic.ts';
import type { AppContext } from '../context.ts';

const NAME = 'last-chats.json';
/** Terminals that are remembered, the newest: more than anybody has open. */
const KEEP = 200;

/** The terminal that this runs in: what MUX_CHAT says, the session of mux, the tty, or all that have none together. */
export function terminalOf({ env }: AppContext): string {
  if (env.MUX_CHAT) return `chat:${env.MUX_CHAT}`;
  if (env.MUX_SESSION) return `session:${env.MUX_SESSION}`;
  for (const fd of [0, 1, 2]) {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      if (/^\/dev\/(?:pts|tty)/.test(path)) return `tty:${path}`;
    } catch {
      // ENOENT: closed, or a system without /proc.
    }
  }
  return 'none';
}

/** The name of the chat that this terminal used last; undefined where it had none. */
export function lastChat(context: AppContext): string | undefined {
  return read(context)[terminalOf(context)];
}

export function rememberChat(context: AppContext, chat: string): void {
  const { [terminalOf(context)]: _, ...others } = read(context);
  const kept = Object.entries(others).slice(-(KEEP - 1));
  const text = JSON.stringify(Object.fromEntries([...kept, [terminalOf(context), chat]]));
  writeAtomicSync(path(context), text);
}

function path({ paths }: AppContext): string {
  return join(paths.data, NAME);
}

function read(context: AppContext): Record<string, string> {
  try {
    const value: unknown = JSON.parse(readFileSync(path(context), 'utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, string>) : {};
  } catch {
    // ENOENT: none yet; SyntaxError: only a convenience is lost.
    return {};
  }
}
