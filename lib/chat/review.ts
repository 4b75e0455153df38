/** What is typed while a call waits for a verdict: a reason, the word for what cannot be undone, another command. */
import { editLine } from '../mode/line-editor.ts';
import { only, told, type Result } from './step.ts';
import { WORD, type Verdict } from '../agent/review.ts';
import { shownTab, withTab, type ChatApp, type Tab } from './state.ts';
import { waitingCalls } from './timeline.ts';

/** The tab with something typed into the line. */
export function reviewText(tab: Tab, event: { readonly type: 'text' | 'paste'; readonly text: string }): Tab {
  if (!tab.review) return tab;
  return { ...tab, review: { ...tab.review, line: editLine(tab.review.line, event).state } };
}

/** An action while the line is open; undefined where it is none of its own. */
export function reviewAction(app: ChatApp, name: string): Result | undefined {
  const tab = shownTab(app);
  const { review } = tab;
  if (!review) return undefined;
  const put = (change: Partial<Tab>): ChatApp => withTab(app, tab.key, one => ({ ...one, ...change }));
  if (name === 'cancel' || name === 'to-input' || name === 'leave-input')
    return only(put({ review: undefined }));
  if (name === 'interrupt') return undefined;
  if (name !== 'accept' && name !== 'send') {
    const line = editLine(review.line, name).state;
    return line === review.line ? undefined : only(put({ review: { ...review, line } }));
  }
  const [call] = waitingCalls(tab.timeline);
  const closed = put({ review: undefined });
  if (!call) return only(closed);
  const { text } = review.line;
  if (review.purpose === 'word' && text !== WORD)
    return only(told(put({ review: undefined }), `it did not run: ${WORD} was not typed`, 'error'));
  const verdict: Verdict = {
    word: { type: 'accept', word: WORD } as const,
    reject: { type: 'reject', reason: text } as const,
    edit: { type: 'edit', args: { ...call.args, command: text } } as const,
  }[review.purpose];
  return { state: closed, intents: [{ type: 'verdict', key: tab.key, call: call.id, verdict }] };
}
