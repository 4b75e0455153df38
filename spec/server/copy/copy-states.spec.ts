import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matchLines, type LineMatcher } from '../../../lib/mode/copy/pattern.ts';
import { OptionStore } from '../../../lib/options/store.ts';
import { boundedMatcher } from '../../../lib/server/drive/bounded-match.ts';
import { CopyStates } from '../../../lib/server/copy/copy-states.ts';
import type { Emulator } from '../../../lib/term/emulator.ts';
import { captureLines } from '../../../lib/term/text-dump.ts';
import { attach, type Attached } from '../client/attached.ts';

const test = suite('copy states');
const PANE = 0;

interface Scene extends Attached {
  readonly screen: Emulator;
  readonly states: CopyStates;
  readonly options: OptionStore;
  readonly copied: string[];
  readonly told: string[];
  /** Runs what was put off, until nothing is. */
  run(): void;
  /** Milliseconds that every look at the clock takes. */
  pace: number;
  do(name: string, ...args: readonly string[]): void;
}

function scene(lines = 90, matcher: LineMatcher = matchLines): Scene {
  const attached = attach();
  const { model } = attached.services;
  const screen = model.sessionOf(model.windows.pane(PANE)!).terminal!.view as Emulator;
  screen.write(Buffer.from(Array.from({ length: lines }, (_, i) => `line ${i}\r\n`).join('')));
  const options = new OptionStore();
  const later: (() => void)[] = [];
  const copied: string[] = [];
  const told: string[] = [];
  let time = 0;
  const asker = { message: (text: string) => void told.push(text) };
  const made: Scene = {
    ...attached,
    screen,
    options,
    copied,
    told,
    pace: 0,
    states: new CopyStates({
      model,
      options,
      matcher,
      changed: () => undefined,
      copy: text => void copied.push(text),
      now: () => (time += made.pace),
      soon: step => {
        later.push(step);
        return { dispose: () => void later.splice(later.indexOf(step), 1) };
      },
    }),
    run: () => {
      for (let step = later.shift(); step; step = later.shift()) step();
    },
    do: (name, ...args) => made.states.action(PANE, name, asker, args),
  };
  return made;
}

test('actions do nothing where there is no copy mode, and end with it', () => {
  const s = scene();
  s.do('cursor-up');
  assert.is(s.states.get(PANE), undefined);
  s.states.enter(PANE);
  s.do('history-top');
  assert.is(s.states.offset(PANE), s.screen.historySize);
  s.do('cancel');
  assert.not(s.states.has(PANE));
});

test('what is looked at stays in place while lines arrive below, and the header counts them', () => {
  const s = scene();
  s.states.enter(PANE);
  s.do('page-up');
  const before = s.states.offset(PANE);
  s.screen.write(Buffer.from('more\r\n'.repeat(7)));
  assert.is(s.states.offset(PANE), before + 7);
  assert.match(s.states.position(PANE), /\+7 new\]$/);
});

test('what the wheel began ends at the bottom, what a key began does not', () => {
  for (const leavesAtBottom of [true, false]) {
    const s = scene();
    s.states.enter(PANE, { leavesAtBottom });
    s.do('wheel-up');
    s.do('wheel-down');
    assert.is(s.states.has(PANE), !leavesAtBottom);
  }
});

test('a selection keeps the wheel from leaving', () => {
  const s = scene();
  s.states.enter(PANE, { leavesAtBottom: true });
  s.do('wheel-up');
  s.do('begin-selection');
  s.do('wheel-down');
  assert.ok(s.states.has(PANE));
});

test('panes that do not exist are never in copy mode, and those that go are forgotten', () => {
  const s = scene();
  s.states.enter(99);
  assert.not(s.states.has(99));
  s.states.enter(PANE);
  s.states.keep(pane => pane !== PANE);
  assert.not(s.states.has(PANE));
});

