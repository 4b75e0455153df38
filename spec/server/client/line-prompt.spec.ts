import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCommands } from '../../../lib/cmd/parse.ts';
import type { PromptRequest } from '../../../lib/cmd/spec.ts';
import { LinePrompt } from '../../../lib/server/client/line-prompt.ts';

const test = suite('client/line-prompt');
const OPEN = { isOpen: true, run: undefined };
const CLOSED = { isOpen: false, run: undefined };

/** A prompt that completes to `candidates`, and the history it writes to. */
function ask(
  options: Partial<PromptRequest> = {},
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
  assert.equal(prompt.event('accept'), { isOpen: false, run: "rename 'one $& two' # one $& two" });
  assert.equal(history, ['older', 'old', 'one $& two']);
});

test('nothing entered, or Escape, runs nothing and is not remembered', () => {
  for (const end of ['accept', 'cancel']) {
    const { prompt, history } = ask({ initial: end === 'accept' ? '  ' : 'half' });
    assert.equal(prompt.event(end), CLOSED);
    assert.equal(history, ['older', 'old']);
  }
});

test('earlier lines come back, newest first', () => {
  const { prompt } = ask();
  assert.equal(prompt.event('history-up'), OPEN);
  assert.is(prompt.view.text, 'old');
  prompt.event('history-up');
  assert.equal(prompt.view, { label: ':', text: 'older', caret: 5 });
});

test('completion is asked for and put in', () => {
  const { prompt } = ask({ initial: 'sel' }, ['select-pane', 'select-window']);
  assert.equal(prompt.event('complete'), OPEN);
  assert.is(prompt.view.text, 'select-');
  prompt.event('complete');
  assert.is(prompt.view.text, 'select-pane');
});

test('an incremental prompt runs its template at every change, and says when it is entered or given up', () => {
  const { prompt, history } = ask({ isIncremental: true, template: 'find "%%%"' });
  assert.equal(prompt.event({ type: 'text', text: 'a' }), { isOpen: true, run: 'find "=a"' });
  assert.equal(prompt.event('cursor-left'), OPEN);
  assert.equal(prompt.event('accept'), { isOpen: false, run: 'find "!a"' });
  assert.equal(history, ['older', 'old', 'a']);
  const other = ask({ isIncremental: true, template: 'find "%%%"' }).prompt;
  other.event({ type: 'text', text: 'b' });
  assert.equal(other.event('cancel'), { isOpen: false, run: 'find "~b"' });
});

test('three signs write what is entered for the inside of quotes, so that it stays one word', () => {
  const { prompt } = ask({ initial: 'a" ; kill-server "\\', template: 'find "%%%"' });
  const { run } = prompt.event('accept');
  assert.equal(parseCommands(run!), [['find', 'a" ; kill-server "\\']]);
});

test('a prompt for one key takes the first character, whatever its bytes', () => {
  const { prompt } = ask({ isOneKey: true, template: 'jump "%%%"' });
  assert.equal(prompt.event({ type: 'text', text: '👩‍👩‍👧' }), { isOpen: false, run: 'jump "👩‍👩‍👧"' });
});

test.run();
