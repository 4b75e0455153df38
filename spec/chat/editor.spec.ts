import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { edit, editor, editorText, sent, withText, type Editor } from '../../lib/chat/editor.ts';

const test = suite('chat editor');
const WIDTH = 20;

function type(state: Editor, text: string): Editor {
  return [...text].reduce((before, letter) => edit(before, { type: 'text', text: letter }, WIDTH), state);
}

function act(state: Editor, ...names: readonly string[]): Editor {
  return names.reduce((before, name) => edit(before, name, WIDTH), state);
}

test('a word that was typed is taken back as one, and done again', () => {
  const two = type(editor(), 'one two');
  assert.is(editorText(act(two, 'undo')), 'one ');
  assert.is(editorText(act(two, 'undo', 'undo', 'undo')), '');
  assert.is(editorText(act(two, 'undo', 'undo', 'redo', 'redo')), 'one two');
});

test('undo takes back whatever was done, step by step, to the beginning', () => {
  const step = fc.oneof(
    fc.constantFrom(
      'newline',
      'backspace',
      'delete',
      'kill-line',
      'kill-start',
      'kill-word',
      'yank',
      'cursor-left',
      'up',
      'down',
      'start-of-line',
    ),
    fc.string({ unit: 'grapheme', maxLength: 5 }).map(text => ({ type: 'text' as const, text })),
    fc.string({ unit: 'grapheme', maxLength: 30 }).map(text => ({ type: 'paste' as const, text })),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.array(step, { maxLength: 40 }),
      (start, steps) => {
        const first = editor(start);
        let state = first;
        for (const one of steps) state = edit(state, one, WIDTH);
        for (let n = 0; n <= steps.length; n++) state = act(state, 'undo');
        assert.is(editorText(state), editorText(first));
      },
    ),
  );
});

test('keys that move up and down go by rows as they are seen, then through what was sent', () => {
  const state = editor('first line that is longer than the width\nlast', ['older', 'newer']);
  const up = act(state, 'history-up');
  assert.is(up.text.row, 0);
  assert.ok(up.text.column > WIDTH, 'the last of its rows');
  const top = act(up, 'history-up', 'history-up');
  assert.is(editorText(act(top, 'history-up')), 'newer');
  assert.is(editorText(act(top, 'history-up', 'history-up')), 'older');
});

test('what is new comes back after what is old', () => {
  const state = type(editor('', ['older', 'newer']), 'draft');
  const back = act(state, 'history-up', 'history-up');
  assert.is(editorText(back), 'older');
  assert.is(editorText(act(back, 'history-down', 'history-down')), 'draft');
});

test('what was sent is remembered once in a row', () => {
  const once = sent(type(editor(), 'hello'));
  assert.equal(once.history, ['hello']);
  assert.equal(sent(withText(once, 'hello')).history, ['hello']);
  assert.equal(sent(once).history, ['hello']);
});

test('a text that was thrown away comes back', () => {
  assert.is(editorText(act(type(editor(), 'precious'), 'clear', 'undo')), 'precious');
});

test.run();
