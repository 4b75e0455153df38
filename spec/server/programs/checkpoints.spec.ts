/**
 * When screens are kept on the disk.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '../../../lib/base/clock.ts';
import { Checkpoints } from '../../../lib/server/programs/checkpoints.ts';
import { SessionLogs } from '../../../lib/server/programs/session-logs.ts';
import type { SessionTerminal } from '../../../lib/server/programs/session-terminal.ts';
import { Emitter } from '../../../lib/base/event.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('checkpoints');
const MIB = 1024 * 1024;

/** A server that shows a session from `offset` on. */
function server(logs: SessionLogs, offset: number): { output: (bytes: number) => void } {
  const outputs = new Emitter<void>();
  const terminal = {
    offset,
    checkpoint: () => Buffer.from('a screen'),
    onOutput: outputs.event,
    onExit: () => undefined,
  };
  const checkpoints = new Checkpoints({
    clock: new ManualClock(),
    logs,
    logger: { log: (_level, text) => assert.unreachable(text) },
  });
  checkpoints.follow('s1', terminal as unknown as SessionTerminal);
  return {
    output(bytes) {
      terminal.offset += bytes;
      outputs.fire();
    },
  };
}

test('a screen is kept after each MiB', () => {
  const logs = new SessionLogs(tempDir());
  assert.is(logs.checkpointOffset('s1'), 0);
  const { output } = server(logs, 0);
  output(MIB - 1);
  assert.is(logs.checkpoint('s1'), undefined);
  output(1);
  assert.is(logs.checkpoint('s1')?.offset, MIB);
  assert.is(logs.checkpointOffset('s1'), MIB);
});

test('servers that are killed one after the other, each before its MiB, do not leave ever more to parse', () => {
  const logs = new SessionLogs(tempDir());
  let offset = 0;
  for (let n = 0; n < 20; n++) {
    server(logs, offset).output(MIB / 4);
    offset += MIB / 4;
    assert.ok(offset - logs.checkpointOffset('s1') <= MIB, `${offset} without a checkpoint`);
  }
});

test.run();
