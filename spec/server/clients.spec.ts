import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Size } from '../../lib/base/geometry.ts';
import type { AttachedClient } from '../../lib/server/client/client.ts';
import { Clients } from '../../lib/server/clients.ts';

const test = suite('clients');

interface Given {
  readonly id: string;
  readonly size: Size;
  readonly isReadOnly?: boolean;
  readonly lastUsedAt?: number;
}

/** Clients that attach in this order. `left` fills with what the ones let go were told. */
function clientsOf(...given: readonly Given[]): { clients: Clients; all: AttachedClient[]; left: string[] } {
  const clients = new Clients();
  const left: string[] = [];
  const all = given.map(
    ({ id, size, isReadOnly = false, lastUsedAt = 0 }) =>
      ({
        id,
        tty: `/dev/${id}`,
        size,
        windowSize: size,
        isReadOnly,
        lastUsedAt,
        dispose: () => undefined,
      }) as AttachedClient,
  );
  for (const client of all) clients.add(client, ({ message }) => left.push(`${client.id} ${message}`));
  return { clients, all, left };
}

const WIDE = { id: 'wide', size: { cols: 200, rows: 20 }, lastUsedAt: 1 };
const HIGH = { id: 'high', size: { cols: 80, rows: 60 }, lastUsedAt: 2 };
const LOOKER = { id: 'looker', size: { cols: 10, rows: 5 }, isReadOnly: true, lastUsedAt: 3 };

test('a window has the size of the terminal last used, or the least or the most of all', () => {
  const { clients } = clientsOf(WIDE, HIGH);
  assert.equal(clients.size('latest'), HIGH.size);
  assert.ok(clients.use('wide'));
  assert.not(clients.use('wide'), 'it was the last already');
  assert.equal(clients.size('latest'), WIDE.size);
  assert.equal(clients.size('smallest'), { cols: 80, rows: 20 });
  assert.equal(clients.size('largest'), { cols: 200, rows: 60 });
  assert.is(new Clients().size('latest'), undefined);
});

test('who only looks does not decide, unless nobody else is there', () => {
  const { clients } = clientsOf(WIDE, LOOKER);
  for (const policy of ['latest', 'smallest', 'largest'] as const)
    assert.equal(clients.size(policy), WIDE.size, policy);
  assert.equal(clientsOf(LOOKER).clients.size('smallest'), LOOKER.size);
});

test('when the terminal last used goes, the one used before it takes its place', () => {
  const { clients, all } = clientsOf(WIDE, LOOKER, HIGH);
  assert.is(clients.latest, all[2]);
  assert.ok(clients.remove(all[2]!));
  assert.is(clients.latest, all[1]);
  assert.not(clients.remove(all[2]!), 'twice');
  assert.is(clients.count, 2);
});

test('some or all are let go, each with a word', () => {
  const { clients, left } = clientsOf(WIDE, HIGH, LOOKER);
  assert.is(clients.detach(['high', 'nobody'], 'bye'), 1);
  assert.is(clients.detach(undefined, 'end'), 3);
  assert.equal(left, ['high bye', 'wide end', 'high end', 'looker end']);
});

test('what is told of them', () => {
  assert.equal(clientsOf(HIGH).clients.info(5002), [
    { id: 'high', tty: '/dev/high', cols: 80, rows: 60, isReadOnly: false, idleSeconds: 5 },
  ]);
});

test.run();
