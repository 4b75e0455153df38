import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { menu, reduceMenu, type Menu, type MenuEvent, type MenuIntent } from '../../lib/mode/menu.ts';

const test = suite('mode/menu');
const entry = (text: string, key: string, isEnabled = true): Menu['entries'][number] => ({
  text,
  key,
  isEnabled,
});
const ENTRIES = [
  entry('off', 'o', false),
  entry('one', 'a'),
  undefined,
  entry('two', 'j'),
  entry('three', 'M-x'),
];

function run(...events: readonly MenuEvent[]): { selected: number; intents: MenuIntent[] } {
  let state = menu(ENTRIES, { isFirst: true });
  const intents: MenuIntent[] = [];
  for (const event of events) {
    const step = reduceMenu(state, event);
    state = step.state;
    intents.push(...step.intents);
  }
  return { selected: state.selected, intents };
}

test('it begins at the first entry that can be chosen; keys go over rules and round the ends', () => {
  assert.is(run().selected, 1);
  assert.is(run('down').selected, 3);
  assert.is(run('up').selected, 4);
  assert.is(run('bottom', 'down').selected, 1);
});

test('an entry is chosen by Enter or by its key, whatever the key does in lists', () => {
  assert.equal(run('accept').intents, [{ type: 'accept', index: 1 }]);
  assert.equal(run({ type: 'key', key: 'j' }).intents, [{ type: 'accept', index: 3 }]);
  assert.equal(run({ type: 'key', key: 'M-x' }).intents, [{ type: 'accept', index: 4 }]);
});

test('what cannot be chosen is not, by key or pointer; q and Escape close', () => {
  assert.equal(run({ type: 'key', key: 'o' }).intents, []);
  assert.is(run({ type: 'point', index: 0 }).selected, -1);
  assert.is(run({ type: 'point', index: 2 }).selected, -1);
  assert.equal(run({ type: 'key', key: 'q' }).intents, [{ type: 'cancel' }]);
  assert.equal(run('cancel').intents, [{ type: 'cancel' }]);
});

test('a menu in which nothing can be chosen stays still', () => {
  const state = menu([undefined, entry('off', 'o', false)], { isFirst: true });
  assert.is(reduceMenu(state, 'down').state.selected, -1);
  assert.equal(reduceMenu(state, 'accept').intents, [{ type: 'cancel' }]);
});

test.run();
