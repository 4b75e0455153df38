/**
 * Where xterm's parser trusts a program more than it should.
 */
import { codepointWidth } from '../base/text.ts';
import { printUnwrapped } from './edge.ts';
import { installSgrFixes } from './sgr-fixes.ts';
import type { PrintStep } from './ways.ts';
import type { SequenceId, XtermCore } from './xterm-core.ts';

/** First code point without width of its own. */
const FIRST_MARK = 0x300;

/**
 * Marks and joiners with nothing before them (after a control, or at the start of a line) are not shown: xterm would
 * give each a cell without width, or let one cell grow without end. What `print` leaves goes xterm's way.
 */
function printRuns(core: XtermCore, print: PrintStep): void {
  const input = core._inputHandler;
  const parser = input._parser;
  parser.setPrintHandler((data, start, end) => {
    let from = start;
    if (parser.precedingJoinState === 0)
      while (from < end && data[from]! >= FIRST_MARK && codepointWidth(data[from]!) === 0) from++;
    if (from < end) from = print(core, data, from, end);
    if (from >= end) return;
    if (core.coreService.decPrivateModes.wraparound) input.print(data, from, end);
    else printUnwrapped(core, data, from, end);
  });
}

type Bound = (core: XtermCore) => number;
const rows: Bound = core => core.rows;
const cols: Bound = core => core.cols;
const cells: Bound = core => core.rows * core.cols;

/** Sequences whose count xterm obeys literally, one step at a time, with the count beyond which nothing changes. */
const COUNTED: readonly (readonly [SequenceId, Bound])[] = [
  [{ final: 'L' }, rows],
  [{ final: 'M' }, rows],
  [{ final: 'S' }, rows],
  [{ final: 'T' }, rows],
  [{ final: 'I' }, cols],
  [{ final: 'Z' }, cols],
  [{ final: '@' }, cols],
  [{ final: 'P' }, cols],
  [{ final: 'X' }, cols],
  [{ intermediates: ' ', final: '@' }, cols],
  [{ intermediates: ' ', final: 'A' }, cols],
  [{ intermediates: "'", final: '}' }, cols],
  [{ intermediates: "'", final: '~' }, cols],
  // REP: a screenful.
  [{ final: 'b' }, cells],
];

function clampCounts(core: XtermCore): void {
  for (const [id, bound] of COUNTED) {
    core._inputHandler._parser.registerCsiHandler(id, params => {
      const most = bound(core);
      if (params.params[0]! > most) params.params[0] = most;
      return false;
    });
  }
}

/** Installs all of them; text goes to `print` first. */
export function installGuards(core: XtermCore, print: PrintStep): void {
  printRuns(core, print);
  clampCounts(core);
  installSgrFixes(core);
}
