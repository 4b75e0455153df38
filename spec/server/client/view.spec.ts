import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { ageText, gitText, stateOf } from '../../../lib/server/client/view.ts';
import { fakeModel, program } from '../../model/fake.ts';

const test = suite('client/view');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('a branch is shown with what differs, and only that', () => {
  const git = { branch: 'main', dirty: 0, ahead: 0, behind: 0 };
  assert.is(gitText(git), '⎇ main');
  assert.is(gitText({ ...git, dirty: 3, ahead: 1, behind: 2 }), '⎇ main +3 ↑1 ↓2');
  assert.is(gitText({ ...git, branch: '', dirty: 3 }), '');
});

test('how long a session has been in its state, in the largest whole unit; not at all below a minute', () => {
  const at = (since: number): SessionRecord =>
    ({ shown: { status: 'ready', need: undefined, since } }) as SessionRecord;
  const session = at(0);
  const ages: readonly (readonly [number, string])[] = [
    [MINUTE - 1, ''],
    [MINUTE, '1m'],
    [60 * MINUTE - 1, '59m'],
    [60 * MINUTE, '1h'],
    [DAY - 1, '23h'],
    [DAY, '1d'],
    [40 * DAY, '40d'],
  ];
  for (const [ms, text] of ages) assert.is(ageText(session, ms), text, String(ms));
  assert.is(ageText(at(5 * MINUTE), 7 * MINUTE), '2m');
});

test('an ended program says how it ended', () => {
  const ended = (code: number, signal: number): string =>
    ageText({ exit: { code, signal } } as SessionRecord, DAY);
  assert.equal([ended(0, 0), ended(2, 0), ended(0, 9)], ['exit 0', 'exit 2', 'signal 9']);
  const lost = { exit: { code: 0, signal: 1 }, stopReason: 'lost' };
  assert.is(ageText(lost as SessionRecord, DAY), 'lost', 'its host hung up, nobody sent a signal');
});

test('a session that waits for a person needs them, until it has ended', () => {
  const { model } = fakeModel();
  const session = model.sessions.create(program(), { cols: 80, rows: 24 });
  assert.is(stateOf(model, session), 'starting');
  model.sessions.setAttention(session, 'bell');
  assert.is(stateOf(model, session), 'needs-you');
  session.exit = { code: 1, signal: 0 };
  assert.is(stateOf(model, session), 'failed');
});

test.run();
