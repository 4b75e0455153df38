/**
 * What mux does on the thread that draws, measured inside this process: there is nothing of tmux's to hold beside it.
 */
import { composeChrome, composeCursor, composePane } from '../../lib/frame/compose.ts';
import { Frame } from '../../lib/frame/frame.ts';
import { InputDecoder } from '../../lib/input/decoder.ts';
import { deriveCaps } from '../../lib/render/caps.ts';
import { Renderer } from '../../lib/render/renderer.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import type { TextView } from '../../lib/term/screen-view.ts';
import type { ChromeCells, PaneSpan } from '../../lib/chrome/view.ts';
import { bareChrome, cellLine, plainGlyphs } from '../support/scene.ts';
import { chance, logLine } from './data.ts';
import { percentile } from './report.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

/** A row for mux alone, whose value `measure` gives in ms. */
function inside(name: string, title: string, limit: number, measure: () => number): Measurement {
  return {
    name,
    contenders: ['mux'],
    rows: [{ name: title, unit: 'ms', better: 'less', target: atMost(limit, `<= ${limit} ms`) }],
    measure: () => Promise.resolve(measure()).then(value => [value]),
  };
}

function msOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const encode = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** A terminal with `lines` lines of a log above its screen. */
function filled(lines: number, cols: number): Emulator {
  const emulator = new Emulator({ cols, rows: 50, historyLines: lines });
  const next = chance(1);
  let text = '';
  for (let i = 0; i < lines + 50; i++) {
    text += logLine(next);
    if (text.length < 1 << 20 && i < lines + 49) continue;
    emulator.write(encode(text));
    text = '';
  }
  return emulator;
}

/** Lines that match, as a search over everything counts them. */
function matches(view: TextView, pattern: RegExp): number {
  let count = 0;
  for (const { text } of view.logicalLines(-view.historySize, 1)) if (pattern.test(text)) count++;
  return count;
}

function search({ quick }: Setting): Measurement {
  const lines = quick ? 5000 : 100_000;
  let emulator: Emulator | undefined;
  return inside('search', `search of ${lines} lines`, 150, () => {
    emulator ??= filled(lines, 200);
    let found = 0;
    const ms = msOf(() => (found = matches(emulator!, /timeout=\d+ .*slow/)));
    if (found === 0) throw new Error('the search found nothing');
    return ms;
  });
}

/** The longest of the two ways: narrower, and back. */
function reflow({ quick }: Setting): Measurement {
  const lines = quick ? 1000 : 10_000;
  let emulator: Emulator | undefined;
  return inside('reflow', `reflow of ${lines} lines on resize`, 50, () => {
    emulator ??= filled(lines, 200);
    const narrower = msOf(() => emulator!.resize(120, 50));
    const wider = msOf(() => emulator!.resize(200, 50));
    return Math.max(narrower, wider);
  });
}

/** Saving and restoring in turn: the middle one, since either is over before the next page of memory is there. */
function checkpoints({ quick }: Setting): Measurement[] {
  const lines = quick ? 1000 : 10_000;
  let emulator: Emulator | undefined;
  const times = (measure: (emulator: Emulator) => number) => (): number => {
    const one = (emulator ??= filled(lines, 200));
    return percentile(
      Array.from({ length: 9 }, () => measure(one)),
      50,
    );
  };
  const save = times(one => msOf(() => one.checkpoint()));
  const restore = times(one => {
    const bytes = one.checkpoint()!;
    let second: Emulator | undefined;
    const ms = msOf(() => (second = Emulator.restore(bytes)));
    second?.dispose();
    return ms;
  });
  return [
    inside('checkpoint', `checkpoint of 200x50 and ${lines} lines`, 5, save),
    inside('checkpoint-restore', `restore of 200x50 and ${lines} lines`, 20, restore),
  ];
}

/** Bytes that a read of a terminal's socket brings at most. */
const READ = 64 * 1024;

function paste(): Measurement {
  return inside('paste', 'decode of a 1 MB paste', 50, () => {
    const next = chance(4);
    let text = '';
    while (text.length < 1_000_000) text += logLine(next);
    const bytes = encode(`\x1b[200~${text.slice(0, 1_000_000)}\x1b[201~`);
    const decoder = new InputDecoder();
    let size = 0;
    const ms = msOf(() => {
      for (let at = 0; at < bytes.length; at += READ)
        for (const event of decoder.feed(bytes.subarray(at, at + READ)))
          if (event.type === 'paste') size += event.data.length;
    });
    if (size !== 1_000_000) throw new Error(`${size} bytes of the paste came out`);
    return ms;
  });
}

const COLS = 400;
const ROWS = 100;
/** Panes each way. */
const SIDE = 4;

/** Sixteen panes with borders between them, over the whole screen. */
function panes(): { chrome: ChromeCells; spans: PaneSpan[][]; emulators: Emulator[] } {
  const width = COLS / SIDE - 1;
  const height = ROWS / SIDE - 1;
  const spans = Array.from({ length: SIDE * SIDE }, (_, pane) =>
    Array.from({ length: height }, (_row, y) => ({
      y: Math.floor(pane / SIDE) * (height + 1) + 1 + y,
      x: (pane % SIDE) * (width + 1) + 1,
      width,
      pane,
      paneX: 0,
      paneY: y,
    })),
  );
  const border = cellLine(plainGlyphs('─'.repeat(COLS), 0x1000008));
  const chrome = {
    ...bareChrome(COLS, ROWS, spans.flat()),
    lines: Array.from({ length: ROWS }, () => border),
  };
  const emulators = spans.map(() => new Emulator({ cols: width, rows: height, historyLines: 1000 }));
  return { chrome, spans, emulators };
}

/** Every pane prints some lines between two frames, as builds do side by side. */
function frames({ quick }: Setting): Measurement {
  const count = quick ? 50 : 400;
  return inside('frame', 'frame at 400x100, 16 panes printing, p50', 2, () => {
    const { chrome, spans, emulators } = panes();
    const frame = new Frame(COLS, ROWS);
    const renderer = new Renderer(deriveCaps({ term: 'xterm-kitty' }));
    const next = chance(5);
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      for (const emulator of emulators) emulator.write(encode(logLine(next).slice(0, 90) + '\r\n'));
      times.push(
        msOf(() => {
          composeChrome(frame, chrome);
          emulators.forEach((view, pane) => composePane(frame, spans[pane]!, view, 0));
          composeCursor(frame, chrome, { pane: 0, view: emulators[0]!, historyOffset: 0 });
          renderer.render(frame);
        }),
      );
    }
    // The first ones are drawn before the code is compiled, and from scratch.
    return percentile(times.slice(times.length >> 2), 50);
  });
}

/** All measurements inside mux. */
export function insideMeasurements(setting: Setting): Measurement[] {
  return [search(setting), reflow(setting), ...checkpoints(setting), paste(), frames(setting)];
}
