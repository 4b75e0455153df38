/** The database of chats without a service before it: what it keeps, what it repairs, and what it says when it cannot. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { status } from '@grpc/grpc-js';
import { ServiceError } from '../../../lib/ai/service-error.ts';
import { openChatStore, type ChatStore } from '../../../lib/ai/store/chat-store.ts';
import type { ListRequest, Message } from '../../../lib/ai/wire.ts';
import { CodedError } from '../../../lib/base/errors.ts';
import { CONTRACT } from '../../support/ai/foreign-client.ts';

const USER = 'organizations/o/users/u';
const PID = 4711;
/** What filters are made of, and what must not be taken for it. */
const PIECES = [
  ...`title labels price create_time labels. "a_b" 'c' "x/y" 5 né 2026-01-01T00:00:00Z AND OR NOT`.split(' '),
  ...'= != : < >= ( ) * - . " \\'.split(' '),
  ' ',
];
const user = (text: string): Message => ({ role: 'ROLE_USER', blocks: [{ text }] });

let dir: string;
let store: ChatStore;
let now: number;

function open(isRunning: (pid: number) => boolean = () => false): ChatStore {
  return openChatStore({ path: join(dir, 'chats.sqlite'), contract: CONTRACT, now: () => now, isRunning });
}

test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'mux-chats-'));
  now = Date.parse('2026-01-01T00:00:00Z');
  store = open();
});
test.after.each(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

function titles(request: ListRequest): (string | undefined)[] {
  return store.chats.list({ parent: USER, ...request }).chats.map(({ title }) => title);
}

test('inputs whose process has ended get a status at opening, and those of one that runs are left', () => {
  const chat = store.chats.create(USER, 'c', {});
  store.messages.add(chat, 'answered', user('a'));
  store.messages.add(chat, 'left', user('b'), PID);
  store.messages.add(chat, 'waits', user('c'), PID + 1);
  store.close();
  store = open(pid => pid === PID + 1);
  const again = store.chats.get(`${USER}/chats/c`);
  const { messages } = store.messages.list(again, {}).object();
  assert.equal(
    messages.map(message => message.status?.code),
    [undefined, status.ABORTED, undefined],
  );
  const told = store.messages.history(again).map(({ name }) => name?.split('/').at(-1));
  assert.equal(told, ['answered', 'waits']);
  assert.equal(
    store.messages.open().map(row => row.open),
    [PID + 1],
  );
});

test('a field is asked for by whether it is set', () => {
  store.chats.create(USER, 'a', { title: 'one', labels: { k: 'v' } });
  store.chats.create(USER, 'b', {});
  store.chats.setDeleted(store.chats.create(USER, 'c', { title: 'gone' }), true);
  assert.equal(titles({ filter: 'title:*' }), ['one']);
  assert.equal(titles({ filter: 'NOT title:*' }), ['']);
  assert.equal(titles({ filter: 'delete_time:*', show_deleted: true }), ['gone']);
  assert.equal(titles({ filter: 'labels.k:*' }), ['one']);
  assert.equal(titles({ filter: '-labels:k' }), ['']);
});

test('texts of a filter are values, whatever stands in them', () => {
  const title = `o'no "%_\\ -- ; DROP TABLE chats`;
  store.chats.create(USER, 'a', { title });
  store.chats.create(USER, 'b', { title: 'other' });
  const quoted = `"${title.replace(/["\\]/g, '\\$&')}"`;
  assert.equal(titles({ filter: `title = ${quoted}` }), [title]);
  assert.equal(titles({ filter: 'title:"%_"' }), [title]);
  assert.equal(titles({ filter: 'title:"_ther"' }), []);
});

test('any filter is run or refused by its name, never more', () => {
  const chat = store.chats.create(USER, 'a', { title: 'one' });
  store.messages.add(chat, 'm', user('words of it'));
  const piece = fc.constantFrom(...PIECES);
  const filter = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map(all => all.join(' ')),
    fc.array(piece, { maxLength: 12 }).map(all => all.join('')),
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
  const run = (list: () => unknown): void => {
    try {
      list();
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === status.INVALID_ARGUMENT, String(error));
    }
  };
  fc.assert(
    fc.property(filter, text => {
      run(() => store.chats.list({ parent: USER, filter: text }));
      run(() => store.messages.list(chat, { filter: text }));
    }),
    { numRuns: 400 },
  );
});

test('pages of any size and order hold every chat once', () => {
  for (let i = 0; i < 23; i++) {
    now += i % 3;
    const row = store.chats.create(USER, `c${i}`, { title: `t${i % 4}` });
    store.chats.touch(row, i % 5);
  }
  const column = fc.constantFrom('create_time', 'update_time', 'title', 'name', 'price');
  const part = fc.tuple(column, fc.constantFrom('', ' desc', ' ASC')).map(([name, how]) => name + how);
  const order = fc.array(part, { maxLength: 3 }).map(parts => parts.join(', '));
  fc.assert(
    fc.property(order, fc.integer({ min: 1, max: 9 }), (order_by, page_size) => {
      const whole = store.chats.list({ parent: USER, order_by }).chats.map(({ name }) => name);
      const found: (string | undefined)[] = [];
      for (let page_token = ''; ;) {
        const page = store.chats.list({ parent: USER, order_by, page_size, page_token });
        found.push(...page.chats.map(({ name }) => name));
        page_token = page.next_page_token;
        if (page_token === '') break;
      }
      assert.equal(found, whole);
      assert.is(new Set(found).size, 23);
    }),
    { numRuns: 60 },
  );
});

test('a token that was made up is refused', () => {
  for (const page_token of [
    'x',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('[1,2]').toString('base64url'),
  ])
    assert.throws(
      () => store.chats.list({ parent: USER, page_token }),
      (error: unknown) => error instanceof ServiceError && error.code === status.INVALID_ARGUMENT,
    );
});

test('a page of long messages ends before it is too long for the wire, and the next goes on', () => {
  const chat = store.chats.create(USER, 'c', {});
  for (let i = 0; i < 5; i++) store.messages.add(chat, `m${i}`, user('x'.repeat(6 * 1024 * 1024)));
  const first = store.messages.list(chat, {}).object();
  assert.is(first.messages.length, 2);
  const rest = store.messages.list(chat, { page_token: first.next_page_token }).object();
  assert.is(rest.messages[0]!.name, `${USER}/chats/c/messages/m2`);
});

test('the database is for its owner alone', () => {
  assert.is(statSync(join(dir, 'chats.sqlite')).mode & 0o077, 0);
});

test('two processes write the same database', () => {
  const other = open();
  store.chats.create(USER, 'a', { title: 'one' });
  other.chats.create(USER, 'b', { title: 'two' });
  assert.equal(titles({ order_by: 'title' }), ['one', 'two']);
  other.close();
});

test('a file that is no database is put aside or told of, never written over in silence', () => {
  store.close();
  for (const end of ['-wal', '-shm']) rmSync(join(dir, `chats.sqlite${end}`), { force: true });
  writeFileSync(join(dir, 'chats.sqlite'), 'not a database, and longer than a header of one is'.repeat(100));
  try {
    store = open();
    assert.ok(store.reports.length > 0);
  } catch (error) {
    assert.ok(error instanceof CodedError, String(error));
    rmSync(join(dir, 'chats.sqlite'));
    store = open();
  }
});

test.run();
