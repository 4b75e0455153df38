import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { riskOf } from '../../../lib/approvals/risk.ts';
import type { ApprovalEvent, Wish } from '../../../lib/approvals/types.ts';
import { ManualClock } from '../../../lib/base/clock.ts';
import type { SessionRecord } from '../../../lib/model/types.ts';
import type { Rule } from '../../../lib/permissions/policy.ts';
import { Approvals } from '../../../lib/server/access/approvals.ts';
import type { VerdictLine } from '../../../lib/server/access/verdict-log.ts';

const test = suite('approvals');
const NEVER = new Promise<void>(() => undefined);

function setUp(always: readonly VerdictLine[] = [], rules?: readonly Rule[]) {
  let ids = 0;
  const lines: VerdictLine[] = [];
  const events: string[] = [];
  const approvals = new Approvals({
    clock: new ManualClock(),
    newId: () => `a${ids++}`,
    status: { tells: () => undefined },
    log: { add: line => void lines.push(line), always: () => [...always] },
    ...(rules && { risk: async (wish: Wish) => riskOf(wish, [{ name: 'user', mayAllow: true, rules }]) }),
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

test('what is asked has the tier of its command, and why', async () => {
  const { approvals, ask } = setUp([], []);
  void ask('git push --force');
  await Promise.resolve();
  const [approval] = approvals.all();
  assert.is(approval?.tier, 'destructive');
  assert.match(approval!.reasons.join('\n'), /takes away what others have: git push --force/);
});

test("the person's rules answer by themselves, and say so", async () => {
  const rules: Rule[] = [
    { tool: 'exec_shell', argv: ['npm', 'publish'], mode: 'deny' },
    { tool: 'exec_shell', argv: ['npm', 'test'], mode: 'allow' },
  ];
  const { approvals, ask } = setUp([], rules);
  assert.match(
    (await ask('cd web && npm publish', 'PreToolUse'))!,
    /"deny".*rules: user rule 1: deny npm publish/,
  );
  assert.match((await ask('npm test'))!, /"allow"/);
  assert.is(await ask('npm start', 'PreToolUse'), '{}');
  assert.equal(approvals.all(), []);
});

test('a rule that denies comes before what was allowed always', async () => {
  const line: VerdictLine = {
    at: 0,
    session: 's1' as SessionRecord['id'],
    tool: 'Bash',
    command: 'npm publish',
    verdict: 'allow',
    always: true,
    reason: '',
  };
  const { ask } = setUp([line], [{ tool: '*', argv: ['npm', 'publish'], mode: 'deny' }]);
  assert.match((await ask('npm publish'))!, /"deny"/);
});

test.run();
