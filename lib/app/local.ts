/**
 * Carrying out the program's own commands, and the way to those of the server.
 */
import { CodedError } from '../base/errors.ts';
import { findCommand, resolveLine } from '../cmd/registry.ts';
import { parseArgs } from '../cmd/args.ts';
import { splitCommands } from '../cmd/parse.ts';
import type { AttachOptions } from './attach.ts';
import type { AppContext } from './context.ts';
import { ATTACH } from './own-commands.ts';
import { runRemote } from './remote.ts';
import { versionCommand } from './version.ts';

/** What `mux attach WORDS` asks for. Throws CodedError. */
export function parseAttach(words: readonly string[]): AttachOptions {
  const args = parseArgs(ATTACH, words);
  return { target: args.rest[0] ?? args.value('t') ?? '', readOnly: args.has('r'), exclusive: args.has('x') };
}

/** Runs a command of the server. Wrong usage, help and version are told without one. Throws CodedError. */
export async function remoteCommand(context: AppContext, words: readonly string[]): Promise<number> {
  let isJson = false;
  for (const line of splitCommands(words)) {
    const { spec, words: rest } = resolveLine(line);
    const args = parseArgs(spec, rest);
    if (args.has('help')) return (await import('./help.ts')).usageCommand(context, [spec.name]);
    if (args.has('version')) return versionCommand(context);
    isJson ||= args.has('json');
  }
  const sent = await withPipedBuffer(words);
  return runRemote(isJson ? { ...context, json: 'on' } : context, sent);
}

/** Bytes of a pipe that are taken: as a message of one frame (4 MiB) it may become half as long again. */
const MAX_PIPED = 2 * 1024 * 1024;

/** `load-buffer … -` with what comes through the pipe: the server cannot read it. Throws CodedError. */
async function withPipedBuffer(words: readonly string[]): Promise<readonly string[]> {
  const isPiped = words.at(-1) === '-' && findCommand(words[0] ?? '').name === 'load-buffer';
  if (!isPiped) return words;
  if (process.stdin.isTTY)
    throw new CodedError('usage', 'load-buffer -: nothing comes through a pipe', 'name a file');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_PIPED)
      throw new CodedError(
        'refused',
        `load-buffer -: more than ${MAX_PIPED} bytes`,
        'save it to a file first',
      );
    pieces.push(piece);
  }
  return ['set-buffer', ...words.slice(1, -1), '--', Buffer.concat(pieces).toString()];
}
