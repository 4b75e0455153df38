import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { picker } from '../../lib/mode/picker.ts';
import { itemsOf } from '../../lib/chat/item.ts';
import { assistant, call, editCall, emptyApp, MODEL, Scene, user } from '../support/chat/scene.ts';

const test = suite('chat');

/** Two rounds that are kept. */
const KEPT = [user('m1', 'first'), assistant('m2', 'one'), user('m3', 'second'), assistant('m4', 'two')];

function loaded(): Scene {
  return new Scene().on({ type: 'loaded', key: 0, messages: KEPT, isWhole: true });
}

const shown = (scene: Scene): string[] => scene.timeline().filter(Boolean);

test('Enter sends what was written, and Alt-Enter begins a line', () => {
  const scene = new Scene().types('one').press('M-Enter').types('two');
  assert.is(scene.written, 'one\ntwo');
  scene.press('Enter');
  assert.equal(scene.effects, [{ type: 'send', key: 0, text: 'one\ntwo', attachments: [], leaveBehind: '' }]);
  assert.is(scene.written, '');
});

test('the other scheme of keys is a preset', () => {
  const { keys } = new Scene();
  assert.is(keys.keyOf('chat-input', 'send'), 'Enter');
});

test('nothing is sent where there is nothing, or no model', () => {
  assert.equal(new Scene().press('Enter').effects, []);
  const scene = new Scene(emptyApp(undefined, { model: { ...MODEL, name: '' } })).types('hi').press('Enter');
  assert.equal(scene.effects, [{ type: 'pick', purpose: 'model' }]);
  assert.is(scene.written, 'hi');
});

test('an answer grows as it comes, and is what was kept of it in the end', () => {
  const scene = new Scene().hears(
    { type: 'state', state: 'streaming' },
    { type: 'sent', messages: [{ role: 'ROLE_USER', blocks: [{ text: 'hello' }] }] },
    { type: 'thought', index: 0, text: 'hm' },
    { type: 'text', index: 1, text: 'Hi **th' },
  );
  assert.equal(shown(scene), ['hello', '∴ thought · 1 line', 'Hi **th']);
  const message = { ...assistant('m9', ''), blocks: [{ thought: 'hm' }, { text: 'Hi **there**' }] };
  scene.hears(
    { type: 'answer', message, stop: undefined },
    { type: 'state', state: 'idle' },
    { type: 'end', end: { reason: 'done', text: '', unanswered: 0 } },
  );
  assert.equal(shown(scene), ['hello', '∴ thought · 1 line', 'Hi there']);
  assert.is(scene.tab.timeline.items.at(-1)!.message, 'm9');
});

test('what failed is told with what to do about it', () => {
  const scene = new Scene().hears({
    type: 'end',
    end: {
      reason: 'failed',
      text: '',
      unanswered: 0,
      error: Object.assign(new Error('no key'), { hint: 'set one' }) as never,
    },
  });
  assert.equal(shown(scene), ['✕ no key (set one)']);
});

test('a call and its result are one item', () => {
  const scene = new Scene().hears(
    { type: 'call', call: call({ state: 'running' }) },
    { type: 'progress', id: 'c1', text: 'half way\n' },
  );
  assert.equal(shown(scene), ['● exec_shell  git push running', '  half way']);
  scene.hears({
    type: 'call',
    call: call({ state: 'done', outcome: { content: 'pushed', isError: false } }),
  });
  assert.equal(shown(scene), ['✓ exec_shell  git push']);
  scene.press('Escape', 'z');
  assert.equal(shown(scene), ['✓ exec_shell  git push', '  ↳ pushed']);
});

test('results are paired with their calls also in chats that are opened again', () => {
  const items = itemsOf([
    {
      name: 'a',
      role: 'ROLE_ASSISTANT',
      blocks: [{ tool_call: { id: 'x', name: 'glob' } }, { tool_call: { id: 'y', name: 'grep' } }],
    },
    {
      name: 'b',
      role: 'ROLE_TOOL',
      blocks: [
        { tool_result: { tool_call_id: 'y', content: 'found' } },
        { tool_result: { tool_call_id: 'x', error: { message: 'no' } } },
      ],
    },
  ]);
  assert.equal(
    items.map(item => item.kind === 'call' && [item.call.name, item.call.outcome]),
    [
      ['glob', { content: 'no', isError: true }],
      ['grep', { content: 'found', isError: false }],
    ],
  );
});

