/**
 * Views for specs: one like a real screen, and arbitrary ones of any size with hostile text.
 */
import * as fc from 'fast-check';
import type { Size } from '../../lib/base/geometry.ts';
import { ROLES, type Role, type StyledLine } from '../../lib/base/styled.ts';
import type { Theme, ThemeStyle } from '../../lib/config/theme.ts';
import type {
  BrowserView,
  ChromeView,
  DialogView,
  HelpView,
  OverlayView,
  PaneView,
  PickerView,
  SessionState,
  SidebarRow,
} from '../../lib/chrome/view.ts';

export const STATES: readonly SessionState[] = [
  'working',
  'needs-you',
  'ready',
  'starting',
  'stopped',
  'failed',
];

const PLAIN: ThemeStyle = {
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

export function style(change: Partial<ThemeStyle> = {}): ThemeStyle {
  return { ...PLAIN, ...change };
}

/** A theme in which the number of a colour is the number of its role (plus 0x100 as a ground). */
export function numberedTheme(): Theme {
  const color = (rgb: number): { rgb: number; c256: number; c16: number } => ({
    rgb,
    c256: rgb & 255,
    c16: 7,
  });
  const grounds: readonly Role[] = ['selection', 'tab-focus'];
  const entry = (role: Role, i: number): [Role, ThemeStyle] => [
    role,
    style({
      fg: role === 'bg' || role === 'selection' ? 'default' : color(i),
      bg: grounds.includes(role) ? color(0x100 + i) : 'default',
    }),
  ];
  return { name: 'numbered', roles: Object.fromEntries(ROLES.map(entry)) as Record<Role, ThemeStyle> };
}

/** A theme without colours. */
export function monoTheme(): Theme {
  const roles = Object.fromEntries(ROLES.map(role => [role, style()])) as Record<Role, ThemeStyle>;
  return { name: 'mono', roles: { ...roles, dim: style({ dim: true }), accent: style({ bold: true }) } };
}

export function pane(id: number, change: Partial<PaneView> = {}): PaneView {
  return {
    id,
    rect: { x: 0, y: 0, width: 10, height: 5 },
    focused: false,
    name: `pane-${id}`,
    agent: 'bash',
    git: '',
    state: 'ready',
    age: '',
    position: '',
    synchronized: false,
    number: undefined,
    ...change,
  };
}

const ROWS: readonly SidebarRow[] = [
  { id: 'roles', kind: 'section', text: 'Roles', note: '2', depth: 0, open: true },
  { id: 'role/default', kind: 'item', text: 'default', note: 'd', depth: 1 },
  { id: 'bad', kind: 'diagnostic', text: 'bad.role.md:3', note: '', depth: 1 },
  { id: 'lores', kind: 'section', text: 'Lores', note: '17', depth: 0, open: false },
  { id: 'sessions', kind: 'section', text: 'Sessions', note: '2', depth: 0, open: true },
  { id: 's1', kind: 'session', text: 'review', note: '12s', depth: 1, state: 'needs-you' },
  { id: 's2', kind: 'session', text: '港口 🍌', note: '4m', depth: 1, state: 'working' },
  { id: 'none', kind: 'empty', text: 'no tasks', note: '', depth: 1 },
];

/** A sidebar, two panes side by side, a third below the right one. */
export function sampleView(size: Size, change: Partial<ChromeView> = {}): ChromeView {
  const sidebar = size.cols >= 80 ? 24 : 0;
  const window = { cols: size.cols - (sidebar > 0 ? sidebar + 1 : 0), rows: size.rows - 3 };
  const left = Math.floor(window.cols / 2);
  const right = window.cols - left - 1;
  const half = Math.floor(window.rows / 2);
  return {
    size,
    tabs: [
      { index: 1, name: 'api', active: true, state: 'working', zoomed: false, synchronized: false },
      { index: 2, name: 'review', active: false, state: 'needs-you', zoomed: false, synchronized: false },
    ],
    status: {
      graphTitle: 'harbor',
      branch: 'main',
      counts: { working: 1, 'needs-you': 1, ready: 0, starting: 0, stopped: 0, failed: 0 },
      unread: 0,
      clock: '09:41',
      mark: '',
    },
    sidebar:
      sidebar > 0
        ? { title: 'harbor', rows: ROWS, selected: 's1', focused: false, width: sidebar }
        : undefined,
    window,
    offset: { x: 0, y: 0 },
    panes: [
      pane(1, {
        rect: { x: 0, y: 0, width: left, height: window.rows },
        focused: true,
        name: 'fix-login',
        agent: 'claude',
        git: '⎇ kim/fix +3',
        state: 'working',
        age: '4m',
      }),
      pane(2, { rect: { x: left + 1, y: 0, width: right, height: half } }),
      pane(3, {
        rect: { x: left + 1, y: half + 1, width: right, height: window.rows - half - 1 },
        name: '👩‍👩‍👧 港口',
        state: 'needs-you',
        age: '12s',
      }),
    ],
    emptyText: 'no panes: C-b c opens one',
    hints: [
      { key: 'C-b ?', text: 'help' },
      { key: ':', text: 'command' },
      { key: 'd', text: 'detach' },
    ],
    message: undefined,
    prompt: undefined,
    prefixHeld: false,
    overlay: undefined,
    ...change,
  };
}

export function picker(change: Partial<PickerView> = {}): PickerView {
  return {
    type: 'picker',
    title: 'Sessions',
    filter: 'fi',
    caret: 2,
    items: [
      { id: 'a', line: [{ text: 'fi', role: 'accent', bold: true }, { text: 'x-login' }], note: 'working' },
      {
        id: 'b',
        line: [{ text: 'con' }, { text: 'fi', role: 'accent', bold: true }, { text: 'g' }],
        note: '',
      },
    ],
    selected: 1,
    total: 5,
    hint: 'Enter open   Esc close',
    empty: 'nothing matches',
    ...change,
  };
}

export function dialog(change: Partial<DialogView> = {}): DialogView {
  return {
    type: 'dialog',
    title: 'Stop session',
    lines: [[{ text: 'Stop ' }, { text: 'fix-login', bold: true }, { text: '? Its log is kept.' }]],
    hint: 'y stop   n keep (default)',
    ...change,
  };
}

export function help(change: Partial<HelpView> = {}): HelpView {
  const groups = ['Panes', 'Windows', 'Copy mode'].map(title => ({
    title,
    keys: [
      { key: 'C-b %', text: 'split left and right' },
      { key: 'C-b "', text: 'split top and bottom' },
    ],
  }));
  return { type: 'help', filter: '', caret: 0, groups, scroll: 0, ...change };
}

export function browser(change: Partial<BrowserView> = {}): BrowserView {
  return {
    type: 'browser',
    title: 'Lores',
    facets: [
      { text: 'db', active: true },
      { text: 'ops', active: false },
    ],
    filter: 'lock',
    caret: 4,
    filterLabel: 'filter',
    items: [
      { id: 'db/locks', line: [{ text: 'db/locks' }], note: 'db' },
      { id: 'ops/lockout', line: [{ text: 'ops/lockout' }], note: 'ops' },
    ],
    selected: 0,
    total: 17,
    preview: [
      [{ text: 'Locks', bold: true }],
      [],
      [{ text: 'A berth is locked before the select, never after it.' }],
    ],
    previewTitle: 'db/locks.lore.md',
    previewScroll: 0,
    hints: [{ key: 'Esc', text: 'close' }],
    empty: 'no lore matches',
    ...change,
  };
}

const PIECES = [
  'a',
  'name',
  ' ',
  '🍌',
  '✅',
  '⚙️',
  '👩‍👩‍👧',
  '🇳🇴',
  '1️⃣',
  '港',
  '각',
  '각',
  'é',
  '\u0301',
  '\x1b[31m',
];
const HOSTILE = [
  '\x07',
  '\r\n',
  '\t',
  '\u009b',
  '\u202e',
  '\ud83c',
  '\uf8ff',
  '\ue000',
  '\ue400',
  'ﷺ',
  'x'.repeat(90),
];

export const text = (): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES, ...HOSTILE), { maxLength: 8 }).map(parts => parts.join(''));

