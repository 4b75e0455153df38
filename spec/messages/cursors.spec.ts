import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Calls } from '../../lib/messages/calls.ts';
import { draft, openMessages } from './support.ts';

const test = suite('cursors and retention');

/** What should be true, as plainly as it can be said. */
class PlainModel {
  readonly messages: { stream: string; seq: number; at: number; thread: string | null; id: string }[] = [];
  readonly next = new Map<string, number>();
  readonly read = new Set<string>();
  time = 1000;

  publish(stream: string, thread: string | null, id: string): number {
    const seq = this.next.get(stream) ?? 1;
    this.next.set(stream, seq + 1);
    this.messages.push({ stream, seq, at: this.time, thread, id });
    return seq;
  }

  of(stream: string): PlainModel['messages'] {
    return this.messages.filter(one => one.stream === stream);
  }

  unread(subscriber: string, stream: string): number[] {
    return this.of(stream)
      .map(({ seq }) => seq)
      .filter(seq => !this.read.has(`${subscriber} ${stream} ${seq}`));
  }

  acknowledge(
    subscriber: string,
    stream: string,
    isRead: (seq: number, thread: string | null) => boolean,
  ): void {
    for (const { seq, thread } of this.of(stream))
      if (isRead(seq, thread)) this.read.add(`${subscriber} ${stream} ${seq}`);
  }

  keep(isKept: (one: PlainModel['messages'][number], newest: number) => boolean): void {
    const kept = this.messages.filter(one => isKept(one, this.next.get(one.stream)! - 1));
    this.messages.splice(0, this.messages.length, ...kept);
  }
}

type Step = (real: { calls: Calls; at(time: number): void }, model: PlainModel) => void;

const STREAMS = ['x', 'y', 'inbox:s'];
const stream = fc.constantFrom(...STREAMS);
const subscriber = fc.constantFrom('s', 'human');
const thread = fc.constantFrom(null, 'one', 'two');
const seq = fc.integer({ min: 0, max: 30 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(stream, thread).map(([name, threadId]): Step => (real, model) => {
      const { message } = real.calls.publish(draft(name, { threadId }));
      assert.is(message.seq, model.publish(name, threadId, message.id));
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(subscriber, stream, seq).map(([who, name, upTo]): Step => (real, model) => {
      model.acknowledge(who, name, one => one <= upTo);
      const left = real.calls.acknowledge({ subscriber: who, stream: name, upTo });
      assert.is(left, model.unread(who, name).length);
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(subscriber, stream, fc.array(seq, { maxLength: 4 }))
      .map(([who, name, seqs]): Step => (real, model) => {
        model.acknowledge(who, name, one => seqs.includes(one));
        const left = real.calls.acknowledge({ subscriber: who, stream: name, seqs });
        assert.is(left, model.unread(who, name).length);
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(subscriber, stream, fc.constantFrom('one', 'two'))
      .map(([who, name, one]): Step => (real, model) => {
        model.acknowledge(who, name, (_, threadId) => threadId === one);
        real.calls.acknowledge({ subscriber: who, stream: name, thread: one });
      }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 6 }).map((max): Step => (real, model) => {
      model.keep((one, newest) => one.seq > newest - max);
      while (real.calls.sweep({ maxAge: 0, maxPerStream: max }));
    }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 50 }).map((maxAge): Step => (real, model) => {
      model.keep(one => one.at >= model.time - maxAge);
      while (real.calls.sweep({ maxAge, maxPerStream: 0 }));
    }),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 40 }).map((ms): Step => (real, model) => {
      model.time += ms;
      real.at(model.time);
    }),
  },
);

test('what is unread is what a list of everything would say, whatever is read, dropped and published', () => {
  const real = openMessages();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      real.db.exec('DELETE FROM streams; DELETE FROM cursors; DELETE FROM acked');
      real.at(1000);
      const model = new PlainModel();
      for (const one of steps) one(real, model);
      for (const name of STREAMS)
        for (const who of ['s', 'human']) {
          const reading = { stream: name, subscriber: who, after: 0, thread: '', limit: 1000 };
          const unread = real.calls.read({ ...reading, all: false }).map(one => one.seq);
          assert.equal(unread, model.unread(who, name), `unread of ${who} in ${name}`);
          const all = real.calls.read({ ...reading, all: true }).map(one => one.seq);
          assert.equal(
            all,
            model.of(name).map(one => one.seq),
          );
          const counted = real.calls
            .topics({ subscriber: who, withSystem: true })
            .find(one => one.name === name);
          if (counted) assert.equal([counted.unread, counted.total], [unread.length, all.length]);
        }
    }),
    { numRuns: 300 },
  );
});

