import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ApprovalEvent } from '../../../lib/approvals/types.ts';
import { ManualClock } from '../../../lib/base/clock.ts';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { Approvals } from '../../../lib/server/access/approvals.ts';
import type { VerdictLine } from '../../../lib/server/access/verdict-log.ts';

const test = suite('approvals');
const NEVER = new Promise<void>(() => undefined);

function setUp(always: readonly VerdictLine[] = []) {
  let ids = 0;
  const lines: VerdictLine[] = [];
  const events: string[] = [];
  const approvals = new Approvals({
    clock: new ManualClock(),
    newId: () => `a${ids++}`,
    status: { tells: () => undefined },
    log: { add: line => void lines.push(line), always: () => [...always] },
  });
  approvals.onChange((event: ApprovalEvent) => void events.push(`${event.type} ${event.approval.id}`));
  const ask = (command: string, event = 'PermissionRequest', id = 's1', gone = NEVER) =>
    approvals.answer(
      {
        session: { id } as SessionRecord,
        agent: 'claude',
        event,
        payload: { tool_name: 'Bash', tool_input: { command } },
      },
      gone,
    );
  return { approvals, lines, events, ask };
}

test('a verdict answers the hook once, and is written down', async () => {
  const { approvals, lines, events, ask } = setUp();
  const answer = ask('ls');
  assert.equal(approvals.all().map(one => [one.id, one.command, one.tier]), [['a0', 'ls', null]]); // prettier-ignore
  approvals.decide('a0', { type: 'deny', reason: 'no' });
  assert.match((await answer)!, /"deny","message":"denied by the person: no"/);
  assert.throws(() => approvals.decide('a0', { type: 'allow', always: false }), /approval a0: nothing/);
  assert.equal(events, ['asked a0', 'denied a0']);
  assert.equal(lines.map(line => [line.command, line.verdict, line.reason]), [['ls', 'deny', 'no']]); // prettier-ignore
});

test('what is allowed always is answered by itself: the same command, in this session', async () => {
  const { approvals, lines, ask } = setUp();
  const answer = ask('ls');
  approvals.decide('a', { type: 'allow', always: true });
  await answer;
  assert.match((await ask('ls'))!, /"allow"/);
  assert.match((await ask('ls', 'PreToolUse'))!, /"permissionDecision":"allow"/);
  assert.is(approvals.all().length, 0);
  void ask('ls; rm x');
  void ask('ls', 'PermissionRequest', 's2');
  assert.is(approvals.all().length, 2);
  const next = setUp(lines);
  assert.match((await next.ask('ls'))!, /"allow"/, 'the next server knows it too');
});

test('an approval goes when nobody waits, and with its session', async () => {
  const { approvals, events, ask } = setUp();
  let leave = (): void => undefined;
  void ask('ls', 'PermissionRequest', 's1', new Promise<void>(resolve => (leave = resolve)));
  leave();
  await Promise.resolve();
  assert.equal(events, ['asked a0', 'left a0']);
  void ask('ls');
  approvals.forget(approvals.all().map(() => ({ id: 's1' }) as SessionRecord)[0]!);
  assert.is(approvals.all().length, 1, 'another record of that id is another session');
});

test('one session that asks without end leaves room for others', () => {
  const { approvals, ask } = setUp();
  for (let i = 0; i < 50; i++) void ask(`ls ${i}`);
  assert.is(approvals.all().length, 20);
  assert.is(ask('more'), undefined);
  assert.ok(ask('ls', 'PermissionRequest', 's2'));
});

test('an id may be cut short, where it is the only one that begins so', () => {
  const { approvals, ask } = setUp();
  void ask('1');
  void ask('2');
  assert.throws(() => approvals.decide('a', { type: 'allow', always: false }), /matches 2/);
  assert.throws(() => approvals.decide('', { type: 'allow', always: false }), /nothing of that id/);
  assert.is(approvals.decide('a1', { type: 'allow', always: false }).command, '2');
});

test('events that come with every use of a tool are not waited for', () => {
  const { ask } = setUp();
  assert.equal([ask('ls', 'PreToolUse'), ask('ls', 'Stop')], [undefined, undefined]);
});

test.run();
