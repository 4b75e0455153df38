/**
 * Commands that outlive a server: what they wait for goes on in the next one.
 */
import { connectServer } from '../client/connect.ts';
import { tryConnect } from '../client/daemon-process.ts';
import { CodedError } from '../base/errors.ts';
import { handshake, type AppContext } from './context.ts';
import { runRemote, ServerLost, type RemoteOptions } from './remote.ts';

/** An exchanged server is back in a second; one that has died is started after this, as attached terminals do. */
const OWN_START_MS = 1000;
/** Nobody comes any more: programs that nobody holds have ended by then. */
const GIVE_UP_MS = 10_000;
const LOOK_MS = 100;

/** Runs what `words` gives, and again in the next server wherever one is lost. Throws CodedError. */
export async function runAgain(
  context: AppContext,
  words: () => Promise<readonly string[]> | readonly string[],
  options: RemoteOptions = {},
): Promise<number> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await runRemote(context, await words(), options);
    } catch (error) {
      const isGone = error instanceof CodedError && error.code === 'no_server' && !isFirst;
      if (!(error instanceof ServerLost) && !isGone) throw error;
      await nextServer(context);
    }
  }
}

/** Resolves once a server runs; started here where programs wait for one. Throws CodedError. */
async function nextServer(context: AppContext): Promise<void> {
  const { place, paths, serverName } = context;
  const start = Date.now();
  for (;;) {
    const socket = await tryConnect(place.socket);
    socket?.destroy();
    if (socket) return;
    const waited = Date.now() - start;
    const host = waited > OWN_START_MS ? await tryConnect(paths.hostSocket) : undefined;
    host?.destroy();
    if (host) {
      const { peer } = await connectServer(place, handshake(context, [0, 0]), true);
      return peer.end();
    }
    if (waited > (host === undefined && waited > OWN_START_MS ? 2 * OWN_START_MS : GIVE_UP_MS))
      throw new CodedError('no_server', `server ${serverName}: it has ended`, place.remedy());
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }
}

/** Writes to stdout; resolves when it has been taken. */
export function writeOut(data: string | Uint8Array): Promise<void> {
  return new Promise(resolve => void process.stdout.write(data, () => resolve()));
}
