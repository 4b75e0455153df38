/**
 * A server that is loaded while another one still runs, and follows it.
 */
import { tryConnect } from '../client/daemon-process.ts';

/** Word behind `server run` for one that is to follow the server that runs now. */
export const NEXT = '--next';

/**
 * Says that this one is ready, and resolves when the server behind `socket` has ended. It closes a connection that says
 * nothing in the end: then this one finds it running, and ends.
 */
export async function endOfRunning(socket: string): Promise<void> {
  const running = await tryConnect(socket);
  process.stdout.write('ready\n');
  if (!running) return;
  running.resume();
  running.on('error', () => undefined);
  await new Promise(resolve => running.once('close', resolve));
}
