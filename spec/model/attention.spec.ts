import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attentionQueue } from '../../lib/model/attention.ts';
import { WORKING_MS } from '../../lib/status/decide.ts';
import { fakeModel, program } from './fake.ts';

const test = suite('attention');
const SIZE = { cols: 80, rows: 24 };

test('who needs a person most comes first, and of those who has waited longest', () => {
  const { model, clock } = fakeModel();
  const { sessions } = model;
  const make = (name: string): ReturnType<typeof sessions.create> =>
    sessions.create(program({ name, durable: true }), SIZE);
  const [late, early, error, news, none, permission] = [
    'late',
    'early',
    'error',
    'news',
    'none',
    'permission',
  ].map(make);
  const mark = (session: typeof late, need: 'question' | 'error' | 'permission'): void => {
    clock.advance(1000);
    sessions.setAttention(session!, 'why', { need });
    sessions.noteShown(session!, sessions.decision(session!));
  };
  mark(early, 'question');
  mark(error, 'error');
  mark(late, 'question');
  mark(permission, 'permission');
  news!.unseenAt = clock.now();
  const names = (): string[] => attentionQueue(sessions).map(session => session.name);
  assert.equal(names(), ['permission', 'early', 'late', 'error', 'news']);
  sessions.typed(permission!);
  sessions.seen(news!);
  assert.equal(names(), ['early', 'late', 'error']);
  assert.is(none!.attention, '');
});

test('a summary holds for so much output, and without any for ever', () => {
  const fake = fakeModel();
  const session = fake.model.sessions.create(program(), SIZE);
  const output = (): void => fake.terminal(session).output.fire();
  output();
  fake.model.sessions.setSummary(session, 'mending', 5000);
  fake.clock.advance(3_600_000);
  output();
  assert.is(session.summary, 'mending', 'an hour of silence takes nothing from it');
  for (let ms = 0; ms < 5000; ms += WORKING_MS / 2) {
    fake.clock.advance(WORKING_MS / 2);
    output();
  }
  assert.is(session.summary, '');
});

test.run();
