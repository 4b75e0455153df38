import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { plain } from '../../lib/base/styled.ts';
import {
  composer,
  reduceComposer,
  streamsOf,
  type Composer,
  type ComposerEvent,
} from '../../lib/mode/composer.ts';
import { composerView, textLayout, textTop } from '../../lib/mode/composer-view.ts';
import { editText, TEXT_MAX, textEditor, textOf } from '../../lib/mode/text-editor.ts';
import type { TextEditor } from '../../lib/mode/text-editor.ts';

const test = suite('mode/composer');

const RECEIVERS = [
  { id: 'session:s1', text: 'api', names: ['api'], streams: ['inbox:s1'] },
  { id: 'session:s2', text: 'docs', names: ['docs'], streams: ['inbox:s2'] },
  { id: 'label:team=db', text: 'team=db (2)', names: ['api', 'docs'], streams: ['inbox:s1', 'inbox:s2'] },
  { id: 'topic:build', text: 'build', names: ['build'], streams: ['build'] },
];
const NEW = composer(RECEIVERS, { to: [], text: '', isAnswer: false });
const type = (text: string): ComposerEvent => ({ type: 'text', text });
const run = (state: Composer, ...events: ComposerEvent[]): Composer =>
  events.reduce((s, event) => reduceComposer(s, event).state, state);
const asked = (state: Composer): string =>
  (
    composerView(state, textLayout(state.editor, 30), { top: 0, height: 9, hints: [], title: 't' }).dialog
      ?.lines ?? []
  )
    .map(plain)
    .join(' ');

test('letters choose the receiver, then are the text, in which Enter begins a line', () => {
  const state = run(NEW, type('do'), 'accept', type('one'), 'accept', type('two'));
  assert.equal(state.to, ['session:s2']);
  assert.is(textOf(state.editor), 'one\ntwo');
  const { intents, state: sent } = reduceComposer(state, 'send');
  assert.equal(intents, [{ type: 'send' }]);
  assert.is(run(sent, type('x')), sent, 'nothing is changed while it is sent');
});

test('what goes to several is asked for with their number, and not done by any key but y', () => {
  const state = run(NEW, type('team'), 'accept', type('stop'), 'send');
  assert.match(asked(state), /Send 2 messages.* api, docs/);
  for (const no of ['accept', 'cancel', type('n'), type('q')])
    assert.equal(reduceComposer(state, no).intents, [], JSON.stringify(no));
  assert.equal(reduceComposer(state, type('y')).intents, [{ type: 'send' }]);
});

test('who is in two of the receivers gets one message', () => {
  const state = run(NEW, 'tag', 'down', 'tag');
  assert.equal(state.to, ['session:s1', 'label:team=db']);
  assert.equal(streamsOf(state), ['inbox:s1', 'inbox:s2']);
});

test('a word that is no topic yet can become one; what mux alone writes cannot', () => {
  const state = run(NEW, type('plans.q3'), 'accept');
  assert.equal(streamsOf(state), ['plans.q3']);
  assert.equal(run(NEW, type('_system.x')).entries, []);
});

test('a message without receiver or text is not sent, and the keys go where that is missing', () => {
  const noText = reduceComposer(run(NEW, 'accept'), 'send');
  assert.equal([noText.intents[0]?.type, noText.state.focus], ['tell', 'text']);
  const nobody = reduceComposer(run(NEW, 'next-side', type('hi')), 'send');
  assert.equal([nobody.intents[0]?.type, nobody.state.focus], ['tell', 'to']);
  const gone = run(run(NEW, 'accept', type('hi')), { type: 'receivers', receivers: [] });
  assert.equal(reduceComposer(gone, 'send').intents[0]?.type, 'tell');
});

test('text is thrown away only when that was asked for', () => {
  const state = run(NEW, 'accept', type('much work'), 'discard');
  assert.match(asked(state), /Throw away.*9 characters/);
  assert.equal(reduceComposer(state, 'accept').intents, []);
  assert.equal(reduceComposer(state, type('y')).intents, [{ type: 'discard' }]);
  assert.equal(reduceComposer(run(NEW, 'accept', type('x')), 'cancel').intents, [{ type: 'close' }]);
});

test('a paste keeps its lines and tabs; one that is too long is refused whole', () => {
  const state = run(NEW, 'accept', { type: 'paste', text: 'a\r\n\tb\x1b[2J' });
  assert.is(textOf(state.editor), 'a\n\tb[2J');
  const refused = reduceComposer(state, { type: 'paste', text: 'x'.repeat(TEXT_MAX) });
  assert.is(refused.state, state);
  assert.is(refused.intents[0]?.type, 'tell');
});

test('keys edit over the ends of lines as within them', () => {
  const edit = (text: string, ...keys: string[]): TextEditor => keys.reduce(editText, textEditor(text));
  assert.is(textOf(edit('ab\ncd', 'start-of-line', 'backspace')), 'abcd');
  assert.is(textOf(edit('ab\ncd', 'up', 'end-of-line', 'delete')), 'abcd');
  assert.is(textOf(edit('one two', 'kill-word', 'yank', 'yank')), 'one twotwo');
  assert.is(textOf(edit('ab\ncd', 'top', 'kill-line', 'kill-line')), 'cd');
  const { row, column } = edit('long line\nx', 'up', 'end-of-line', 'down');
  assert.equal([row, column], [1, 1]);
});

test('whatever is typed, the caret is in the text, and what is drawn is the text', () => {
  const keys = fc.constantFrom(
    'newline',
    'cursor-left',
    'cursor-right',
    'up',
    'down',
    'backspace',
    'delete',
    'kill-line',
    'yank',
    'previous-word',
    'kill-word',
    'start-of-line',
    'end-of-line',
    'top',
    'bottom',
    'constructor',
  );
  const event = fc.oneof(
    keys,
    fc.string({ unit: 'grapheme', maxLength: 12 }).map(text => ({ type: 'text' as const, text })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.integer({ min: 4, max: 20 }), (events, width) => {
      const state = events.reduce(editText, textEditor());
      const { lines, caret } = textLayout(state, width);
      assert.ok(state.row < state.lines.length);
      assert.ok(caret.y < lines.length && caret.x <= width, JSON.stringify({ caret, width }));
      const top = textTop({ lines, caret }, 3, 4);
      assert.ok(caret.y >= top && caret.y < top + 4);
      if (!/[\p{C}]/u.test(textOf(state).replaceAll('\n', '')))
        assert.is(lines.map(plain).join(''), state.lines.join(''));
    }),
  );
});

test.run();
