/** What is being written, what completes it, and in its place the review of a call that waits for a verdict. */
import type { Role, Run, StyledLine } from '../../base/styled.ts';
import { pad, truncate } from '../../base/text.ts';
import { visible } from '../../base/visible.ts';
import { editLine, lineWidth } from '../../chrome/lines.ts';
import { rowBox, type Box, type PaintLine } from '../../chrome/paint.ts';
import { textLayout, textTop } from '../../mode/composer-view.ts';
import { editorText } from '../editor.ts';
import type { Geometry } from '../geometry.ts';
import { reviewLines, reviewTitle } from '../review-lines.ts';
import type { Tab } from '../state.ts';
import type { KeyOf, Part } from './screen.ts';

/** The box at the bottom. */
export function inputPainting(tab: Tab, place: Geometry, keyOf: KeyOf): Part {
  return tab.focus === 'review' ? reviewPart(tab, place, keyOf) : writingPart(tab, place);
}

function framed({ box }: Geometry, role: Role, lines: readonly PaintLine[], title: StyledLine): Box[] {
  const isFramed = box.height > 2;
  const titled =
    isFramed && title.length > 0
      ? [rowBox(box.x + 2, box.y, Math.min(lineWidth(title), box.width - 4), title)]
      : [];
  return [{ rect: box, fill: 'bg', lines, ...(isFramed ? { frame: role } : {}) }, ...titled];
}

function writingPart(tab: Tab, place: Geometry): Part {
  const { input } = place;
  const isFocused = tab.focus === 'input';
  const text = textLayout(tab.editor.text, input.width);
  const attached: PaintLine[] =
    tab.attachments.length === 0 ? [] : [{ runs: [{ text: ' ' }, ...attachments(tab, input.width)] }];
  const height = Math.max(1, input.height - attached.length);
  const top = textTop(text, Math.max(0, text.lines.length - height), height);
  const isEmpty = editorText(tab.editor) === '';
  const placeholder: StyledLine = [
    { text: tab.timeline.items.length === 0 ? 'Ask anything' : 'Go on', role: 'dim' },
  ];
  const shown = isEmpty ? [placeholder] : text.lines.slice(top, top + height);
  const lines = [...attached, ...shown.map((line): PaintLine => ({ runs: [{ text: ' ' }, ...line] }))];
  const title: Run[] =
    tab.resumeFrom === '' ? [] : [{ text: ' goes on from an earlier message ', role: 'warn' }];
  const boxes = [
    ...framed(place, isFocused ? 'border-focus' : 'border', lines, title),
    ...suggestionBox(tab, place),
  ];
  const caret = { x: input.x + text.caret.x, y: input.y + attached.length + text.caret.y - top };
  return {
    boxes,
    zones: [{ rect: place.box, target: (x, y) => ({ type: 'input', x, y }) }],
    ...(isFocused ? { caret } : {}),
  };
}

function attachments({ attachments: all }: Tab, width: number): StyledLine {
  return [{ text: truncate(all.map(({ name }) => `+ ${visible(name)}`).join('  '), width), role: 'accent' }];
}

/** The list over the input, its last row on the input's frame. */
function suggestionBox({ suggestions }: Tab, { box }: Geometry): Box[] {
  if (!suggestions || box.y < 3) return [];
  const { entries, selected } = suggestions;
  const texts = entries.map(({ text }) => visible(text));
  const most = Math.max(...texts.map(text => lineWidth([{ text }])));
  const notes = Math.max(...entries.map(({ note }) => lineWidth([{ text: note }])));
  const cols = Math.min(box.width - 4, most + notes + 5);
  const column = Math.min(most, cols - 2);
  const height = Math.min(entries.length, box.y - 2);
  const first = Math.max(0, Math.min(selected - height + 1, entries.length - height));
  const lines = entries.slice(first, first + height).map(({ note }, n): PaintLine => {
    const runs: Run[] = [
      { text: ` ${pad(texts[first + n]!, column)}  ` },
      { text: truncate(note, Math.max(0, cols - column - 4)), role: 'dim' },
    ];
    return first + n === selected ? { runs, fill: 'selection' } : { runs };
  });
  return [
    {
      rect: { x: box.x + 1, y: box.y - height - 2, width: cols + 2, height: height + 2 },
      fill: 'bg',
      lines,
      frame: 'border',
    },
  ];
}

function reviewPart(tab: Tab, place: Geometry, keyOf: KeyOf): Part {
  const { input } = place;
  const body = reviewLines(tab, input.width, keyOf);
  const lines: PaintLine[] = body.map(runs => ({ runs: [{ text: ' ' }, ...runs] }));
  const line = tab.review?.line;
  if (!line) return { boxes: framed(place, 'warn', lines, reviewTitle(tab)), zones: [] };
  const label = REVIEW_LABELS[tab.review!.purpose];
  const field = editLine(line.text, line.caret, Math.max(1, input.width - label.length - 1));
  lines.push({ runs: [{ text: ` ${label} `, role: 'accent' }, { text: field.text }] });
  const caret = { x: input.x + label.length + 1 + field.caretX, y: input.y + lines.length - 1 };
  return { boxes: framed(place, 'warn', lines, reviewTitle(tab)), zones: [], caret };
}

const REVIEW_LABELS = { reject: 'why not >', word: 'YES to run it >', edit: 'run instead >' } as const;