test('a call that waits takes the keys, unless something is being written', () => {
  const idle = new Scene().hears({ type: 'call', call: call() });
  assert.is(idle.tab.focus, 'review');
  const busy = new Scene().types('half a sen').hears({ type: 'call', call: call() });
  assert.is(busy.tab.focus, 'input');
});

test('a call is let run, with all others, always, or not, for a reason', () => {
  const ask = (): Scene => new Scene().hears({ type: 'call', call: call() });
  const verdictOf = (scene: Scene): unknown => {
    const last = scene.effects.at(-1);
    return last?.type === 'verdict' ? last.verdict : undefined;
  };
  assert.equal(verdictOf(ask().press('y')), { type: 'accept' });
  assert.equal(verdictOf(ask().press('A')), { type: 'accept-all' });
  assert.equal(verdictOf(ask().press('a')), { type: 'always' });
  assert.equal(verdictOf(ask().press('n').types('not on a Friday').press('Enter')), {
    type: 'reject',
    reason: 'not on a Friday',
  });
  const edited = ask().press('e', 'C-u').types('git status').press('Enter');
  assert.equal(verdictOf(edited), { type: 'edit', args: { command: 'git status' } });
});

test('what cannot be undone runs only after the word, typed whole', () => {
  const grave = call({ decision: { mode: 'ask', tier: 'destructive', wantsWord: true, opinions: [] } });
  const ask = (): Scene => new Scene().hears({ type: 'call', call: grave });
  assert.equal(ask().press('y', 'y', 'Enter').effects, []);
  assert.equal(ask().press('A').types('yes').press('Enter').effects, []);
  const last = ask().press('y').types('YES').press('Enter').effects.at(-1);
  assert.equal(last, { type: 'verdict', key: 0, call: 'c1', verdict: { type: 'accept', word: 'YES' } });
});

test('Escape in the reason leaves the call waiting', () => {
  const scene = new Scene().hears({ type: 'call', call: call() }).press('n').types('because').press('Escape');
  assert.equal(scene.effects, []);
  assert.is(scene.tab.focus, 'review');
});

test('C-c stops an answer, then throws away the text, and asks before it leaves', () => {
  const scene = new Scene().types('text').hears({ type: 'state', state: 'streaming' }).press('C-c');
  assert.equal(scene.effects, [{ type: 'cancel', key: 0 }]);
  scene.hears({ type: 'state', state: 'idle' }).press('C-c');
  assert.is(scene.written, '');
  assert.is(scene.press('C-_').written, 'text');
  scene.press('C-c', 'C-c');
  assert.is(scene.app.overlay?.type, 'sure');
  scene.press('Enter');
  assert.is(scene.app.overlay, undefined);
  scene.press('C-c', 'C-c');
  assert.equal(scene.effects.at(-1), { type: 'quit' });
});

test('a message is edited in place of itself and of what came after it', () => {
  const scene = loaded().press('Escape', 'g', 'e');
  assert.is(scene.written, 'first');
  scene.types(' again').press('Enter');
  assert.equal(scene.effects.at(-1), {
    type: 'send',
    key: 0,
    text: 'first again',
    attachments: [],
    leaveBehind: 'm1',
  });
  assert.equal(shown(scene), []);
});

test('from a message on all is deleted, once that was said', () => {
  const scene = loaded().press('Escape', 'k', 'x');
  assert.is(scene.app.overlay?.type, 'sure');
  assert.equal(scene.effects, []);
  scene.press('y');
  assert.equal(scene.effects, [{ type: 'truncate', key: 0, from: 'm3' }]);
  assert.equal(shown(scene), ['first', 'one']);
});

test('a chat is forked up to what is selected', () => {
  assert.equal(loaded().press('Escape', 'k', 'k', 'f').effects, [{ type: 'fork', key: 0, upTo: 'm2' }]);
});

