import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { plain } from '../../lib/base/styled.ts';
import { picker, pickerView, reducePicker } from '../../lib/mode/picker.ts';
import type { Picker, PickerEvent, PickerItem } from '../../lib/mode/picker.ts';

const test = suite('picker');

const items = (...names: string[]): PickerItem[] => names.map(name => ({ id: name, text: name, note: '' }));
const run = (state: Picker, ...events: PickerEvent[]): Picker =>
  events.reduce((s, event) => reducePicker(s, event).state, state);
const shown = (state: Picker): string[] => pickerView(state).items.map(item => plain(item.line));
const type = (text: string): PickerEvent => ({ type: 'text', text });

test('typing narrows the list and selects the best match', () => {
  const state = run(picker({ title: 'Go' }, items('alpha', 'beta', 'gamma')), 'down', type('gm'));
  assert.equal(shown(state), ['gamma']);
  assert.is(state.selected, 'gamma');
  assert.equal(pickerView(state).total, 3);
  assert.is(pickerView(state).caret, 2);
});

test('motions stay inside the list', () => {
  const state = picker({ title: '' }, items('a', 'b', 'c'));
  assert.is(run(state, 'up').selected, 'a');
  assert.is(run(state, 'down', 'down', 'down', 'down').selected, 'c');
  assert.is(run(state, 'bottom').selected, 'c');
  assert.is(run(state, 'bottom', 'top').selected, 'a');
});

test('page keys move half a page less one', () => {
  const state = picker({ title: '' }, items(...'abcdefghijklmnop'));
  assert.is(run(state, { type: 'rows', rows: 10 }, 'page-down').selected, 'e');
  assert.is(run(state, { type: 'rows', rows: 1 }, 'page-down').selected, 'b');
});

test('a list that changes does not lose the selection', () => {
  const state = run(picker({ title: '' }, items('a', 'b', 'c')), 'down');
  const more = run(state, { type: 'items', items: items('x', 'y', 'a', 'b') });
  assert.is(more.selected, 'b');
  assert.is(pickerView(more).selected, 3);
});

test('when the selected item goes the one in its place is selected', () => {
  const state = run(picker({ title: '' }, items('a', 'b', 'c')), 'down');
  assert.is(run(state, { type: 'items', items: items('a', 'c') }).selected, 'c');
  assert.is(run(state, { type: 'items', items: items('a') }).selected, 'a');
  assert.is(run(state, { type: 'items', items: [] }).selected, '');
});

test('accepting names the item and the filter; with nothing selected it does nothing', () => {
  const state = run(picker({ title: '' }, items('a', 'b')), type('b'));
  assert.equal(reducePicker(state, 'accept').intents, [{ type: 'accept', id: 'b', filter: 'b' }]);
  assert.equal(reducePicker(run(state, type('zzz')), 'accept').intents, []);
  assert.equal(reducePicker(state, 'cancel').intents, [{ type: 'cancel' }]);
});

test('a new selection is told', () => {
  const state = picker({ title: '', selected: 'b' }, items('a', 'b'));
  assert.equal(reducePicker(state, 'up').intents, [{ type: 'selected', id: 'a' }]);
  assert.equal(reducePicker(state, 'down').intents, []);
  assert.is(run(state, { type: 'select', index: 0 }).selected, 'a');
  assert.is(run(state, { type: 'select', index: 7 }).selected, 'b');
});

test('keywords are searched but not shown', () => {
  const state = run(
    picker({ title: '' }, [{ id: '1', text: 'Split', note: 'C-b %', keywords: 'divide pane' }]),
    type('divide'),
  );
  assert.equal(shown(state), ['Split']);
});

test('the filter line edits like any line', () => {
  const state = run(picker({ title: '' }, items('ab')), type('ax'), 'backspace', 'start-of-line');
  assert.is(state.filter.text, 'a');
  assert.is(pickerView(state).caret, 0);
});

test('the selection is one of the shown items or there are none, whatever happens', () => {
  const event = fc.oneof(
    fc.constantFrom<PickerEvent>('up', 'down', 'page-down', 'top', 'bottom', 'backspace', 'clear'),
    fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 2 }).map(type),
    fc
      .uniqueArray(fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 3 }))
      .map((names): PickerEvent => ({ type: 'items', items: items(...names) })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), events => {
      let state = picker({ title: '' }, items('a', 'ab', 'abc'));
      for (const e of events) {
        state = reducePicker(state, e).state;
        const view = pickerView(state);
        assert.is(view.items[view.selected]?.id ?? '', state.selected);
      }
    }),
    { numRuns: 200 },
  );
});

test.run();
