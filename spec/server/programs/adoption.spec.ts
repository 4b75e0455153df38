import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../../lib/base/clock.ts';
import { RemoteProcess } from '../../../lib/pty/remote-process.ts';
import { Adoption } from '../../../lib/server/programs/adoption.ts';
import { SessionLogs } from '../../../lib/server/programs/session-logs.ts';
import type { HostRequest } from '../../../lib/wire/host-messages.ts';
import { fakeModel, program } from '../../model/fake.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('adoption');
const SIZE = { cols: 20, rows: 3 };

test('a log that cannot be read costs its session the old screen and no more', () => {
  const root = tempDir();
  const { model } = fakeModel();
  const [runs, ended] = ['one', 'two'].map(name =>
    model.sessions.create(program({ name, durable: true }), SIZE),
  );
  for (const { id } of [runs!, ended!]) mkdirSync(join(root, id, 'events.jsonl'), { recursive: true });
  const sent: HostRequest[] = [];
  const link = {
    clock: new ManualClock(),
    send: (one: HostRequest) => void sent.push(one),
    sendInput: () => undefined,
  };
  const process = new RemoteProcess(1, link, { pid: 7 });
  const logged: string[] = [];
  const adoption = new Adoption({
    running: [{ session: runs!.id, process, argv: ['sh'], cwd: '/', size: SIZE, start: 100 }],
    logs: new SessionLogs(root),
    logger: { log: (_, message) => void logged.push(message) },
    emulator: () => ({ historyLines: 10 }),
  });
  assert.is(adoption.terminal(ended!), undefined);
  const terminal = adoption.terminal(runs!)!;
  assert.equal(logged, ['log cannot be read', 'log cannot be read']);
  assert.equal(sent.at(-1), { type: 'follow', payload: { pty: 1, from: 100 } });
  process.received(100, Buffer.from('hello'));
  assert.is([...terminal.view.logicalLines(0, 1)][0]?.text, 'hello');
});

test.run();
