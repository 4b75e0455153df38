import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { plain } from '../../lib/base/styled.ts';
import { browser, reduceBrowser, selectedLore } from '../../lib/mode/browser.ts';
import type { Browser, BrowserEvent } from '../../lib/mode/browser.ts';
import { browserView } from '../../lib/mode/browser-view.ts';
import { GRAPH, lore } from './graph.ts';

const test = suite('lore browser');

const run = (state: Browser, ...events: BrowserEvent[]): Browser =>
  events.reduce((s, event) => reduceBrowser(s, event).state, state);
const type = (text: string): BrowserEvent => ({ type: 'text', text });
const start = browser(GRAPH.lores);
const shown = (state: Browser): string[] =>
  browserView(state).items.map(item => item.id.slice('lores/'.length));
const hit = (
  path: string,
  matchCount: number,
): { name: string; matchCount: number; snippets: { line: number; text: string }[] } => ({
  name: `lores/${path}`,
  matchCount,
  snippets: [{ line: 7, text: 'x' }],
});

test('all labels are facets with their counts', () => {
  assert.equal(
    browserView(start).facets.map(f => f.text),
    ['>area=core 1', 'area=db 2', 'kind=guide 1', 'kind=rule 1'],
  );
});

test('of one key any chosen value will do, of several keys each must fit', () => {
  const db = run(start, { type: 'facet', index: 1 });
  assert.equal(shown(db), ['db/locks', 'db/migrations']);
  assert.equal(shown(run(db, { type: 'facet', index: 3 })), ['db/locks']);
  assert.equal(shown(run(db, { type: 'facet', index: 0 })), ['db/locks', 'db/migrations', 'overview']);
  assert.equal(shown(run(db, 'facet-clear')), shown(start));
  assert.equal(shown(run(start, 'facet-next', 'facet-toggle')), shown(db));
  assert.equal(shown(run(db, 'facet-toggle')), shown(start));
  assert.is(browserView(db).facets[1]!.active, true);
});

test('the lores that link to one are listed as what a search has found', () => {
  const asked = reduceBrowser(run(start, 'down'), 'backlinks');
  const [intent] = asked.intents;
  assert.is(intent?.type, 'backlinks');
  const query = `[[${selectedLore(asked.state)!.name.slice('lores/'.length)}]]`;
  const state = run(asked.state, { type: 'hits', query, hits: [hit('overview', 1)] });
  assert.equal(shown(state), ['overview']);
  assert.is(browserView(state).filter, query);
  assert.equal(shown(run(state, 'cancel')), shown(start));
});

test('links are followed from lore to lore, whatever is filtered, and gone back one by one', () => {
  const follow = (state: Browser, type: 'links' | 'backlinks', to: string): Browser => {
    const asked = reduceBrowser(state, type);
    const [intent] = asked.intents;
    assert.ok(intent?.type === type && intent.name === selectedLore(state)!.name);
    return run(asked.state, { type: 'hits', query: intent.query, hits: [hit(to, 1)] });
  };
  const locks = run(start, 'filter', type('locks'), 'accept', { type: 'facet', index: 1 });
  assert.is(selectedLore(locks)?.name, 'lores/db/locks');
  const there = follow(locks, 'links', 'overview');
  assert.equal(shown(there), ['overview']);
  assert.is(browserView(there).filter, 'from [[db/locks]]');
  const further = follow(there, 'backlinks', 'db/migrations');
  const back = run(further, 'return');
  assert.is(selectedLore(back)?.name, 'lores/overview');
  assert.equal(shown(back), shown(start));
  assert.is(selectedLore(run(back, 'return'))?.name, 'lores/db/locks');
  assert.is(selectedLore(run(back, 'return', 'return'))?.name, 'lores/db/locks', 'no further');
  let long = start;
  for (let i = 0; i < 300; i++) long = follow(run(long, 'cancel'), 'links', 'db/locks');
  assert.is(long.trail.length, 100);
});

test('letters are keys in the list and text in the filter line', () => {
  assert.equal(shown(run(start, type('mig'))), shown(start));
  const state = run(start, 'filter', type('mig'));
  assert.equal(shown(state), ['db/migrations']);
  assert.is(browserView(state).filterLabel, 'filter');
  assert.is(run(state, 'accept').focus, 'list');
  assert.equal(shown(run(state, 'accept')), ['db/migrations']);
});

test('the filter looks into descriptions too, behind names', () => {
  assert.equal(shown(run(start, 'filter', type('rows locked'))), ['db/locks']);
  const state = run(browser([lore('a', {}, 'about locks'), lore('locks')]), 'filter', type('locks'));
  assert.equal(shown(state), ['locks', 'a']);
});

