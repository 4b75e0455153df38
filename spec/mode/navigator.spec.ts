import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { cellWidth } from '../../lib/base/text.ts';
import { STATES } from '../../lib/chrome/glyphs.ts';
import { VIEWS, type NavigatorSession } from '../../lib/mode/navigator-items.ts';
import { navigatorView, questionLines } from '../../lib/mode/navigator-view.ts';
import {
  navigator,
  reduceNavigator,
  selectedSession,
  sessionOf,
  type Navigator,
  type NavigatorEvent,
  type NavigatorIntent,
} from '../../lib/mode/navigator.ts';

const test = suite('mode/navigator');

function session(id: string, change: Partial<NavigatorSession> = {}): NavigatorSession {
  return {
    id,
    name: `${id}-name`,
    parent: '',
    state: 'ready',
    runs: true,
    agent: 'claude',
    summary: '',
    git: '',
    dirty: 0,
    ahead: 0,
    age: '4m',
    repository: '',
    directory: '/work',
    labels: [],
    isStarred: false,
    isDeleted: false,
    window: '1',
    unread: 0,
    need: -1,
    ...change,
  };
}

const API = session('api', { repository: '/src/harbor', labels: ['team=db', 'urgent'], state: 'working' });
const CHILD = session('child', { parent: 'api', repository: '/src/harbor', summary: 'moves the lock' });
const WEB = session('web', { repository: '/src/site', labels: ['team=web'], state: 'needs-you', need: 0 });
const OLD = session('old', { state: 'stopped', runs: false, need: 1 });
const GONE = session('gone', { isDeleted: true, runs: false, state: 'stopped', dirty: 2, ahead: 1 });
const ALL = [API, CHILD, WEB, OLD, GONE];

/** The navigator after events, and all it asked for. */
function run(
  start: Navigator,
  ...events: readonly NavigatorEvent[]
): { state: Navigator; intents: readonly NavigatorIntent[] } {
  const intents: NavigatorIntent[] = [];
  let state = start;
  for (const event of events) {
    const step = reduceNavigator(state, event);
    state = step.state;
    intents.push(...step.intents);
  }
  return { state, intents };
}
const text = (typed: string): NavigatorEvent => ({ type: 'text', text: typed });
const told = (sessions: readonly NavigatorSession[]): NavigatorEvent => ({ type: 'sessions', sessions });
const rows = ({ tree }: Navigator): string[] =>
  tree.entries.map(({ item, depth }) => `${'  '.repeat(depth)}${item.id}`);
const drawn = (state: Navigator, width = 48, head = 4): ReturnType<typeof navigatorView> =>
  navigatorView(state, { width, head, hints: [], marks: STATES });

test('children stand under their parents, the deleted in a view of their own', () => {
  const start = navigator(ALL);
  assert.equal(rows(start), ['api', '  child', 'web', 'old']);
  assert.equal(rows(run(start, 'previous-view').state), ['gone']);
  assert.equal(rows(run(start, 'collapse').state), ['api', 'web', 'old']);
});

test('sessions that hold each other are all listed once', () => {
  const ring = [session('a', { parent: 'b' }), session('b', { parent: 'a' }), session('c', { parent: 'c' })];
  assert.equal(
    rows(navigator(ring)).map(row => row.trim()),
    ['a', 'b', 'c'],
  );
});

test('starred sessions come first', () => {
  assert.equal(rows(navigator([API, { ...WEB, isStarred: true }])), ['web', 'api']);
});

test('views group by repository, label, status and need; the selection stays on its session', () => {
  let state = navigator(ALL, { selected: 'web' });
  const seen: Record<string, string[]> = {};
  for (const view of VIEWS) {
    assert.is(state.view, view);
    seen[view] = rows(state);
    if (view !== 'deleted') assert.is(selectedSession(state)?.id, 'web', view);
    state = run(state, 'next-view').state;
  }
  assert.is(state.view, 'all', 'round and round');
  assert.equal(seen.repository, [
    'repository:/src/harbor',
    '  api',
    '  child',
    'repository:/src/site',
    '  web',
    'repository:',
    '  old',
  ]);
  assert.equal(seen.label, [
    'label:team=db',
    '  api',
    'label:team=web',
    '  web',
    'label:urgent',
    '  api#urgent',
    'label:',
    '  child',
    '  old',
  ]);
  assert.equal(seen.status![0], 'status:needs-you', 'neediest first');
  assert.equal(seen.attention, ['web', 'old'], 'in the order of the queue');
});

