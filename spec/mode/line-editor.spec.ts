import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { editLine, lineEditor, remember } from '../../lib/mode/line-editor.ts';
import type { LineEditor, LineEvent } from '../../lib/mode/line-editor.ts';

const test = suite('line editor');

const type = (text: string): LineEvent => ({ type: 'text', text });
const paste = (text: string): LineEvent => ({ type: 'paste', text });
const run = (state: LineEditor, ...events: LineEvent[]): LineEditor =>
  events.reduce((s, event) => editLine(s, event).state, state);
const count = (text: string): number =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length;

test('text goes in at the caret', () => {
  const state = run(lineEditor(), type('split'), 'start-of-line', type('x '), 'end-of-line', type('!'));
  assert.is(state.text, 'x split!');
  assert.is(state.caret, 8);
});

test('one key moves over, and deletes, what looks like one character', () => {
  const state = lineEditor('a👩‍👩‍👧é🇳🇴');
  assert.is(state.caret, 4);
  assert.is(run(state, 'backspace').text, 'a👩‍👩‍👧é');
  assert.is(run(state, 'cursor-left', 'cursor-left', 'backspace').text, 'aé🇳🇴');
  assert.is(run(state, 'start-of-line', 'cursor-right', 'delete').text, 'aé🇳🇴');
});

test('a mark typed behind a letter joins it', () => {
  const state = run(lineEditor('e'), type('\u0301'), type('x'));
  assert.is(state.text, 'e\u0301x');
  assert.is(state.caret, 2);
});

test('words are moved over and killed, and come back with yank', () => {
  const state = lineEditor('split-window -h /tmp/a b');
  assert.is(run(state, 'previous-word').caret, 23);
  assert.is(run(state, 'previous-word', 'previous-word').caret, 21);
  assert.is(run(state, 'start-of-line', 'next-word').caret, 5);
  const killed = run(state, 'cursor-left', 'cursor-left', 'kill-word');
  assert.is(killed.text, 'split-window -h  b');
  assert.is(run(killed, 'end-of-line', 'yank').text, 'split-window -h  b/tmp/a');
  assert.is(run(state, 'start-of-line', 'next-word', 'kill-line').text, 'split');
  assert.is(run(state, 'previous-word', 'kill-start').text, 'b');
  assert.is(run(state, 'start-of-line', 'kill-next-word').text, '-window -h /tmp/a b');
  assert.is(run(state, 'clear').text, '');
});

test('a pasted text becomes one line without controls', () => {
  assert.is(run(lineEditor(), paste('one\r\ntwo\tthree\n')).text, 'one two three');
  assert.is(run(lineEditor(), paste('a\u001b[31mb\u0007\u009bc\ud800')).text, 'a[31mbc');
});

test('text is bounded', () => {
  const state = run(lineEditor(), paste('x'.repeat(100_000)), type('yyy'));
  assert.is(state.text.length, 4096);
  assert.is(run(lineEditor('x'.repeat(4095)), type('😀')).text.length, 4095);
});

test('accepting gives the text and remembers it', () => {
  const { state, intents } = editLine(lineEditor('ls', ['pwd']), 'accept');
  assert.equal(intents, [{ type: 'accept', text: 'ls' }]);
  assert.is(state.text, '');
  assert.equal(state.history, ['pwd', 'ls']);
  assert.equal(editLine(state, 'cancel').intents, [{ type: 'cancel' }]);
});

test('history walks back and forth and keeps the line that was begun', () => {
  const state = run(lineEditor('', ['one', 'two']), type('thr'));
  assert.is(run(state, 'history-up').text, 'two');
  assert.is(run(state, 'history-up', 'history-up', 'history-up').text, 'one');
  assert.is(
    run(state, 'history-up', 'history-up', 'history-down', 'history-down', 'history-down').text,
    'thr',
  );
});

test('history is bounded and holds no repeats or blanks', () => {
  assert.equal(remember(['a'], 'a'), ['a']);
  assert.equal(remember(['a'], '  '), ['a']);
  const long = Array.from({ length: 900 }, (_, i) => String(i));
  assert.is(remember(long, 'x').length, 500);
  assert.is(lineEditor('', long).history.length, 500);
});

test('completion asks, takes the common beginning, then walks through', () => {
  const state = lineEditor('sel');
  assert.equal(editLine(state, 'complete').intents, [{ type: 'complete', before: 'sel' }]);
  const candidates = ['select-pane', 'select-window', 'select-layout'];
  const offered = run(state, { type: 'candidates', candidates, replace: 3 });
  assert.is(offered.text, 'select-');
  assert.is(run(offered, 'complete').text, 'select-pane');
  assert.is(run(offered, 'complete', 'complete').text, 'select-window');
  assert.is(run(offered, 'complete-back').text, 'select-layout');
  assert.is(run(offered, 'complete', 'complete', 'complete', 'complete').text, 'select-pane');
  assert.is(run(offered, 'complete', type(' -L')).text, 'select-pane -L');
  assert.is(run(offered, 'complete', type('x')).completion, undefined);
});

test('a single candidate is taken, none changes nothing', () => {
  const state = run(lineEditor('kill-p -a'), 'start-of-line', 'next-word', 'next-word');
  assert.is(run(state, { type: 'candidates', candidates: ['kill-pane'], replace: 6 }).text, 'kill-pane -a');
  assert.is(run(state, { type: 'candidates', candidates: [], replace: 6 }).text, 'kill-p -a');
});

test('an action it does not know changes nothing', () => {
  const state = lineEditor('x');
  assert.is(editLine(state, 'constructor').state, state);
  assert.is(editLine(state, 'page-down').state, state);
});

test('the caret stays inside the text whatever happens', () => {
  const action = fc.constantFrom<LineEvent>(
    'cursor-left',
    'cursor-right',
    'start-of-line',
    'end-of-line',
    'previous-word',
    'next-word',
    'backspace',
    'delete',
    'kill-line',
    'kill-start',
    'kill-word',
    'kill-next-word',
    'yank',
    'history-up',
    'history-down',
    'complete',
    'complete-back',
    'accept',
  );
  const piece = fc.constantFrom('a', 'é', '\u0301', '👩', '\u200d', '🇳', '日', ' ', '-', '\ud83d', '\n');
  const event = fc.oneof(
    action,
    fc.array(piece).map(p => type(p.join(''))),
    fc.array(piece).map(p => paste(p.join(''))),
    fc
      .tuple(
        fc.array(fc.string({ unit: piece, maxLength: 4 }), { maxLength: 3 }),
        fc.integer({ min: -2, max: 9 }),
      )
      .map(([candidates, replace]): LineEvent => ({ type: 'candidates', candidates, replace })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), events => {
      let state = lineEditor('', ['old 👩‍👩‍👧']);
      for (const e of events) {
        state = editLine(state, e).state;
        assert.ok(state.caret >= 0 && state.caret <= count(state.text));
        assert.not(/[\n\r\u001b]/.test(state.text));
      }
    }),
    { numRuns: 300 },
  );
});

test.run();
