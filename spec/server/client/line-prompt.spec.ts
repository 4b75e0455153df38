import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCommands } from '../../../lib/cmd/parse.ts';
import { fillTemplate } from '../../../lib/cmd/prompt.ts';
import type { PromptRequest } from '../../../lib/cmd/spec.ts';
import { LinePrompt } from '../../../lib/server/client/line-prompt.ts';

const test = suite('client/line-prompt');

/** A prompt that completes to `candidates`, and the history it writes to. */
function ask(
  options: Partial<PromptRequest> & { initial?: string } = {},
  candidates: readonly string[] = [],
): { prompt: LinePrompt; history: string[] } {
  const history = ['older', 'old'];
  const given: PromptRequest = {
    questions: [{ label: ':', initial: options.initial ?? '' }],
    history: 'command',
    answer: 'line',
    entered: () => undefined,
    ...options,
  };
  const complete = (before: string): { candidates: readonly string[]; replace: number } => ({
    candidates,
    replace: before.length,
  });
  return { history, prompt: new LinePrompt(given, history, complete) };
}

test('what is entered is the answer, and remembered', () => {
  const { prompt, history } = ask({ initial: 'one' });
  prompt.event({ type: 'text', text: ' $& two' });
  assert.equal(prompt.event('accept'), ['one $& two']);
  assert.equal(history, ['older', 'old', 'one $& two']);
});

test('several questions are asked one after the other, each beginning with its own text', () => {
  const questions = [
    { label: 'from ', initial: 'a' },
    { label: 'to ', initial: '' },
  ];
  const { prompt } = ask({ questions });
  assert.is(prompt.event('accept'), 'open');
  assert.equal(prompt.view, { label: 'to ', text: '', caret: 0 });
  prompt.event({ type: 'text', text: 'b' });
  assert.equal(prompt.event('accept'), ['a', 'b']);
});

test('one character, or one key, is an answer without Enter, and not remembered', () => {
  for (const answer of ['character', 'key'] as const) {
    const { prompt, history } = ask({ answer });
    assert.is(prompt.takesKey, answer === 'key');
    assert.equal(prompt.event({ type: 'text', text: 'x' }), ['x']);
    assert.equal(history, ['older', 'old']);
  }
});

test('an answer stands in the command where its template says, and cannot end a quoted word', () => {
  assert.is(fillTemplate("rename '%%' # %%", ['one $& two']), "rename 'one $& two' # one $& two");
  assert.is(fillTemplate('swap %1 %2 %% %%', ['a', 'b']), 'swap a b a b');
  const line = fillTemplate('rename-window -- "%%%"', ['a"; kill-server; "\\']);
  assert.equal(parseCommands(line), [['rename-window', '--', 'a"; kill-server; "\\']]);
});

test('nothing entered, or Escape, runs nothing and is not remembered', () => {
  for (const end of ['accept', 'cancel']) {
    const { prompt, history } = ask({ initial: end === 'accept' ? '  ' : 'half' });
    assert.is(prompt.event(end), 'closed');
    assert.equal(history, ['older', 'old']);
  }
});

test('earlier lines come back, newest first', () => {
  const { prompt } = ask();
  assert.is(prompt.event('history-up'), 'open');
  assert.is(prompt.view.text, 'old');
  prompt.event('history-up');
  assert.equal(prompt.view, { label: ':', text: 'older', caret: 5 });
});

test('completion is asked for and put in', () => {
  const { prompt } = ask({ initial: 'sel' }, ['select-pane', 'select-window']);
  assert.is(prompt.event('complete'), 'open');
  assert.is(prompt.view.text, 'select-');
  prompt.event('complete');
  assert.is(prompt.view.text, 'select-pane');
});

test('a prompt for one character takes the first, whatever its bytes', () => {
  const { prompt } = ask({ answer: 'character' });
  assert.equal(prompt.event({ type: 'text', text: '👩‍👩‍👧x' }), ['👩‍👩‍👧']);
});

test('where the text is followed while it is typed, nothing is an answer too', () => {
  const { prompt, history } = ask({ changed: () => undefined });
  assert.equal(prompt.event('accept'), ['']);
  assert.equal(history, ['older', 'old']);
});

test.run();