const line = (): fc.Arbitrary<StyledLine> =>
  fc.array(
    fc.record({ text: text(), role: fc.constantFrom(...ROLES), bold: fc.boolean(), inverse: fc.boolean() }),
    { maxLength: 4 },
  );
const state = (): fc.Arbitrary<SessionState> => fc.constantFrom(...STATES);
const small = (): fc.Arbitrary<number> => fc.integer({ min: -2, max: 40 });

/** Sizes from 1×1 to 500×200, small ones more often. */
export const size = (): fc.Arbitrary<Size> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ cols: fc.integer({ min: 1, max: 130 }), rows: fc.integer({ min: 1, max: 45 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        cols: fc.integer({ min: 1, max: 500 }),
        rows: fc.integer({ min: 1, max: 200 }),
      }),
    },
  );

/** Panes cut from a window by random splits, each with one border cell between neighbours. */
const panes = (window: Size): fc.Arbitrary<PaneView[]> =>
  fc
    .array(fc.tuple(fc.nat(30), fc.boolean(), fc.double({ min: 0.1, max: 0.9, noNaN: true })), {
      maxLength: 8,
    })
    .chain(cuts => {
      const rects = [{ x: 0, y: 0, width: window.cols, height: window.rows }];
      for (const [pick, beside, share] of cuts) {
        const i = pick % rects.length;
        const r = rects[i]!;
        const first = Math.max(1, Math.floor((beside ? r.width : r.height) * share));
        if ((beside ? r.width : r.height) - first - 1 < 1) continue;
        const a = beside ? { ...r, width: first } : { ...r, height: first };
        const b = beside
          ? { ...r, x: r.x + first + 1, width: r.width - first - 1 }
          : { ...r, y: r.y + first + 1, height: r.height - first - 1 };
        rects.splice(i, 1, a, b);
      }
      return fc.tuple(
        ...rects.map((rect, i) =>
          fc
            .record({
              name: text(),
              agent: text(),
              git: text(),
              state: state(),
              age: text(),
              position: text(),
              synchronized: fc.boolean(),
              number: fc.option(fc.record({ key: text(), index: fc.nat(999) }), { nil: undefined }),
            })
            .map(parts => ({ id: i + 1, rect, focused: i === 0, ...parts })),
        ),
      );
    });

