/**
 * The composer as chrome draws it: receivers in place of a browser's list, the text in place of its preview.
 */
import type { StyledLine } from '../base/styled.ts';
import { cellWidth, graphemes } from '../base/text.ts';
import { revealed } from '../base/visible.ts';
import type { BrowserView, DialogView, Hint } from '../chrome/view.ts';
import { chosen, streamsOf } from './composer.ts';
import type { Composer } from './composer.ts';
import { highlight } from './highlight.ts';
import { textOf } from './text-editor.ts';
import type { TextEditor } from './text-editor.ts';
import { wrapClusters } from './wrap.ts';

/** Names that a question shows; of more it tells the number. */
const NAMES_MAX = 8;
/** Cells of a tab in what is written. */
const TAB = '    ';

/** The text in rows, and the caret among them. */
export interface TextLayout {
  readonly lines: readonly StyledLine[];
  readonly caret: { readonly x: number; readonly y: number };
}

/** Breaks what is written into rows of `width` cells. */
export function textLayout({ lines, row, column }: TextEditor, width: number): TextLayout {
  const rows: StyledLine[] = [];
  let caret = { x: 0, y: 0 };
  for (const [index, line] of lines.entries()) {
    const clusters = graphemes(line).map(cluster => (cluster === '\t' ? TAB : revealed(cluster)));
    const wrapped = wrapClusters(clusters, width);
    for (const [n, { start, end }] of wrapped.entries()) {
      const isLast = n === wrapped.length - 1;
      if (index === row && column >= start && (column < end || isLast)) {
        const before = clusters.slice(start, column).join('');
        caret = { x: Math.min(width, cellWidth(before)), y: rows.length };
      }
      rows.push([{ text: clusters.slice(start, end).join('') }]);
    }
  }
  return { lines: rows, caret };
}

/** First row to show of a text so that its caret is seen; `top` is the one shown before. */
export function textTop({ lines, caret }: TextLayout, top: number, height: number): number {
  const most = Math.max(0, lines.length - height);
  return Math.max(0, Math.min(caret.y, Math.max(caret.y - height + 1, Math.min(top, most))));
}

/** All of the view. */
export function composerView(
  state: Composer,
  layout: TextLayout,
  about: {
    readonly top: number;
    readonly height: number;
    readonly hints: readonly Hint[];
    readonly title: string;
  },
): BrowserView {
  const { top, height } = about;
  const isTo = state.focus === 'to';
  const { x, y } = layout.caret;
  const dialog = question(state);
  return {
    type: 'browser',
    title: about.title,
    facets: [],
    filter: isTo ? state.filter.text : namesText(state),
    caret: isTo ? state.filter.caret : -1,
    filterLabel: isTo && state.to.length > 0 ? `to ${namesText(state)} and` : 'to',
    items: state.entries.map(({ receiver, ranges }) => ({
      id: receiver.id,
      line: [
        { text: state.to.includes(receiver.id) ? '+ ' : '  ', role: 'accent', bold: true },
        ...highlight(receiver.text, ranges),
      ],
      note: receiver.id.replace(/:.*$/s, '').replace('tree', 'and below'),
    })),
    selected: state.selected,
    total: state.receivers.length,
    preview: layout.lines.slice(top, top + height),
    previewTitle: titleOf(state),
    previewScroll: 0,
    ...(isTo ? {} : { previewCaret: { x, y: y - top } }),
    hints: about.hints,
    empty: 'nobody is called that; a word of letters, digits and dots can be a topic',
    ...(dialog ? { dialog } : {}),
  };
}

function namesText(state: Composer): string {
  return chosen(state)
    .map(({ text }) => text)
    .join(', ');
}

function titleOf(state: Composer): string {
  if (state.isSending) return 'sending';
  const count = streamsOf(state).length;
  return count > 1 ? `your message, to ${count}` : 'your message';
}

/** What is about to be done: for several receivers how many there are, and who. */
function question(state: Composer): DialogView | undefined {
  if (!state.question) return undefined;
  const texts =
    state.question === 'send' ? sendLines(state) : ['Throw away what you have written?', lost(state)];
  const lines = texts.map((text): StyledLine => [{ text }]);
  return { type: 'dialog', title: 'Sure?', lines, hint: 'y yes · n, Enter or Esc no' };
}

function sendLines(state: Composer): readonly string[] {
  const names = [...new Set(chosen(state).flatMap(receiver => receiver.names))];
  const more = names.length - NAMES_MAX;
  return [
    `Send ${streamsOf(state).length} messages, one to each?`,
    names.slice(0, NAMES_MAX).join(', ') + (more > 0 ? ` and ${more} more` : ''),
  ];
}

function lost({ editor }: Composer): string {
  const text = textOf(editor);
  return `It has ${editor.lines.length} ${editor.lines.length === 1 ? 'line' : 'lines'}, ${text.length} characters.`;
}
