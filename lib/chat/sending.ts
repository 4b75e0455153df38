/** What becomes of what was written, and verdicts on calls. */
import { lineEditor } from '../mode/line-editor.ts';
import { edit, editorText, sent, withText } from './editor.ts';
import type { Item } from './item.ts';
import { geometry } from './geometry.ts';
import { does, onTab, only, told, type Result } from './step.ts';
import { shownTab, type ChatApp } from './state.ts';
import { waitingCalls } from './timeline.ts';
import { selectedItem } from './walking.ts';

/** The words of the selected message come back to be written anew; what came after is left behind once they are sent. */
export function editResend(app: ChatApp): Result {
  const tab = shownTab(app);
  const { timeline } = tab;
  const item = selectedItem(timeline);
  if (tab.state !== 'idle') return only(told(app, 'an answer is under way: stop it first'));
  if (item?.kind !== 'user') return only(told(app, 'choose a message of yours first'));
  if (item.message === '') return only(told(app, 'it is not kept yet: send it as it is'));
  return only(
    onTab(app, one => ({
      ...one,
      focus: 'input',
      editor: withText(one.editor, item.text),
      resumeFrom: item.message,
    })),
  );
}

/** Sends what was written; during an answer it is said next. */
export function send(app: ChatApp): Result {
  const tab = shownTab(app);
  const text = editorText(tab.editor);
  if (text.trim() === '' && tab.attachments.length === 0) {
    if (waitingCalls(tab.timeline).length > 0) return only(onTab(app, one => ({ ...one, focus: 'review' })));
    return only(told(app, 'there is nothing to send yet'));
  }
  if (tab.model.name === '')
    return does(told(app, 'choose a model first'), { type: 'pick', purpose: 'model' });
  const { attachments, key, resumeFrom: leaveBehind } = tab;
  const next = onTab(app, one => ({
    ...one,
    editor: sent(one.editor),
    attachments: [],
    suggestions: undefined,
    resumeFrom: '',
    timeline: { ...one.timeline, items: before(one.timeline.items, leaveBehind), anchor: 'end' as const },
  }));
  return does(next, { type: 'send', key, text, attachments, leaveBehind });
}

/** The items in front of a message; all where there is none of that name. */
function before(items: readonly Item[], message: string): readonly Item[] {
  const at = message === '' ? -1 : items.findIndex(item => item.message === message);
  return at < 0 ? items : items.slice(0, at);
}

/** A verdict on the call that waits longest; what cannot be undone asks for its word first. */
export function verdict(app: ChatApp, type: 'accept' | 'accept-all' | 'always'): Result {
  const tab = shownTab(app);
  const [call] = waitingCalls(tab.timeline);
  if (!call) return only(onTab(app, one => ({ ...one, focus: 'input', review: undefined })));
  if (call.decision?.wantsWord)
    return only(onTab(app, one => ({ ...one, review: { purpose: 'word', line: lineEditor() } })));
  return does(app, { type: 'verdict', key: tab.key, call: call.id, verdict: { type } });
}

/** Editing keys, given to the text that is written. */
export function editAction(app: ChatApp, name: string): ChatApp {
  const { input } = geometry(app);
  return onTab(app, tab => ({ ...tab, editor: edit(tab.editor, name, input.width) }));
}
