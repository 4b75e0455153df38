import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { CELL_WORDS, CONTENT } from '../../lib/term/cell.ts';
import { areas, SIDEBAR_OVERLAY_UP_TO } from '../../lib/chrome/areas.ts';
import { ChromeScreen } from '../../lib/chrome/screen.ts';
import type { ChromeCells, ChromeView, PreviewPane } from '../../lib/chrome/view.ts';
import { rowText, screenText } from './dump.ts';
import { anyView, browser, monoTheme, numberedTheme, picker, sampleView } from './views.ts';

const test = suite('chrome/screen');
const SIZE = { cols: 100, rows: 30 };

function render(view: ChromeView): ChromeCells {
  const screen = new ChromeScreen(view.size, numberedTheme());
  try {
    return screen.render(view);
  } finally {
    screen.dispose();
  }
}

/** Every rule that holds for any drawn chrome. */
function checkCells(view: ChromeView, cells: ChromeCells): void {
  assert.is(cells.size.cols, view.size.cols);
  assert.is(cells.lines.length, view.size.rows);
  for (const line of cells.lines) {
    assert.is(line.words.length, view.size.cols * CELL_WORDS);
    let x = 0;
    while (x < view.size.cols) {
      const content = line.words[x * CELL_WORDS]!;
      const width = (content & CONTENT.widthMask) >> CONTENT.widthShift;
      assert.ok(width === 1 || width === 2, `width ${width} at ${x}`);
      if (width === 2) assert.is(line.words[(x + 1) * CELL_WORDS], 0, 'right half is empty');
      x += width;
    }
    assert.is(x, view.size.cols, 'a wide cluster reaches over the edge');
    const text = rowText(line);
    assert.not.match(text, /[\u0000-\u001f\u007f-\u009f]/u);
  }
  for (const span of cells.spans) checkSpan(view, cells, span);
  if (cells.caret) {
    assert.ok(cells.caret.x >= 0 && cells.caret.x < view.size.cols);
    assert.ok(cells.caret.y >= 0 && cells.caret.y < view.size.rows);
  }
}

/** A pane shows through a preview no further than it reaches. */
function checkPreview(view: ChromeView, span: ChromeCells['spans'][number]): void {
  const shown = view.overlay?.type === 'browser' ? (view.overlay.previewPanes ?? []) : [];
  const isWithin = ({ id, size }: PreviewPane): boolean =>
    id === span.pane && span.paneX + span.width <= size.cols && span.paneY < size.rows && span.paneY >= 0;
  assert.ok(shown.some(isWithin));
}

function checkSpan(view: ChromeView, cells: ChromeCells, span: ChromeCells['spans'][number]): void {
  if (cells.hit(span.x, span.y).type === 'overlay-preview') return checkPreview(view, span);
  const { rect } = view.panes.find(pane => pane.id === span.pane)!;
  assert.ok(span.width > 0 && span.x >= 0 && span.x + span.width <= view.size.cols);
  assert.ok(span.y >= 0 && span.y < view.size.rows);
  assert.ok(span.paneX >= 0 && span.paneX + span.width <= rect.width);
  assert.ok(span.paneY >= 0 && span.paneY < rect.height);
  const { panes } = areas(view.size, {
    sidebarWidth: view.sidebar?.width ?? 0,
    sidebarOverlay: view.size.cols <= SIDEBAR_OVERLAY_UP_TO,
    bottomRow: view.hints !== undefined,
  });
  assert.is(span.x - panes.x + view.offset.x, rect.x + span.paneX);
  assert.is(span.y - panes.y + view.offset.y, rect.y + span.paneY);
  for (const x of [span.x, span.x + span.width - 1]) {
    const hit = { type: 'pane', pane: span.pane, x: span.paneX + x - span.x, y: span.paneY };
    assert.equal(cells.hit(x, span.y), hit);
  }
}

test('any view at any size gives lines of exactly its width and spans inside their panes', () => {
  const screen = new ChromeScreen(SIZE, numberedTheme());
  fc.assert(
    fc.property(anyView(), view => checkCells(view, screen.render(view))),
    { numRuns: 100 },
  );
  screen.dispose();
});

test('a screen that has drawn other views draws a view as a fresh screen does', () => {
  const screen = new ChromeScreen(SIZE, numberedTheme());
  fc.assert(
    fc.property(anyView(), fc.integer({ min: 0, max: 2 }), (view, i) => {
      const sized = { ...view, size: i === 0 ? view.size : SIZE };
      const used = screen.render(sized);
      const fresh = render(sized);
      assert.equal(screenText(used), screenText(fresh));
      assert.equal(used.spans, fresh.spans);
      for (const [y, line] of used.lines.entries()) assert.equal(line.words, fresh.lines[y]!.words);
    }),
    { numRuns: 25 },
  );
  screen.dispose();
});

