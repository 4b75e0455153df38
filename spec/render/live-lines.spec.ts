import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LiveLines } from '../../lib/render/live-lines.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { screenRows } from '../support/screen-dump.ts';

const test = suite('live lines');
const COLS = 12;
const ROWS = 5;
const line = fc.constantFrom('', 'a', 'bb', 'ccccccccccc', '漢字', 'x y');
const step = fc.record({
  finished: fc.array(line, { maxLength: 7 }),
  running: fc.array(line, { maxLength: 8 }),
});

/** All rows, those of the history first, without blank ones at the end. */
function allRows(emulator: Emulator): string[] {
  const rows = screenRows(emulator).map(row => row.trimEnd());
  while (rows.at(-1) === '') rows.pop();
  return rows;
}

test('what is finished stands there once and in order, with the end of what runs below it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, isSynchronized) => {
      // Tall, so that the rows that have left the small window are still there to be looked at.
      const window = new Emulator({ cols: COLS, rows: 200, historyLines: 10 });
      const live = new LiveLines(isSynchronized);
      const finished: string[] = [];
      for (const one of steps) {
        window.write(Buffer.from(live.draw(one.finished, one.running, ROWS)));
        finished.push(...one.finished);
        const shown = [...finished, ...one.running.slice(-(ROWS - 1))];
        while (shown.at(-1) === '') shown.pop();
        assert.equal(allRows(window), shown);
      }
    }),
  );
});

test('a line that has not changed is not written again', () => {
  const live = new LiveLines(false);
  live.draw([], ['one', 'two'], ROWS);
  assert.is(live.draw([], ['one', 'two'], ROWS), '');
  const out = live.draw([], ['one', 'two and'], ROWS);
  assert.not.match(out, /one/);
  assert.not.match(live.draw(['one'], ['two and', 'more'], ROWS), /one/);
});

test('a window that became too narrow for a line leaves it where it is, and shows it again below', () => {
  const live = new LiveLines(false);
  live.draw([], ['ccccccccccc'], ROWS);
  assert.is(live.resized({ cols: 20, rows: ROWS }, [11]), '');
  assert.match(live.draw([], ['ccccccccccc'], ROWS), /^\rc|^\r\x1b/);
  assert.is(live.resized({ cols: 8, rows: ROWS }, [11]), '\r\n');
  // oxlint-disable-next-line no-control-regex -- the cursor must not go up
  assert.not.match(live.draw([], ['ccccccc', 'cccc'], ROWS), /\x1b\[\d*A/);
});

test.run();
