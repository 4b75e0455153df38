/**
 * `mux version`, by itself: scripts ask for it often, and nothing else is needed for it.
 */
import { CodedError } from '../base/errors.ts';
import { PROTOCOL_VERSION } from '../wire/messages.ts';
import { muxVersion, type AppContext } from './context.ts';

/** Prints the version. Throws CodedError for words behind it. */
export function versionCommand(context: AppContext, words: readonly string[] = []): number {
  if (words[0] !== undefined) throw new CodedError('usage', `version: unexpected '${words[0]}'`);
  const version = muxVersion();
  console.log(
    context.json === 'off'
      ? `mux ${version}`
      : JSON.stringify({ version, protocol: PROTOCOL_VERSION, node: process.versions.node }),
  );
  return 0;
}
