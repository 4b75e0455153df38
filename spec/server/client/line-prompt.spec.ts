import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LinePrompt } from '../../../lib/server/client/line-prompt.ts';

const test = suite('client/line-prompt');

/** A prompt that completes to `candidates`, and the history it writes to. */
function ask(
  options: { initial?: string; template?: string } = {},
  candidates: readonly string[] = [],
): { prompt: LinePrompt; history: string[] } {
  const history = ['older', 'old'];
  const given = { label: ':', initial: '', template: '%%', ...options };
  const complete = (before: string): { candidates: readonly string[]; replace: number } => ({
    candidates,
    replace: before.length,
  });
  return { history, prompt: new LinePrompt(given, history, complete) };
}

test('what is entered stands where the template says, as often as it says, whatever signs it holds', () => {
  const { prompt, history } = ask({ initial: 'one', template: "rename '%%' # %%" });
  prompt.event({ type: 'text', text: ' $& two' });
  assert.equal(prompt.event('accept'), { run: "rename 'one $& two' # one $& two" });
  assert.equal(history, ['older', 'old', 'one $& two']);
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

test.run();