test('a long search is done in slices; keys pressed meanwhile wait, Escape does not', () => {
  const s = scene(3000);
  s.pace = 10;
  s.states.enter(PANE);
  s.do('search-backward', 'line 2950$');
  s.do('begin-selection');
  s.do('end-of-line');
  s.do('copy-selection');
  s.run();
  assert.equal(s.copied, ['line 2950\n']);
  assert.is(s.states.get(PANE)?.search?.count?.total, 1);
});

test('a search that is given up stops, with the keys that waited for it', () => {
  const s = scene();
  s.pace = 10;
  s.states.enter(PANE);
  s.do('search-backward', 'nowhere');
  s.do('history-top');
  s.do('cancel');
  s.run();
  assert.not(s.states.has(PANE));
});

test('Enter does not stop the search that was typed, however long it takes', () => {
  const s = scene();
  s.pace = 10;
  s.states.enter(PANE);
  for (const text of ['=li', '=line 7$', '!line 7$']) s.do('search-backward-incremental', text);
  s.run();
  const state = s.states.get(PANE)!;
  assert.is(state.search?.count?.total, 1);
  assert.is(s.states.context(PANE)!.reader.row(state.cursor.y).cells.join('').trim(), 'line 7');
});

test('output during a search does not lead it astray', () => {
  const s = scene();
  s.pace = 10;
  s.states.enter(PANE);
  s.do('search-backward', 'line 7$');
  s.screen.write(Buffer.from('more\r\n'.repeat(5)));
  s.run();
  const state = s.states.get(PANE)!;
  assert.is(s.states.context(PANE)!.reader.row(state.cursor.y).cells.join('').trim(), 'line 7');
});

test('a regular expression that takes for ever is given up, and told', () => {
  const s = scene(0, boundedMatcher(20));
  s.screen.write(Buffer.from(`${'a'.repeat(60)}!\r\n`));
  s.states.enter(PANE);
  const begun = Date.now();
  s.do('search-backward', '(a+)+$');
  s.run();
  assert.ok(Date.now() - begun < 5000);
  assert.match(s.told[0]!, /takes too long/);
  assert.match(s.states.position(PANE), /pattern too slow/);
  assert.equal(s.states.lit(PANE), [], 'nor is it tried in every frame');
});

test('a bad regular expression is told in a word and changes nothing', () => {
  const s = scene();
  s.states.enter(PANE);
  s.do('search-forward', 'a(');
  assert.match(s.told[0]!, /no regular expression/);
  assert.is(s.states.get(PANE)?.search, undefined);
});

test('matches and the selection are lit, the selection over them', () => {
  const s = scene();
  s.states.enter(PANE);
  s.do('search-backward', 'line 8');
  s.do('select-line');
  const as = s.states.lit(PANE).map(stretch => stretch.as);
  assert.ok(as.includes('match') && as.includes('current'));
  assert.is(as.at(-1), 'selection');
});

test('the screen of a full-screen program stands still while one looks at it, and is as it is now afterwards', () => {
  const s = scene(0);
  const draw = (text: string): void => s.screen.write(Buffer.from(`\x1b[H\x1b[2J${text}`));
  s.screen.write(Buffer.from('\x1b[?1049h'));
  draw('old \x1b[1;4:3mtext\x1b[m 漢字');
  s.states.enter(PANE);
  const shown = (): readonly string[] => captureLines(s.states.view(PANE)!).slice(0, 2);
  draw('new');
  assert.equal(shown(), ['old text 漢字', '']);
  assert.is(s.states.view(PANE)!.line(0)!.extended(4)?.underlineStyle, 3);
  s.do('search-backward-text', 'text');
  s.run();
  s.do('select-word');
  s.do('copy-selection-no-clear');
  assert.equal(s.copied, ['text']);
  s.screen.resize(20, 3);
  s.screen.write(Buffer.from('\x1b[?1049l'));
  assert.equal(shown(), ['old text 漢字', '']);
  assert.is(s.states.get(PANE)!.cursor.y, 0);
  s.screen.write(Buffer.from('\x1b[?1049h'));
  draw('newer');
  s.do('refresh-from-pane');
  assert.equal(shown(), ['newer', '']);
  s.do('cancel');
  draw('live');
  assert.equal(shown(), ['live', '']);
});

test.run();