test('a number is never given twice, though every message of its stream was dropped', () => {
  const { calls } = openMessages();
  for (let n = 1; n <= 3; n++) assert.is(calls.publish(draft('x')).message.seq, n);
  calls.acknowledge({ subscriber: 's', stream: 'x', upTo: 3 });
  calls.sweep({ maxAge: 1, maxPerStream: 0 });
  calls.sweep({ maxAge: 0, maxPerStream: 1 });
  assert.is(calls.publish(draft('x')).message.seq, 4);
  assert.is(
    calls.read({ stream: 'x', subscriber: 's', after: 0, all: false, thread: '', limit: 9 }).length,
    1,
  );
});

test('a time that was set back does not reorder what was said', () => {
  const { calls, at } = openMessages();
  at(5000);
  const first = calls.publish(draft('x')).message;
  at(1000);
  assert.ok(calls.publish(draft('x')).message.createdAt >= first.createdAt);
});

test('the same key of the same sender is the same message, and of another one another', () => {
  const { calls } = openMessages();
  const one = calls.publish(draft('x', { key: 'k' }));
  const again = calls.publish(draft('x', { key: 'k', body: 'changed' }));
  assert.equal([again.isNew, again.message], [false, one.message]);
  assert.is(calls.publish(draft('x', { key: 'k', senderId: 'b' })).message.seq, 2);
});

test('an answer joins the thread of what it answers, and what its sender cannot see it cannot answer', () => {
  const { calls } = openMessages();
  const root = calls.publish(draft('inbox:b')).message;
  const answer = calls.publish(draft('inbox:a', { senderId: 'b', replyTo: root.id })).message;
  assert.is(answer.threadId, root.id);
  const third = calls.publish(draft('inbox:b', { replyTo: answer.id })).message;
  assert.is(third.threadId, root.id);
  assert.throws(
    () => calls.publish(draft('inbox:b', { senderId: 'c', replyTo: root.id })),
    /you have no such message/,
  );
  const reading = { stream: 'inbox:b', subscriber: 'b', after: 0, all: true, limit: 9 };
  assert.equal(
    calls.read({ ...reading, thread: root.id }).map(one => one.id),
    [root.id, third.id],
  );
});

test('a conversation has what came and what went directly, in order, and nothing of topics', () => {
  const { calls } = openMessages();
  const ids = [
    calls.publish(draft('inbox:b', { body: '1' })),
    calls.publish(draft('inbox:a', { senderId: 'b', body: '2' })),
    calls.publish(draft('topic', { senderId: 'b', body: 'no' })),
    calls.publish(draft('inbox:b', { senderId: 'b', body: '3' })),
    calls.publish(draft('inbox:a', { senderId: 'c', body: 'no' })),
  ].map(one => one.message);
  const of = (limit: number): string[] => calls.conversation({ subscriber: 'b', limit }).map(one => one.body);
  assert.equal(of(10), ['1', '2', '3']);
  assert.equal(of(2), ['2', '3']);
  assert.is(ids.length, 5);
});

test('what was announced is not pending, nor what was read or is quiet', () => {
  const { calls } = openMessages();
  assert.is(calls.pending('s'), undefined);
  calls.publish(draft('inbox:s', { quiet: true }));
  assert.is(calls.pending('s'), undefined);
  const first = calls.publish(draft('inbox:s', { senderName: 'bob', noReply: true })).message;
  const pending = calls.pending('s')!;
  assert.equal(
    [pending.count, pending.seq, pending.messageId, pending.senders, pending.noReply],
    [1, 2, first.id, ['bob'], true],
  );
  calls.announced({ subscriber: 's', seq: 2, state: 'begun' });
  assert.equal([calls.pending('s')!.begun, calls.pending('s')!.begunId], [2, first.id]);
  calls.announced({ subscriber: 's', seq: 2, state: 'done' });
  assert.is(calls.pending('s'), undefined);
  calls.publish(draft('inbox:s'));
  assert.equal([calls.pending('s')!.count, calls.pending('s')!.begun], [1, 0]);
  calls.acknowledge({ subscriber: 's', stream: 'inbox:s', upTo: 3 });
  assert.is(calls.pending('s'), undefined);
});

test.run();
