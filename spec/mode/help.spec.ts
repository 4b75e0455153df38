import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { help, helpView, reduceHelp } from '../../lib/mode/help.ts';
import type { Help, HelpEvent } from '../../lib/mode/help.ts';

const test = suite('help');

const GROUPS = [
  {
    title: 'Panes',
    keys: [
      { key: '%', text: 'split left and right' },
      { key: '"', text: 'split top and bottom' },
    ],
  },
  {
    title: 'Windows',
    keys: [
      { key: 'c', text: 'new window' },
      { key: 'n', text: 'next' },
    ],
  },
];
const run = (state: Help, ...events: HelpEvent[]): Help =>
  events.reduce((s, event) => reduceHelp(s, event).state, state);

test('typing keeps the keys that have every word, in their groups', () => {
  const view = helpView(run(help(GROUPS), { type: 'text', text: 'split top' }));
  assert.equal(view.groups, [{ title: 'Panes', keys: [{ key: '"', text: 'split top and bottom' }] }]);
  assert.is(view.filter, 'split top');
});

test('a heading that matches keeps its keys', () => {
  assert.is(helpView(run(help(GROUPS), { type: 'text', text: 'windows' })).groups[0]!.keys.length, 2);
  assert.equal(helpView(run(help(GROUPS), { type: 'text', text: 'zzz' })).groups, []);
});

test('it scrolls as far as there is something to show', () => {
  const state = run(help(GROUPS), { type: 'extent', rows: 4, height: 10 });
  assert.is(run(state, 'down').scroll, 1);
  assert.is(run(state, 'bottom', 'down').scroll, 6);
  assert.is(run(state, 'bottom', 'page-up').scroll, 5);
  assert.is(run(state, 'bottom', { type: 'extent', rows: 9, height: 10 }).scroll, 1);
  assert.is(run(state, 'bottom', { type: 'text', text: 's' }).scroll, 0);
});

test('cancel leaves', () => {
  assert.equal(reduceHelp(help(GROUPS), 'cancel').intents, [{ type: 'cancel' }]);
});

test.run();
