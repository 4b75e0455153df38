import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { tellNews } from '../../../lib/server/attention/news.ts';
import { Notifier } from '../../../lib/server/attention/notifier.ts';
import { StatusWatch } from '../../../lib/server/attention/status-watch.ts';
import { afterHook } from '../../../lib/status/hooks.ts';
import { fakeModel, program } from '../../model/fake.ts';

const test = suite('news of sessions');

/** An agent whose hooks report, with nobody in front of it unless `isSeen`. */
function play(): {
  session: SessionRecord;
  told: string[];
  reports(event: string, command?: string): void;
  wait(ms: number): void;
  look(isSeen: boolean): void;
} {
  const { model, clock } = fakeModel();
  const session = model.sessions.create(program({ name: 'fix', durable: true, isAi: true }), {
    cols: 80,
    rows: 24,
  });
  const told: string[] = [];
  let isSeen = false;
  const notifier = new Notifier({
    clock,
    logger: { log: () => undefined },
    env: {},
    command: () => '',
    quiet: () => '',
    onTerminals: text => void told.push(text),
  });
  const ports = { clock, model, notifier, isSeen: () => isSeen };
  const status = new StatusWatch({
    clock,
    model,
    changed: (changed, before, decision) => tellNews(ports, changed, before, decision),
  });
  return {
    session,
    told,
    reports(event, command = '') {
      const payload = { tool_name: 'Bash', tool_input: { command } };
      status.tells(session, (seen, now) => afterHook(seen, event, payload, now));
    },
    wait: ms => clock.advance(ms),
    look: seen => (isSeen = seen),
  };
}

test('a second question right after the first is told once that is some seconds ago', () => {
  const { told, reports, wait } = play();
  reports('PermissionRequest', 'first');
  wait(1000);
  assert.equal(told, ['fix needs you: Bash: first']);
  reports('PostToolUse');
  reports('PermissionRequest', 'second');
  wait(1000);
  assert.is(told.length, 1);
  wait(5000);
  assert.equal(told.slice(1), ['fix needs you: Bash: second']);
  wait(60_000);
  assert.is(told.length, 2);
});

test('a question that was answered or looked at meanwhile is not told', () => {
  const { told, reports, wait, look } = play();
  reports('PermissionRequest', 'first');
  wait(1000);
  reports('PostToolUse');
  reports('PermissionRequest', 'second');
  wait(1000);
  reports('PostToolUse');
  wait(10_000);
  assert.is(told.length, 1);
  reports('PermissionRequest', 'third');
  look(true);
  wait(10_000);
  assert.is(told.length, 1);
});

test('questions in quick succession are told once in five seconds', () => {
  const { told, reports, wait } = play();
  for (let i = 0; i < 40; i++) {
    reports('PermissionRequest', `n ${i}`);
    wait(600);
    reports('PostToolUse');
    wait(100);
  }
  assert.ok(told.length >= 4 && told.length <= 6, told.join());
});

test.run();
