import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerPeer } from '../../lib/client/connect.ts';
import { Reconnection } from '../../lib/client/reconnection.ts';

const test = suite('reconnection');
const PEER = {} as ServerPeer;

/** A server that comes at the `count`th try: whether it might be started, at each of them. */
async function tries(count: number, isExpected: boolean): Promise<boolean[]> {
  const started: boolean[] = [];
  const reconnection = new Reconnection(start => {
    started.push(start);
    return started.length < count ? Promise.reject(new Error('none is running')) : Promise.resolve(PEER);
  });
  assert.is(await reconnection.next(isExpected), PEER);
  return started;
}

test('a server that has died is replaced at the first try', async () => {
  assert.equal(await tries(1, false), [true]);
});

test('one that is on its way is waited for, and no other is started beside it', async () => {
  assert.equal(await tries(4, true), [false, false, false, false]);
});

test.run();