test('every size from 1×1 on is drawn, and says so where it is too small', () => {
  const screen = new ChromeScreen(SIZE, numberedTheme());
  for (const [cols, rows] of [
    [1, 1],
    [5, 2],
    [19, 6],
    [20, 5],
    [20, 6],
    [60, 18],
    [500, 200],
  ] as const) {
    const view = { ...sampleView(SIZE), size: { cols, rows } };
    const cells = screen.render(view);
    checkCells(view, cells);
    const isSmall = cols < 20 || rows < 6;
    assert.is(/^\s*t/m.test(screenText(cells).join('\n')), isSmall, `${cols}×${rows}`);
    if (isSmall) assert.is(cells.spans.length, 0);
  }
  screen.dispose();
});

test('sizes beyond all reason are cut, not allocated', () => {
  const cells = render({ ...sampleView(SIZE), size: { cols: 65535, rows: 65535 } });
  assert.equal(cells.size, { cols: 1000, rows: 500 });
});

test('an equal view gives the same object again, a changed one keeps the lines that did not change', () => {
  const screen = new ChromeScreen(SIZE, numberedTheme());
  const first = screen.render(sampleView(SIZE));
  assert.is(screen.render(sampleView(SIZE)), first);
  const sample = sampleView(SIZE);
  const second = screen.render({ ...sample, status: { ...sample.status, clock: '09:42' } });
  assert.is.not(second, first);
  assert.is.not(second.lines[0], first.lines[0]);
  for (let y = 1; y < SIZE.rows; y++) assert.is(second.lines[y], first.lines[y]);
  screen.dispose();
});

test('another theme recolours the same view', () => {
  const screen = new ChromeScreen(SIZE, numberedTheme());
  const colored = screen.render(sampleView(SIZE));
  screen.setTheme(monoTheme());
  const mono = screen.render(sampleView(SIZE));
  assert.equal(screenText(mono), screenText(colored));
  assert.is.not(mono.lines[1]!.words[1], colored.lines[1]!.words[1]);
  screen.dispose();
});

test('borders stay in one column whatever emoji the headers hold', () => {
  const names = ['🍌', '✅', '⚙️', '👩‍👩‍👧', '🇳🇴', '1️⃣', '港口泊位'];
  for (const name of names) {
    const sample = sampleView(SIZE);
    const cells = render({
      ...sample,
      panes: sample.panes.map(pane => ({ ...pane, name: `${name} ${name}` })),
    });
    const border = sample.sidebar!.width + 1 + sample.panes[0]!.rect.width;
    for (let y = 1; y < SIZE.rows - 1; y++) {
      const code = cells.lines[y]!.words[border * CELL_WORDS]! & CONTENT.codepointMask;
      assert.match('┬│├', String.fromCodePoint(code), `${name} in row ${y}`);
    }
  }
});

test('an overlay hides the panes under it, and half a wide cluster at its edge shows nothing', () => {
  const sample = sampleView(SIZE);
  const cells = render({ ...sample, overlay: picker() });
  const row = cells.spans.filter(span => span.y === 10);
  assert.ok(row.reduce((sum, span) => sum + span.width, 0) < 20);
  assert.is(render({ ...sample, overlay: browser() }).spans.length, 0);
  for (let width = 30; width < 40; width++) {
    const rows = [{ id: 'w', kind: 'item' as const, text: '港'.repeat(40), note: '', depth: 1 }];
    const sidebar = {
      title: '',
      rows: Array.from({ length: 30 }, () => rows[0]!),
      selected: '',
      focused: false,
      width,
    };
    const view = { ...sample, sidebar, overlay: picker() };
    checkCells(view, render(view));
  }
});

test('blessed leaves no process listener behind, and none while it is there', () => {
  const events = ['exit', 'uncaughtException', 'SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGWINCH'];
  const count = (): number[] => events.map(event => process.listenerCount(event));
  const mine = (): void => {};
  process.on('SIGTERM', mine);
  const before = count();
  const screens = [1, 2, 3].map(() => new ChromeScreen(SIZE, numberedTheme()));
  assert.equal(count(), before);
  for (const screen of screens) screen.dispose();
  screens[0]!.dispose();
  assert.equal(count(), before);
  assert.ok(process.listeners('SIGTERM').includes(mine));
  process.removeListener('SIGTERM', mine);
});

test('nothing is written to the terminal', () => {
  const writes: unknown[] = [];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((chunk: unknown) => writes.push(chunk) > 0) as typeof process.stdout.write;
  try {
    render(sampleView(SIZE));
  } finally {
    process.stdout.write = write;
  }
  assert.equal(writes, []);
});

test('more different clusters than there are stand-ins are shown as far as they go, and forgotten later', () => {
  const screen = new ChromeScreen({ cols: 500, rows: 200 }, numberedTheme());
  const wide = (from: number): ChromeView => ({
    ...sampleView({ cols: 500, rows: 200 }),
    overlay: browser({
      preview: Array.from({ length: 190 }, (_, y) => [
        {
          text: Array.from({ length: 140 }, (_c, x) =>
            String.fromCodePoint(0x4e00 + ((from + y * 140 + x) % 20000)),
          ).join(''),
        },
      ]),
    }),
  });
  const first = screen.render(wide(0));
  checkCells(wide(0), first);
  const later = screen.render({ ...sampleView({ cols: 500, rows: 200 }), overlay: browser({ title: '終' }) });
  assert.match(screenText(later)[0]!, '終');
  screen.dispose();
});

test.run();
