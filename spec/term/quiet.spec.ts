/**
 * The emulator says nothing outside of its events: a server has no terminal to warn on.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Recorder } from './terminal.ts';

const test = suite('a quiet emulator');

const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

test('a resize leaves no work to a timer, whose lateness xterm would tell on stderr', () => {
  const before = timers();
  const { emulator } = new Recorder({ cols: 400, rows: 50 }).write('short\r\n'.repeat(60));
  emulator.resize(20, 50);
  assert.is(timers(), before);
  emulator.dispose();
});

test.run();
