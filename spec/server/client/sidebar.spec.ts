import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SIDEBAR_ASKED_BELOW } from '../../../lib/chrome/areas.ts';
import { EMPTY_GRAPH } from '../../../lib/graph/types.ts';
import { ClientSidebar } from '../../../lib/server/client/sidebar.ts';
import type { SidebarSource } from '../../../lib/mode/sidebar-rows.ts';

const test = suite('client/sidebar');
const WIDE = { cols: SIDEBAR_ASKED_BELOW, rows: 40 };
const NARROW = { cols: SIDEBAR_ASKED_BELOW - 1, rows: 40 };
const TINY = { cols: 50, rows: 18 };

function sidebarWith(setting: 'auto' | 'on' | 'off'): { bar: ClientSidebar; source: { now: SidebarSource } } {
  const source = {
    now: {
      graph: EMPTY_GRAPH,
      documents: [],
      sessions: [{ id: 's1', name: 'fix', state: 'ready' }],
    } as SidebarSource,
  };
  return {
    source,
    bar: new ClientSidebar(
      () => source.now,
      () => setting,
    ),
  };
}

test('where it goes by itself: the setting and the width decide', () => {
  const place = (setting: 'auto' | 'on' | 'off'): string[] =>
    [WIDE, NARROW, TINY].map(size => sidebarWith(setting).bar.place(size));
  assert.equal(place('auto'), ['beside', 'hidden', 'hidden']);
  assert.equal(place('on'), ['beside', 'beside', 'over']);
  assert.equal(place('off'), ['hidden', 'hidden', 'hidden']);
});

test('who asks for it gets it, with the keyboard where it lies in the way', () => {
  for (const [size, isFocused] of [
    [WIDE, false],
    [TINY, true],
  ] as const) {
    const { bar } = sidebarWith('off');
    bar.toggle(size);
    assert.is.not(bar.place(size), 'hidden');
    assert.is(bar.isFocused, isFocused);
    bar.toggle(size);
    assert.is(bar.place(size), 'hidden');
    assert.not(bar.isFocused);
  }
});

test('giving it the keyboard shows it; Escape gives the keyboard back and lets it stand', () => {
  const { bar } = sidebarWith('off');
  bar.focus(WIDE);
  assert.ok(bar.isFocused);
  assert.is(bar.event('cancel'), undefined);
  assert.not(bar.isFocused);
  assert.is(bar.place(WIDE), 'beside');
});

test('choosing a session names it, and the selection survives what happens to others', () => {
  const { bar, source } = sidebarWith('on');
  bar.event({ type: 'select', id: 'session:s1' });
  source.now = {
    ...source.now,
    sessions: [{ id: 's0', name: 'new', state: 'ready' }, ...source.now.sessions],
  };
  bar.refresh();
  assert.equal(bar.event('accept'), { type: 'activate', kind: 'session', id: 's1' });
  assert.is(bar.view('harbor', 28, 30).selected, 'session:s1');
});

test.run();