test('a session with two labels is the same session in both rows', () => {
  const { state } = run(navigator(ALL, { view: 'label' }), { type: 'select', index: 5 });
  assert.is(selectedSession(state)?.id, 'api');
});

test('the filter takes words of name, repository, label and summary; Enter goes there, Escape shows all', () => {
  const filtered = (query: string): string[] =>
    rows(run(navigator(ALL), 'filter', text(query)).state).map(row => row.trim());
  assert.equal(filtered('WEB-'), ['web']);
  assert.equal(filtered('harbor'), ['api', 'child']);
  assert.equal(filtered('urgent'), ['api']);
  assert.equal(filtered('lock moves'), ['api', 'child'], 'a match is shown with what holds it');
  assert.equal(filtered('wb'), [], 'no letters here and there');
  const { state, intents } = run(navigator(ALL), 'filter', text('lock'), 'accept');
  assert.equal(intents, [{ type: 'go', session: CHILD }]);
  assert.is(rows(run(state, 'cancel').state).length, 4);
});

test('a heading never matches alone, and never hides what is under it', () => {
  const start = navigator(ALL, { view: 'status' });
  assert.equal(rows(run(start, 'filter', text('working')).state), ['status:working', '  api']);
});

test('the preview is of what the filter shows', () => {
  const { state } = run(navigator(ALL, { selected: 'api' }), 'filter', text('web'));
  assert.is(drawn(state).previewTitle, 'web-name');
  assert.is(drawn(run(state, text('zzz')).state).previewTitle, '');
});

test('digits go to the n-th session, headings not counted', () => {
  const go = (start: Navigator, digit: string): string | undefined => {
    const [intent] = run(start, text(digit)).intents;
    return intent?.type === 'go' ? intent.session.id : undefined;
  };
  assert.is(go(navigator(ALL), '2'), 'child');
  assert.is(go(navigator(ALL, { view: 'repository' }), '3'), 'web');
  assert.is(go(navigator(ALL), '9'), undefined);
  const many = Array.from({ length: 12 }, (_, n) => session(`s${n}`));
  assert.is(go(navigator(many), '0'), 's9');
});

test('what cannot be taken back is asked for; y alone does it', () => {
  const asked = run(navigator(ALL), 'delete').state;
  assert.match(questionLines(asked.question!).join(' '), /Delete api-name\?.*claude/);
  assert.equal(run(asked, text('y')).intents, [{ type: 'delete', sessions: [API] }]);
  for (const no of [text('n'), 'accept', 'cancel'] as const)
    assert.equal([run(asked, no).intents, run(asked, no).state.question], [[], undefined]);
  assert.ok(run(asked, text('x'), 'down', 'delete').state.question === asked.question, 'nothing else counts');
});

test('a confirmation is for the session it named, whatever the list becomes meanwhile', () => {
  const asked = run(navigator(ALL), 'stop').state;
  const moved = run(asked, told([session('new'), WEB, API, CHILD]), text('y'));
  assert.equal(
    moved.intents.map(intent => 'sessions' in intent && intent.sessions[0]?.id),
    ['api'],
  );
  const gone = run(asked, told([WEB, CHILD]), text('y'));
  assert.equal(gone.intents, [{ type: 'tell', text: 'api-name has changed meanwhile: nothing was done' }]);
  const ended = run(asked, told([{ ...API, runs: false }, WEB]), text('y'));
  assert.equal(
    ended.intents.map(({ type }) => type),
    ['tell'],
  );
});

test('a purge says what would be lost', () => {
  const asked = run(navigator(ALL, { view: 'deleted' }), 'delete').state;
  assert.match(questionLines(asked.question!).join(' '), /Purge gone-name.*2 changed files and 1 commit/);
  assert.equal(run(asked, text('y')).intents, [{ type: 'purge', sessions: [GONE] }]);
});

