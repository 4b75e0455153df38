import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  reduceTree,
  tree,
  type Tree,
  type TreeEvent,
  type TreeIntent,
  type TreeItem,
} from '../../lib/mode/tree.ts';

const test = suite('mode/tree');
const KIND = { title: 'T', empty: 'none', acts: ['kill', 'command'], orders: ['index', 'name'] };

function item(id: string, parent = '', change: Partial<TreeItem> = {}): TreeItem {
  return { id, parent, text: id, mark: [], note: '', keywords: '', ...change };
}
const ITEMS = [
  item('w1'),
  item('p1', 'w1'),
  item('p2', 'w1'),
  item('w2'),
  item('p3', 'w2', { keywords: 'vim' }),
];

/** The tree after events, and all it asked for. */
function run(start: Tree, ...events: readonly TreeEvent[]): { state: Tree; intents: TreeIntent[] } {
  const intents: TreeIntent[] = [];
  let state = start;
  for (const event of events) {
    const step = reduceTree(state, event);
    state = step.state;
    intents.push(...step.intents);
  }
  return { state, intents };
}
const rows = ({ entries }: Tree): string[] =>
  entries.map(({ item: { id }, depth }) => `${'  '.repeat(depth)}${id}`);

test('branches fold and unfold; folding a leaf folds what holds it', () => {
  const start = tree(KIND, ITEMS, { selected: 'p2' });
  assert.equal(rows(start), ['w1', '  p1', '  p2', 'w2', '  p3']);
  const folded = run(start, 'collapse').state;
  assert.equal(rows(folded), ['w1', 'w2', '  p3']);
  assert.is(folded.selected, 'w1');
  assert.equal(rows(run(folded, 'expand').state), rows(start));
  assert.equal(rows(run(start, 'collapse-all').state), ['w1', 'w2']);
});

test('a filter shows what matches with what holds it, folded or not, and Escape shows all again', () => {
  const start = tree(KIND, ITEMS, { folded: ['w1', 'w2'] });
  const filtered = run(start, 'filter', { type: 'text', text: 'vim' }).state;
  assert.equal(rows(filtered), ['w2', '  p3']);
  assert.is(filtered.selected, 'p3', 'what matches is selected, not its branch');
  const { state, intents } = run(filtered, 'accept', 'accept');
  assert.equal(intents, [{ type: 'accept', id: 'p3' }]);
  assert.equal(rows(run(state, 'cancel').state), ['w1', 'w2']);
  assert.equal(run(state, 'cancel', 'cancel').intents, [...intents.slice(1), { type: 'cancel' }]);
});

test('letters typed into the list are no text; digits choose rows', () => {
  const start = tree(KIND, ITEMS);
  assert.is(run(start, { type: 'text', text: 'z' }).state.filter.text, '');
  assert.equal(run(start, { type: 'text', text: '3' }).intents, [{ type: 'accept', id: 'w2' }]);
  assert.equal(run(start, { type: 'text', text: '9' }).intents, []);
});

test('an act is done to the selected item, its tagged form to the tagged ones alone', () => {
  const tagged = run(tree(KIND, ITEMS), 'tag', 'tag', 'bottom').state;
  assert.equal(run(tagged, 'kill').intents, [{ type: 'act', action: 'kill', ids: ['p3'] }]);
  assert.equal(run(tagged, 'kill-tagged').intents, [{ type: 'act', action: 'kill', ids: ['w1', 'p1'] }]);
  assert.equal(run(tagged, 'command').intents, [{ type: 'act', action: 'command', ids: ['w1', 'p1'] }]);
  assert.equal(run(tagged, 'tag-none', 'kill-tagged').intents, []);
  assert.equal(run(tagged, 'delete').intents, [], 'what this tree cannot do is nothing');
});

test('the selection stays on its item, goes to what held it, or stays in its row', () => {
  const start = tree(KIND, ITEMS, { selected: 'p2' });
  const without = (...ids: string[]): TreeEvent => ({
    type: 'items',
    items: ITEMS.filter(i => !ids.includes(i.id)),
  });
  assert.is(run(start, { type: 'items', items: [item('w0'), ...ITEMS] }).state.selected, 'p2');
  assert.is(run(start, without('p2')).state.selected, 'w1');
  assert.is(run(start, without('w1', 'p1', 'p2')).state.selected, 'p3');
  assert.is(run(start, { type: 'items', items: [] }).state.selected, '');
});

test('home goes to where it began, unfolding what hides it', () => {
  const start = tree(KIND, ITEMS, { selected: 'p3' });
  assert.is(run(start, 'top', 'collapse-all', 'home').state.selected, 'p3');
});

test('whatever happens, what is selected is shown, and tags are of items that are there', () => {
  const action = fc.constantFrom(
    ...'up down top bottom expand collapse toggle collapse-all expand-all tag tag-all'.split(' '),
    ...'filter accept home sort reverse cancel backspace'.split(' '),
  );
  const items = fc
    .subarray(ITEMS)
    .map(list => ({ type: 'items', items: [...list, item('ring', 'ring')] }) as const);
  const typed = fc.constantFrom('p', '1', 'v').map(text => ({ type: 'text', text }) as const);
  fc.assert(
    fc.property(fc.array(fc.oneof(action, items, typed), { maxLength: 30 }), events => {
      const { state } = run(tree(KIND, ITEMS), ...events);
      const shown = state.entries.map(entry => entry.item.id);
      assert.ok(shown.length === 0 ? state.selected === '' : shown.includes(state.selected));
      const ids = new Set(state.items.map(one => one.id));
      assert.ok([...state.tagged].every(id => ids.has(id)));
    }),
  );
});

test.run();
