/** What lies over the chat, drawn by the same boxes as the multiplexer's own. */
import type { Run, StyledLine } from '../../base/styled.ts';
import { browserPainting } from '../../chrome/browser.ts';
import { dialogPainting } from '../../chrome/dialog.ts';
import { helpPainting } from '../../chrome/help.ts';
import { pickerPainting } from '../../chrome/picker.ts';
import { cutLine } from '../../chrome/lines.ts';
import { hitTest, type Painting } from '../../chrome/paint.ts';
import type { BrowserView, DialogView } from '../../chrome/view.ts';
import { highlight } from '../../mode/highlight.ts';
import { helpView } from '../../mode/help.ts';
import { pickerView } from '../../mode/picker.ts';
import { rank } from '../../mode/fuzzy.ts';
import { listed, titleOf } from '../menu.ts';
import type { ChatApp, Menu, Overlay } from '../state.ts';
import { dollars } from '../usage.ts';
import type { KeyOf, Part } from './screen.ts';

/** The topmost thing. */
export function overlayPainting(app: ChatApp, overlay: Overlay, keyOf: KeyOf): Part {
  const draw = DRAW[overlay.type] as (app: ChatApp, overlay: Overlay, keyOf: KeyOf) => Painting;
  const painting = draw(app, overlay, keyOf);
  const rect = { x: 0, y: 0, width: app.size.cols, height: app.size.rows };
  return {
    boxes: painting.boxes,
    caret: painting.caret,
    zones: [
      {
        rect,
        target: (x, y) => {
          const hit = hitTest(painting.boxes, { x, y });
          return hit.type === 'overlay-item' ? hit : { type: 'none' };
        },
      },
    ],
  };
}

type Draw = {
  readonly [Type in Overlay['type']]: (
    app: ChatApp,
    overlay: Extract<Overlay, { readonly type: Type }>,
    keyOf: KeyOf,
  ) => Painting;
};

const DRAW: Draw = {
  picker: ({ size }, { picker }) => pickerPainting(pickerView(picker), size),
  help: ({ size }, { help }) => helpPainting(helpView(help), size),
  menu: (app, { menu }, keyOf) => browserPainting(menuView(app, menu, keyOf), app.size),
  text: ({ size }, { title, lines, scroll }) => {
    const rect = { x: 0, y: 0, width: size.cols, height: size.rows };
    const shown = lines
      .slice(scroll, scroll + size.rows - 2)
      .map(line => ({ runs: [{ text: ' ' }, ...cutLine(line, size.cols - 4)] }));
    const name: Run = { text: ` ${title} · Esc closes `, role: 'header', bold: true };
    return {
      boxes: [
        { rect, fill: 'bg', lines: shown, frame: 'border-focus' },
        {
          rect: { x: 2, y: 0, width: Math.min(size.cols - 4, name.text.length), height: 1 },
          fill: 'bg',
          lines: [{ runs: [name] }],
        },
      ],
      caret: undefined,
    };
  },
  ask: ({ size }, { purpose, line }) =>
    dialogPainting({ type: 'dialog', ...ASKS[purpose], input: { text: line.text, caret: line.caret } }, size),
  sure: ({ size }, { lines, purpose }) =>
    dialogPainting(
      {
        type: 'dialog',
        title: purpose === 'quit' ? 'Leave' : 'Sure?',
        lines: lines.map((text): StyledLine => [{ text }]),
        hint: 'y yes · n, Enter or Esc no',
      },
      size,
    ),
};

const ASKS: Readonly<Record<'rename' | 'export', Pick<DialogView, 'title' | 'lines' | 'hint'>>> = {
  rename: { title: 'Title of the chat', lines: [], hint: 'Enter takes it · Esc closes' },
  export: {
    title: 'Write the chat to a file',
    lines: [[{ text: 'Markdown, or JSON where the name ends in .json' }]],
    hint: 'Enter writes it · Esc closes',
  },
};

/** How long ago, in a word. */
export function ageText(now: number, then: number): string {
  const minutes = Math.floor(Math.max(0, now - then) / 60_000);
  if (then === 0) return '';
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}

function menuView({ now, told }: ChatApp, menu: Menu, keyOf: KeyOf): BrowserView {
  const chats = listed(menu);
  const ranges = menu.searches === 'titles' ? rank(chats.map(titleOf), menu.filter.text) : [];
  const byIndex = new Map(ranges.map(match => [match.index, match.ranges]));
  const dialog: DialogView | undefined = menu.rename && {
    type: 'dialog',
    ...ASKS.rename,
    input: { text: menu.rename.text, caret: menu.rename.caret },
  };
  const hint = (action: string, text: string): { readonly key: string; readonly text: string } => ({
    key: keyOf('chat-menu', action),
    text,
  });
  const [message] = told;
  return {
    type: 'browser',
    title: message ? message.text : 'Chats',
    facets: [],
    filter: menu.filter.text,
    caret: menu.filter.caret,
    filterLabel: menu.searches === 'titles' ? 'title' : 'said',
    items: chats.map(({ name, title, price, updated, isFavourite }, index) => ({
      id: name,
      line: [
        { text: isFavourite ? '★ ' : '  ', role: 'warn' },
        ...highlight(titleOf({ name, title }), byIndex.get(index) ?? []),
      ],
      note: [price > 0 ? dollars(price) : '', ageText(now, updated)].filter(Boolean).join('  '),
    })),
    selected: Math.max(
      0,
      chats.findIndex(({ name }) => name === menu.selected),
    ),
    total: menu.chats.length,
    preview: menu.previews.get(menu.selected) ?? [],
    previewTitle: '',
    previewScroll: menu.scroll,
    hints: [
      hint('accept', 'open'),
      hint('next-side', 'titles or text'),
      hint('new-tab', 'new'),
      hint('favourite', 'favourite'),
      hint('rename', 'rename'),
      hint('delete-chat', 'delete'),
      hint('undo', 'bring back'),
      hint('cancel', 'close'),
    ],
    empty: menu.isLoading
      ? 'reading'
      : menu.filter.text === ''
        ? 'there are no chats yet'
        : 'no chat is like that',
    ...(dialog ? { dialog } : {}),
  };
}
