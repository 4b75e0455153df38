import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TaskActor } from '../../lib/messages/task-types.ts';
import { openMessages } from './support.ts';

const test = suite('tasks');
const actor = (id: string, more: Partial<TaskActor> = {}): TaskActor => ({
  id,
  name: id,
  isPerson: false,
  isChief: false,
  ...more,
});

test('a task that waits for another is given only when that is done', () => {
  const { calls } = openMessages();
  const add = (title: string, needs: string[] = []) =>
    calls.addTask({ scope: 's', title, needs, key: '', by: 'a' }).task;
  const first = add('first');
  const second = add('second', [first.id]);
  const next = (id: string) => calls.nextTask({ scope: 's', actor: actor(id), key: '' }).task;
  assert.is(next('a').id, first.id);
  assert.throws(() => next('b'), /nothing to take: 2 are not done/);
  const act = { scope: 's', id: first.id, note: undefined };
  assert.throws(() => calls.actOnTask({ ...act, actor: actor('b'), action: 'done' }), /a has it/);
  calls.actOnTask({ ...act, actor: actor('a'), action: 'done' });
  assert.is(next('b').id, second.id);
  assert.throws(() => add('third', ['td-99']), /no such task/);
});

test('of two who take tasks in any order no two ever have the same one', () => {
  const real = openMessages();
  const who = fc.constantFrom('a', 'b', 'c');
  const action = fc.constantFrom('claim', 'start', 'done', 'block', 'reopen', 'next', 'gone', 'add');
  fc.assert(
    fc.property(fc.array(fc.tuple(who, action, fc.nat(5)), { maxLength: 40 }), steps => {
      real.db.exec('DELETE FROM tasks');
      const owners = new Map<string, string>();
      for (const [id, what, at] of steps) {
        const all = real.calls.listTasks({ scope: 's', wanted: 'all' });
        const task = all[at % Math.max(1, all.length)];
        try {
          if (what === 'add')
            real.calls.addTask({
              scope: 's',
              title: 't',
              needs: task && at > 3 ? [task.id] : [],
              key: '',
              by: id,
            });
          else if (what === 'gone') real.calls.releaseTasks({ gone: [id] });
          else if (what === 'next') {
            const given = real.calls.nextTask({ scope: 's', actor: actor(id), key: '' }).task;
            assert.is(owners.get(given.id), undefined, 'it was free');
          } else if (task) {
            const { change } = real.calls.actOnTask({
              scope: 's',
              id: task.id,
              actor: actor(id),
              action: what,
              note: undefined,
            });
            const before = change?.before ?? id;
            assert.is(before, id, 'nobody acts on what another has');
          }
        } catch (error) {
          if ((error as Error).name !== 'CodedError') throw error;
        }
        owners.clear();
        for (const one of real.calls.listTasks({ scope: 's', wanted: 'open' }))
          if (one.ownerId !== null) owners.set(one.id, one.ownerId);
        if (what === 'gone')
          assert.not([...owners].some(([task, owner]) => owner === id && statusOf(real, task) !== 'blocked'));
      }
    }),
    { numRuns: 150 },
  );
});

function statusOf({ calls }: ReturnType<typeof openMessages>, id: string): string {
  return calls.listTasks({ scope: 's', wanted: 'all' }).find(one => one.id === id)!.status;
}

test('a task goes back when its owner shows no sign of life for half an hour, and the person keeps theirs', () => {
  const { calls, at } = openMessages();
  for (const title of ['one', 'two', 'three'])
    calls.addTask({ scope: 's', title, needs: [], key: '', by: 'a' });
  calls.nextTask({ scope: 's', actor: actor('idle'), key: '' });
  calls.nextTask({ scope: 's', actor: actor('busy'), key: '' });
  calls.nextTask({ scope: 's', actor: actor('human', { isPerson: true, isChief: true }), key: '' });
  for (let minute = 1; minute <= 31; minute++) {
    at(1000 + minute * 60_000);
    const back = calls.renewTasks(['busy']);
    assert.equal(
      back.map(({ change }) => [change!.action, change!.before]),
      minute === 31 ? [['lease', 'idle']] : [],
    );
  }
  assert.equal(
    calls.listTasks({ scope: 's', wanted: 'open' }).map(one => one.ownerName),
    [null, 'busy', 'human'],
  );
});

test('a call that is repeated after a lost answer makes and takes nothing twice', () => {
  const { calls } = openMessages();
  const add = () => calls.addTask({ scope: 's', title: 't', needs: [], key: 'k', by: 'a' });
  assert.is(add().task.id, add().task.id);
  calls.addTask({ scope: 's', title: 'other', needs: [], key: '', by: 'a' });
  const next = () => calls.nextTask({ scope: 's', actor: actor('b'), key: 'n' });
  assert.is(next().task.id, next().task.id);
});

test('every change is told on the stream of its list, in order', () => {
  const { calls } = openMessages();
  const { task } = calls.addTask({ scope: 's', title: 't', needs: [], key: '', by: 'a' });
  calls.nextTask({ scope: 's', actor: actor('b'), key: '' });
  calls.releaseTasks({ there: [] });
  const told = calls.read({
    stream: '_system.tasks.s',
    subscriber: 'x',
    after: 0,
    all: true,
    thread: task.id,
    limit: 9,
  });
  assert.equal(
    told.map(({ body }) => JSON.parse(body).action),
    ['add', 'claim', 'lease'],
  );
});

test.run();
