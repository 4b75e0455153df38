import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CELL_WORDS } from '../../lib/term/cell.ts';
import { isSameLine, RowReader, type RawCell } from '../../lib/chrome/cells.ts';
import { StyleTable, groundSlot, textSlot } from '../../lib/chrome/slots.ts';
import { paneSentinel, StandIns } from '../../lib/chrome/stand-ins.ts';
import { rowText } from './dump.ts';
import { monoTheme } from './views.ts';

const test = suite('chrome/cells');
const PLAIN = (textSlot({}) << 9) | groundSlot('bg');

function setUp(): {
  standIns: StandIns;
  read: (text: string) => ReturnType<RowReader['read']>;
} {
  const standIns = new StandIns();
  const reader = new RowReader(new StyleTable(monoTheme(), 'truecolor'), standIns);
  return { standIns, read: text => reader.read(text.split('').map((char): RawCell => [PLAIN, char])) };
}

test('a stand-in is read back as its cluster, with an empty right half', () => {
  const { standIns, read } = setUp();
  const { line } = read(`a${standIns.encode('👩‍👩‍👧', 2)}${standIns.encode('港', 2)}b`);
  assert.is(rowText(line), 'a👩‍👩‍👧港b');
  assert.is(line.clusters[1], '👩‍👩‍👧');
  assert.is(line.clusters[3], undefined, 'a single code point needs no side table');
  assert.is(line.words[2 * CELL_WORDS], 0);
});

test('halves of a wide cluster that lost the other half are blank', () => {
  const { standIns, read } = setUp();
  const [left, right] = standIns.encode('港', 2);
  assert.is(rowText(read(`${left}x${right}y${left}`).line), ' x y ');
});

test('sentinels become runs by pane and blank cells', () => {
  const { read } = setUp();
  const { line, sentinels } = read(`a${paneSentinel(3).repeat(2)}${paneSentinel(4)}b${paneSentinel(3)}`);
  assert.equal(sentinels, [
    { x: 1, width: 2, pane: 3 },
    { x: 3, width: 1, pane: 4 },
    { x: 5, width: 1, pane: 3 },
  ]);
  assert.is(rowText(line, '.'), 'a...b.');
});

test('lines are compared by cells and by the text of their clusters', () => {
  const { standIns, read } = setUp();
  const a = standIns.encode('👩‍👩‍👧', 2);
  const b = standIns.encode('🇳🇴', 2);
  assert.ok(isSameLine(read(a).line, read(a).line));
  assert.not(isSameLine(read(a).line, read(b).line));
  assert.not(isSameLine(read('a').line, read('ab').line));
});

test.run();
