/** Sockets that a killed process has left. */
import { lstatSync, rmSync } from 'node:fs';
import { tryConnect } from '../../client/daemon-process.ts';
import { CodedError } from '../../base/errors.ts';

/** Removes a socket that nobody listens on. Throws CodedError where somebody does, or where it is no socket. */
export async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket())
    throw new CodedError('refused', `${path}: it is there, and no socket`, 'choose another path');
  const socket = await tryConnect(path);
  socket?.destroy();
  if (socket)
    throw new CodedError('refused', `${path}: somebody listens there already`, 'choose another path');
  rmSync(path);
}