test('a deleted session can be brought back and nothing else', () => {
  const start = navigator(ALL, { view: 'deleted' });
  assert.equal(run(start, 'accept').intents, [{ type: 'restore', session: GONE }]);
  for (const action of ['stop', 'restart', 'star', 'rename']) {
    const { state, intents } = run(start, action);
    assert.is(state.question, undefined, action);
    assert.ok(
      intents.every(({ type }) => type === 'tell'),
      action,
    );
  }
});

test('a stopped session is started without asking, a starred one loses its star', () => {
  assert.equal(run(navigator(ALL, { selected: 'old' }), 'restart').intents, [
    { type: 'resume', session: OLD },
  ]);
  const starred = { ...API, isStarred: true };
  assert.equal(run(navigator([starred]), 'star').intents, [{ type: 'unstar', session: starred }]);
});

test('the selection survives a refresh, and says what to do where there is nothing', () => {
  const { state } = run(navigator(ALL, { selected: 'web' }), told([session('first'), ...ALL]));
  assert.is(selectedSession(state)?.id, 'web');
  assert.match(drawn(navigator([])).empty, /n starts an agent/);
  assert.match(drawn(run(navigator(ALL), 'filter', text('zzz')).state).empty, /Esc shows all/);
  assert.match(drawn(navigator([API], { view: 'attention' })).empty, /nothing needs you/);
});

test('what is tagged is done together, after one question that tells how many', () => {
  const tagged = run(navigator(ALL), 'top', 'tag', 'tag', 'down', 'tag').state;
  assert.equal(drawn(tagged).items.map(({ line }) => /^\d\+/.test(plain(line))), [true, true, false, true]); // prettier-ignore
  const asked = run(tagged, 'top', 'stop').state;
  assert.equal(questionLines(asked.question!).slice(0, 2), ['Stop 2 sessions?', 'api-name, child-name']);
  const { state, intents } = run(asked, text('y'));
  assert.equal(intents, [{ type: 'stop', sessions: [API, CHILD] }], 'the stopped one has nothing to stop');
  assert.equal([...state.tree.tagged], [], 'the next key is about the selected one again');
  assert.match(questionLines(run(tagged, 'delete').state.question!)[0]!, /^Delete 3 sessions\?$/);
  assert.equal(run(tagged, 'label').intents, [{ type: 'label', sessions: [API, CHILD, OLD] }]);
});

test('a question about many falls away when one of them has changed', () => {
  const asked = run(navigator(ALL), 'top', 'tag', 'tag', 'delete').state;
  assert.is(asked.question?.sessions.length, 2);
  const { state, intents } = run(asked, told(ALL.filter(one => one !== CHILD)), text('y'));
  assert.equal([state.question, intents], [undefined, [{ type: 'tell', text: 'child-name has changed meanwhile: nothing was done' }]]); // prettier-ignore
});

test('whatever happens, what is selected is shown, and every width can be drawn', () => {
  const action = fc.constantFrom(
    ...'up down top bottom expand collapse toggle collapse-all filter accept cancel next-view'.split(' '),
    ...'previous-view stop restart delete star rename new preview home backspace tag tag-all tag-none label nonsense'.split(
      ' ',
    ),
  );
  const typed = fc.constantFrom('y', 'n', '1', '0', 'web', ' ').map(text);
  const sessions = fc.subarray(ALL).map(told);
  const index = fc.integer({ min: -1, max: 9 });
  const pointed = fc.oneof(
    index.map(i => ({ type: 'select', index: i }) as const),
    index.map(i => ({ type: 'view', index: i }) as const),
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(action, typed, sessions, pointed), { maxLength: 30 }),
      fc.integer({ min: 0, max: 120 }),
      (events, width) => {
        const { state } = run(navigator(ALL), ...events);
        const shown = state.tree.entries.map(entry => entry.item.id);
        assert.ok(shown.length === 0 ? state.tree.selected === '' : shown.includes(state.tree.selected));
        for (const { id } of state.question?.sessions ?? []) assert.ok(sessionOf(state, id));
        const view = drawn(state, width, 1);
        assert.is(view.items.length, shown.length);
        for (const { line, note } of view.items) assert.ok(cellWidth(plain(line) + note) < 400);
      },
    ),
  );
});

test.run();
