/**
 * Output that does not end needs a shell that takes it.
 */
import { CodedError } from '../base/errors.ts';
import type { StreamPort } from './drive-port.ts';
import type { CommandContext } from './spec.ts';

/** Throws CodedError where the command came from a key or a prompt. */
export function streamOf(context: CommandContext, name: string): StreamPort {
  if (context.stream) return context.stream;
  throw new CodedError('usage', `${name}: it writes without an end`, `run 'mux ${name}' in a shell`);
}