const item = (): fc.Arbitrary<{ id: string; line: StyledLine; note: string }> =>
  fc.record({ id: text(), line: line(), note: text() });
const hints = (): fc.Arbitrary<{ key: string; text: string }[]> =>
  fc.array(fc.record({ key: text(), text: text() }), { maxLength: 50 });

const overlay = (): fc.Arbitrary<OverlayView | undefined> => {
  const shared = {
    title: text(),
    filter: text(),
    caret: small(),
    items: fc.array(item(), { maxLength: 30 }),
    selected: small(),
    total: small(),
  };
  return fc.option(
    fc.oneof(
      fc.record({ ...shared, type: fc.constant('picker' as const), hint: text(), empty: text() }),
      fc.record({
        type: fc.constant('dialog' as const),
        title: text(),
        lines: fc.array(line(), { maxLength: 30 }),
        input: fc.record({ text: text(), caret: small() }),
        hint: text(),
      }),
      fc.record({
        type: fc.constant('help' as const),
        filter: text(),
        caret: small(),
        groups: fc.array(fc.record({ title: text(), keys: hints() }), { maxLength: 5 }),
        scroll: small(),
      }),
      fc.record({
        ...shared,
        type: fc.constant('browser' as const),
        facets: fc.array(fc.record({ text: text(), active: fc.boolean() }), { maxLength: 5 }),
        filterLabel: text(),
        preview: fc.array(line(), { maxLength: 30 }),
        previewTitle: text(),
        previewScroll: small(),
        previewPanes: fc.array(
          fc.record({
            id: fc.nat(9),
            title: text(),
            size: fc.record({ cols: fc.nat(200), rows: fc.nat(60) }),
            row: small(),
          }),
          { maxLength: 4 },
        ),
        hasPreview: fc.boolean(),
        hints: hints(),
        empty: text(),
      }),
      fc.record({
        type: fc.constant('menu' as const),
        title: text(),
        at: fc.record({
          x: fc.oneof(small(), fc.constant('center' as const)),
          y: fc.oneof(small(), fc.constant('center' as const)),
        }),
        entries: fc.array(
          fc.option(fc.record({ text: text(), key: text(), isEnabled: fc.boolean() }), { nil: undefined }),
          { maxLength: 30 },
        ),
        selected: small(),
      }),
    ),
    { nil: undefined },
  );
};

const row = (): fc.Arbitrary<SidebarRow> =>
  fc.record({
    id: text(),
    kind: fc.constantFrom('section', 'item', 'diagnostic', 'session', 'empty'),
    text: text(),
    note: text(),
    depth: small(),
    open: fc.boolean(),
    state: state(),
  });

/** Any view. The window's size is near the screen's, so that it is cut and padded in turn. */
export const anyView = (): fc.Arbitrary<ChromeView> =>
  size().chain(screen =>
    fc
      .record({
        cols: fc.integer({ min: -20, max: 20 }).map(d => Math.max(1, screen.cols + d)),
        rows: fc.integer({ min: -8, max: 8 }).map(d => Math.max(1, screen.rows + d)),
      })
      .chain(window =>
        fc.record({
          size: fc.constant(screen),
          tabs: fc.array(
            fc.record({
              index: fc.nat(99),
              name: text(),
              active: fc.boolean(),
              state: state(),
              zoomed: fc.boolean(),
              synchronized: fc.boolean(),
            }),
            { maxLength: 12 },
          ),
          status: fc.record({
            graphTitle: text(),
            branch: text(),
            counts: fc.constant({
              working: 1,
              'needs-you': 12,
              ready: 0,
              starting: 0,
              stopped: 3,
              failed: 0,
            }),
            unread: fc.nat(200),
            clock: text(),
            mark: text(),
          }),
          sidebar: fc.option(
            fc.record({
              title: text(),
              rows: fc.array(row(), { maxLength: 60 }),
              selected: text(),
              focused: fc.boolean(),
              width: fc.integer({ min: 0, max: 40 }),
            }),
            { nil: undefined },
          ),
          window: fc.constant(window),
          offset: fc.record({ x: fc.integer({ min: 0, max: 12 }), y: fc.integer({ min: 0, max: 6 }) }),
          panes: fc.oneof({ weight: 9, arbitrary: panes(window) }, { weight: 1, arbitrary: fc.constant([]) }),
          emptyText: text(),
          hints: fc.option(hints(), { nil: undefined }),
          message: fc.option(
            fc.record({ text: text(), tone: fc.constantFrom('info' as const, 'error' as const) }),
            {
              nil: undefined,
              freq: 2,
            },
          ),
          prompt: fc.option(fc.record({ label: text(), text: text(), caret: small() }), {
            nil: undefined,
            freq: 2,
          }),
          prefixHeld: fc.boolean(),
          overlay: overlay(),
        }),
      ),
  );
