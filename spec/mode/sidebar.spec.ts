import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { EMPTY_GRAPH } from '../../lib/graph/types.ts';
import { reduceSidebar, sidebar } from '../../lib/mode/sidebar.ts';
import type { Sidebar, SidebarEvent } from '../../lib/mode/sidebar.ts';
import type { SidebarSource } from '../../lib/mode/sidebar-rows.ts';
import { GRAPH } from './graph.ts';

const test = suite('sidebar');

const SOURCE: SidebarSource = {
  graph: GRAPH,
  documents: [],
  sessions: [
    { id: 's1', name: 'review', state: 'needs-you', note: '12s' },
    { id: 's2', name: 'fix-login', state: 'working' },
  ],
};
const run = (state: Sidebar, ...events: SidebarEvent[]): Sidebar =>
  events.reduce((s, event) => reduceSidebar(s, event).state, state);
const picture = (state: Sidebar): string[] =>
  state.rows.map(
    row =>
      `${'  '.repeat(row.depth)}${row.kind === 'diagnostic' ? '! ' : ''}${row.text}${row.note && ' | ' + row.note}`,
  );
const select = (id: string): SidebarEvent => ({ type: 'select', id });

test('roles, tool sets, lores and sessions stand in sections with their counts', () => {
  assert.equal(picture(sidebar(SOURCE)), [
    'Roles | 4',
    '  default | d',
    '  dispatch | disp',
    '  svc/berth:ops',
    '  ! bad.role.md:3',
    'Tool sets | 1',
    '  tickets | 3',
    'Lores | 3',
    '  db/locks',
    '  db/migrations',
    '  overview',
    '  ! svc/x.md',
    'Sessions | 2',
    '  review | 12s',
    '  fix-login',
  ]);
  assert.is(sidebar(SOURCE).rows.at(-1)!.state, 'working');
});

test('an empty section says what to do next; without a graph one line is enough', () => {
  const empty = sidebar({ graph: { ...EMPTY_GRAPH, root: '/x' }, sessions: [], documents: [] });
  assert.equal(picture(empty).slice(0, 6), [
    'Roles | 0',
    '  add .sgpt/NAME.role.md',
    'Tool sets | 0',
    '  add .sgpt/NAME.toolset',
    'Lores | 0',
    '  add .sgpt/lores/NAME.md',
  ]);
  const state = sidebar({ graph: EMPTY_GRAPH, sessions: [], documents: [] });
  assert.equal(picture(state), [
    'Roles | 0',
    '  no .sgpt.json here',
    'Tool sets | 0',
    'Lores | 0',
    'Sessions | 0',
    '  mux new NAME',
  ]);
});

test('a section folds under its heading and opens again', () => {
  const state = run(sidebar(SOURCE), select('role://dispatch'), 'fold');
  assert.is(state.selected, 'section:roles');
  assert.equal(picture(state).slice(0, 2), ['Roles | 4', 'Tool sets | 1']);
  assert.is(state.rows[0]!.open, false);
  assert.is(run(state, 'accept').rows.length, sidebar(SOURCE).rows.length);
  assert.is(run(state, 'right').rows.length, sidebar(SOURCE).rows.length);
  assert.is(run(state, 'toggle', 'toggle').rows.length, state.rows.length);
});

test('motions go by rows, pages, ends and sections', () => {
  const state = sidebar(SOURCE);
  assert.is(run(state, 'down').selected, 'role://default');
  assert.is(run(state, 'up').selected, 'section:roles');
  assert.is(run(state, 'bottom').selected, 'session:s2');
  assert.is(run(state, { type: 'rows', rows: 10 }, 'page-down').selected, 'diagnostic:.sgpt/bad.role.md:3:1');
  assert.is(run(state, 'next-section', 'next-section').selected, 'section:lores');
  assert.is(run(state, 'bottom', 'previous-section').selected, 'section:sessions');
  assert.is(run(state, 'bottom', 'next-section').selected, 'session:s2');
});

test('choosing a row says what it is', () => {
  const chosen = (id: string): unknown => reduceSidebar(run(sidebar(SOURCE), select(id)), 'accept').intents;
  assert.equal(chosen('role://svc/berth:ops'), [{ type: 'activate', kind: 'role', id: '//svc/berth:ops' }]);
  assert.equal(chosen('toolset://tickets'), [{ type: 'activate', kind: 'toolset', id: '//tickets' }]);
  assert.equal(chosen('lore:lores/db/locks'), [{ type: 'activate', kind: 'lore', id: 'lores/db/locks' }]);
  assert.equal(chosen('diagnostic:.sgpt/bad.role.md:3:1'), [
    { type: 'activate', kind: 'diagnostic', id: '.sgpt/bad.role.md:3:1' },
  ]);
  assert.equal(chosen('session:s1'), [{ type: 'activate', kind: 'session', id: 's1' }]);
  assert.equal(
    reduceSidebar(sidebar({ graph: EMPTY_GRAPH, sessions: [], documents: [] }), 'down').intents,
    [],
  );
});

test('the selection stays on its row when the graph is read anew', () => {
  const state = run(sidebar(SOURCE), select('lore:lores/overview'));
  const fewer = { ...SOURCE, graph: { ...GRAPH, roles: GRAPH.roles.slice(0, 1), diagnostics: [] } };
  assert.is(run(state, { type: 'source', source: fewer }).selected, 'lore:lores/overview');
});

test('when the selected row goes the one in its place is selected, also if others went', () => {
  const state = run(sidebar(SOURCE), select('lore:lores/db/migrations'));
  const source = {
    ...SOURCE,
    graph: { ...GRAPH, lores: GRAPH.lores.filter(l => !l.name.endsWith('migrations')), roles: [] },
  };
  assert.is(run(state, { type: 'source', source }).selected, 'lore:lores/overview');
});

test('rows that would share an id are told apart, and mean the same', () => {
  const twice = { ...SOURCE, graph: { ...GRAPH, roles: [GRAPH.roles[0]!, GRAPH.roles[0]!] } };
  const state = sidebar(twice);
  assert.is(new Set(state.rows.map(row => row.id)).size, state.rows.length);
  assert.equal(reduceSidebar(run(state, select('role://default#2')), 'accept').intents, [
    { type: 'activate', kind: 'role', id: '//default' },
  ]);
});

test('a row is always selected', () => {
  const source = fc.record({
    graph: fc
      .record({
        roles: fc.subarray([...GRAPH.roles]),
        lores: fc.subarray([...GRAPH.lores]),
        diagnostics: fc.subarray([...GRAPH.diagnostics]),
      })
      .map(part => ({ ...GRAPH, ...part })),
    sessions: fc.subarray([...SOURCE.sessions]),
    documents: fc.subarray([{ name: 'shared:a.md', text: 'a.md', note: 'shared' }]),
  });
  const event = fc.oneof(
    fc.constantFrom<SidebarEvent>(
      'up',
      'down',
      'top',
      'bottom',
      'page-down',
      'fold',
      'unfold',
      'toggle',
      'accept',
      'next-section',
      'constructor',
    ),
    source.map((s): SidebarEvent => ({ type: 'source', source: s })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), events => {
      let state = sidebar(SOURCE);
      for (const e of events) {
        state = reduceSidebar(state, e).state;
        assert.is(state.rows.filter(row => row.id === state.selected).length, 1);
      }
    }),
    { numRuns: 200 },
  );
});

test.run();