test('full text is searched by somebody else, and the newest question counts', () => {
  const asked = reduceBrowser(run(start, 'search', type('lock')), 'accept');
  assert.equal(asked.intents, [{ type: 'search', query: 'lock' }]);
  assert.is(browserView(asked.state).filterLabel, 'full text');
  assert.equal(
    reduceBrowser(asked.state, 'accept').intents,
    [],
    'nothing is opened before the answer is there',
  );
  const stale = run(asked.state, { type: 'hits', query: 'loc', hits: [hit('overview', 1)] });
  assert.equal(shown(stale), shown(start));
  const found = run(asked.state, {
    type: 'hits',
    query: 'lock',
    hits: [hit('overview', 2), hit('gone', 1), hit('db/locks', 1)],
  });
  assert.equal(shown(found), ['overview', 'db/locks']);
  assert.is(browserView(found).items[0]!.note, '2 :7');
  assert.is(found.selected, 'lores/overview');
  const none = run(asked.state, { type: 'hits', query: 'lock', hits: [], error: 'bad pattern: (' });
  assert.is(browserView(none).empty, 'bad pattern: (');
});

test('cancel leaves the topmost thing and nothing else', () => {
  const state = run(
    start,
    'filter',
    type('db'),
    'accept',
    'search',
    type('x'),
    'accept',
    { type: 'hits', query: 'x', hits: [] },
    'search',
    type('y'),
  );
  const noEdit = run(state, 'cancel');
  assert.is(noEdit.focus, 'list');
  assert.is(noEdit.query.text, 'x');
  const noSearch = run(noEdit, 'cancel');
  assert.is(noSearch.search, undefined);
  assert.is(noSearch.filter.text, 'db');
  const noFilter = run(noSearch, 'cancel');
  assert.is(noFilter.filter.text, '');
  assert.equal(reduceBrowser(noFilter, 'cancel').intents, [{ type: 'cancel' }]);
});

test('keys on the selected lore ask for it by name and file', () => {
  const state = run(start, 'down');
  for (const [action, kind] of [
    ['accept', 'open'],
    ['copy', 'copy'],
    ['insert-path', 'insert-path'],
    ['edit', 'edit'],
  ] as const) {
    assert.equal(reduceBrowser(state, action).intents, [
      { type: kind, name: 'lores/db/migrations', file: '.sgpt/lores/db/migrations.md' },
    ]);
  }
  assert.equal(reduceBrowser(browser([]), 'accept').intents, []);
});

test('the selection stays on its lore when the graph changes', () => {
  const state = run(start, 'bottom');
  assert.is(
    run(state, { type: 'lores', lores: [lore('a'), lore('b'), lore('overview')] }).selected,
    'lores/overview',
  );
  assert.is(run(state, { type: 'lores', lores: [lore('a'), lore('b')] }).selected, 'lores/b');
  assert.is(run(state, { type: 'lores', lores: [] }).selected, '');
  assert.is(browserView(browser([])).empty, 'no lores yet: add .sgpt/lores/NAME.md');
});

test('facets that no lore has any more are dropped', () => {
  const state = run(
    start,
    { type: 'facet', index: 3 },
    { type: 'lores', lores: [lore('a', { area: 'db' })] },
  );
  assert.equal(state.active, []);
  assert.equal(shown(state), ['a']);
});

test('the preview scrolls within its text and starts anew for another lore', () => {
  const state = run(
    start,
    { type: 'extent', rows: 20, previewRows: 20, previewHeight: 50 },
    'preview-bottom',
  );
  assert.is(state.previewScroll, 30);
  assert.is(run(state, 'preview-down').previewScroll, 30);
  assert.is(run(state, 'preview-page-up').previewScroll, 21);
  assert.is(run(state, 'down').previewScroll, 0);
});

test('names are shown without their folder, titles where they say more', () => {
  const state = browser([{ ...lore('db/locks'), title: 'Row locks' }, lore('overview')]);
  assert.equal(
    browserView(state).items.map(item => plain(item.line)),
    ['db/locks  Row locks', 'overview'],
  );
});

test('labels named like parts of the language are only labels', () => {
  const state = browser([lore('a', { constructor: '1' }), lore('b')]);
  assert.equal(shown(run(state, 'facet-toggle')), ['a']);
});

test('the selection is one of the list or there is none, whatever happens', () => {
  const event = fc.oneof(
    fc.constantFrom<BrowserEvent>(
      'up',
      'down',
      'filter',
      'search',
      'accept',
      'cancel',
      'facet-next',
      'facet-toggle',
      'backspace',
      'preview-down',
      'page-down',
    ),
    fc.constantFrom('d', 'lo', 'zz').map(type),
    fc.subarray([...GRAPH.lores]).map((lores): BrowserEvent => ({ type: 'lores', lores })),
    fc
      .constantFrom('d', 'lo')
      .map((query): BrowserEvent => ({ type: 'hits', query, hits: [hit('db/locks', 1)] })),
    fc.nat(5).map((index): BrowserEvent => ({ type: 'facet', index })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), events => {
      let state = start;
      for (const e of events) {
        state = reduceBrowser(state, e).state;
        const view = browserView(state);
        assert.is(view.items[view.selected]?.id ?? '', state.selected);
        assert.is(selectedLore(state)?.name ?? '', state.selected);
      }
    }),
    { numRuns: 300 },
  );
});

test.run();
