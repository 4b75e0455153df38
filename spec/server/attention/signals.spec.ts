import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { handleSignal, type SignalPorts } from '../../../lib/server/attention/signals.ts';
import type { PaneSignal } from '../../../lib/term/screen-view.ts';

const test = suite('signals');
const SESSION = { name: 'fix' } as SessionRecord;

/** What signals lead to, in order. */
function led(...signals: readonly PaneSignal[]): string[] {
  const told: string[] = [];
  const ports: SignalPorts = {
    bell: () => told.push('bell'),
    needs: (session, reason) => told.push(`${session.name} needs: ${reason}`),
    copy: (_session, data) => told.push(`copy ${Buffer.from(data).toString()}`),
    progress: (session, progress) =>
      told.push(`${session.name} is at ${progress ? `${progress.state} ${progress.percent}` : 'nothing'}`),
    client: mark => told.push(`client ${mark}`),
    tells: () => undefined,
    title: () => told.push('title'),
    directoryChanged: session => told.push(`${session.name} moved`),
  };
  for (const signal of signals) handleSignal(ports, SESSION, signal);
  return told;
}

test('a bell rings and asks for a person', () => {
  assert.equal(led({ type: 'bell' }), ['bell', 'fix needs: bell']);
});

test('a notification says why a person is needed, with whatever words it has', () => {
  const notify = (title: string, body: string): string[] => led({ type: 'notify', title, body });
  assert.equal(notify('Build', 'is done'), ['fix needs: Build: is done']);
  assert.equal(notify('', 'is done'), ['fix needs: is done']);
  assert.equal(notify('Build', ''), ['fix needs: Build']);
  assert.equal(notify('', ''), ['fix needs: notification']);
});

test('clipboards, titles and directories are handed on; the screen itself keeps prompt marks', () => {
  assert.equal(
    led(
      { type: 'clipboard', selection: 'c', data: Buffer.from('text') },
      { type: 'title', title: 'x' },
      { type: 'cwd', path: '/x' },
      { type: 'prompt', mark: 'A' },
    ),
    ['copy text', 'title', 'fix moved'],
  );
});

test('progress is told on, and an error in it asks for a person', () => {
  const progress = (state: number, percent: number): string[] => led({ type: 'progress', state, percent });
  assert.equal(progress(1, 50), ['fix is at normal 50']);
  assert.equal(progress(3, 0), ['fix is at unknown 0']);
  assert.equal(progress(4, 7), ['fix is at paused 7']);
  assert.equal(progress(2, 90), ['fix is at error 90', 'fix needs: its progress ended in an error']);
  assert.equal(progress(0, 0), ['fix is at nothing']);
});

test.run();