test('what is copied is the selected item, or a block of it', () => {
  const scene = new Scene().on({
    type: 'loaded',
    key: 0,
    messages: [assistant('m', 'words\n\n```c++\nint a;\n```\n')],
    isWhole: true,
  });
  scene.press('Escape', 'y');
  assert.equal(scene.effects.at(-1), { type: 'copy', text: 'words\n\n```c++\nint a;\n```\n' });
  scene.press(']', ']', 'y');
  assert.equal(scene.effects.at(-1), { type: 'copy', text: 'int a;' });
});

test('a long paste stands beside the text, a short one in it', () => {
  const scene = new Scene().on({ type: 'paste', text: 'short' });
  assert.is(scene.written, 'short');
  scene.on({ type: 'paste', text: 'line\n'.repeat(50) });
  assert.is(scene.written, 'short');
  assert.equal(
    scene.tab.attachments.map(({ name }) => name),
    ['pasted text 1, 51 lines'],
  );
});

test('a command is completed and run, a file is put in place of what was typed of it', () => {
  const scene = new Scene().types('/mod');
  assert.is(scene.tab.suggestions?.entries[0]?.text, '/model');
  scene.press('Enter');
  assert.equal(scene.effects, [{ type: 'pick', purpose: 'model' }]);
  const file = new Scene().types('see @ber');
  assert.equal(file.effects, [{ type: 'suggest', key: 0, query: 'ber' }]);
  file
    .on({ type: 'suggestions', key: 0, query: 'ber', entries: [{ text: '@src/berth.ts', note: '' }] })
    .press('Tab');
  assert.is(file.written, 'see @src/berth.ts ');
});

test('what was found for a word that is no longer there is not offered', () => {
  const scene = new Scene().types('@a').types('b');
  scene.on({ type: 'suggestions', key: 0, query: 'a', entries: [{ text: '@a.ts', note: '' }] });
  assert.is(scene.tab.suggestions, undefined);
});

test('older messages come in front, and what is seen stays where it is', () => {
  const scene = loaded().press('Escape', 'k', 'k', 'k');
  const before = scene.tab.timeline.selected;
  scene.on({ type: 'loaded', key: 0, messages: [user('m0', 'long ago')], isWhole: true });
  assert.is(scene.tab.timeline.selected, before);
  assert.equal(shown(scene)[0], 'long ago');
});

test('keys that the person bound count, and what is wrong with them is told', () => {
  const scene = new Scene(emptyApp());
  const own = new (scene.keys.constructor as typeof import('../../lib/chat/keyboard.ts').ChatKeys)('ctrl-j', [
    { table: 'chat', key: 'F9', command: 'send-keys -X new-tab', note: '' },
    { table: 'chat', key: 'F9', command: 'send-keys -X menu', note: '' },
    { table: 'chat', key: 'F8', command: 'split-window', note: '' },
    { table: 'prefix', key: 'x', command: 'kill-pane', note: '' },
  ]);
  assert.is(own.keyOf('chat-input', 'send'), 'C-j');
  assert.is(own.problems.length, 2);
  assert.match(own.problems.join('\n'), /split-window/);
  assert.match(own.problems.join('\n'), /new-tab and to send-keys -X menu/);
});

test('a diff can stand beside itself or below', () => {
  const scene = new Scene(emptyApp({ cols: 140, rows: 24 })).hears({ type: 'call', call: editCall() });
  assert.match(scene.timeline(136).join('\n'), /take\(1\);\s+│ 11 \+ const lock/);
  scene.press('d');
  assert.not.match(scene.timeline(136).join('\n'), /take\(1\);\s+│/);
});

test('tools are turned on and off in a list that stays open, and count when it is closed', () => {
  const items = [
    { id: 'glob', text: 'glob', note: 'on' },
    { id: 'grep', text: 'grep', note: '' },
  ];
  const scene = new Scene().on({
    type: 'picker',
    purpose: 'tools',
    picker: picker({ title: 'Tools' }, items),
  });
  scene.press('Enter', 'Down', 'Enter');
  assert.equal(scene.effects, []);
  scene.press('Escape');
  assert.equal(scene.effects, [{ type: 'tools', key: 0, names: ['grep'] }]);
});

test('a theme that was only looked at does not stay', () => {
  const scene = new Scene().types('/theme').press('Enter', 'Down', 'Escape');
  assert.equal(scene.effects, [
    { type: 'theme', name: 'light' },
    { type: 'theme', name: 'dark' },
  ]);
});

test.run();
