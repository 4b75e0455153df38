/**
 * `mux list`, and `mux list --watch`, which goes on until it is interrupted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from '../cmd/args.ts';
import { findCommand } from '../cmd/registry.ts';
import type { AppContext } from './context.ts';
import { remoteCommand } from './local.ts';
import { runRemote } from './remote.ts';

/** Between two looks: a person sees changes at once, and fifty sessions are listed in some milliseconds. */
const WATCH_MS = 1000;

/** Runs `mux list WORDS`. Resolves with the exit status. Throws CodedError. */
export async function listCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(findCommand('list'), words);
  if (!args.has('watch') || args.has('help')) return remoteCommand(context, ['list', ...words]);
  const isScreen = process.stdout.isTTY && context.json === 'off';
  const once = ['list', ...words.filter(word => word !== '--watch')];
  let before: string | undefined;
  for (;;) {
    let text = '';
    const write = (stream: 'out' | 'err', piece: string): void => {
      if (stream === 'out') text += piece;
      else process.stderr.write(piece);
    };
    const status = await runRemote(context, once, { write });
    if (text !== before || status !== 0) {
      // Home and erase to the end (ECMA-48 CUP, ED): the rows take the place of those before.
      process.stdout.write(isScreen ? `\x1b[H\x1b[2J${text}` : text);
      before = text;
    }
    if (status !== 0) return status;
    await pause(WATCH_MS);
  }
}
