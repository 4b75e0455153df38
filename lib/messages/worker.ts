/**
 * The thread that keeps messages and tasks. Calls that have come meanwhile are carried out together: one sync of the disk
 * serves all of them.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Keeper, type Asked } from './keeper.ts';
import type { FromThread } from './link.ts';

/** Calls in one transaction: some ms of work, and far more than callers that wait for their answers have open. */
const BATCH_MAX = 512;

const port = parentPort!;
const send = (message: FromThread): void => port.postMessage(message);
const keeper = new Keeper(
  workerData as string,
  () => Date.now(),
  text => send({ type: 'report', text }),
);

let told = '';
port.on('message', (first: readonly Asked[]) => {
  const batch = [...first];
  while (batch.length < BATCH_MAX) {
    const more = receiveMessageOnPort(port) as { message: readonly Asked[] } | undefined;
    if (!more) break;
    batch.push(...more.message);
  }
  const outcomes = keeper.run(batch).map(outcome => {
    if (!('error' in outcome)) return outcome;
    const { code, message, hint } = outcome.error;
    return { id: outcome.id, error: { code, message, hint } };
  });
  if (keeper.trouble !== told) send({ type: 'trouble', text: (told = keeper.trouble) });
  send({ type: 'outcomes', outcomes });
});
