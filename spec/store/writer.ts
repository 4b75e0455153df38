/**
 * A process that writes state after state until it is killed: `node writer.js FOLDER`. Each has the number of its turn
 * in every window's name, so that a mixture of two is seen.
 */
import type { SavedState, SavedWindow } from '../../lib/model/saved.ts';
import { StateFile } from '../../lib/store/state-file.ts';

const WINDOWS = 200;

const file = new StateFile({
  folder: process.argv[2]!,
  version: '0.0.0',
  now: () => Date.now(),
  rebuild: () => [],
});

function state(turn: number): SavedState {
  const window = (index: number): SavedWindow => ({
    index,
    name: `turn ${turn}`,
    autoName: false,
    layout: 'x'.repeat(200),
    size: { cols: 80, rows: 24 },
    panes: [],
    recent: [],
    zoomed: false,
    manualSize: false,
    preset: undefined,
    synchronized: undefined,
  });
  return {
    sessions: [],
    windows: Array.from({ length: WINDOWS }, (_, i) => window(i)),
    recentWindows: [],
    nextPane: turn,
  };
}

for (let turn = 1; ; turn++) {
  if (turn % 5 === 0) file.saveNow(state(turn));
  else await file.save(state(turn));
  if (turn === 1) process.stdout.write('writing\n');
}
