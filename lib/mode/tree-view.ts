/**
 * A tree as chrome draws it: the list of a browser, with what is folded, tagged and sorted.
 */
import type { Run, StyledLine } from '../base/styled.ts';
import type { BrowserView, Hint } from '../chrome/view.ts';
import { highlight } from './highlight.ts';
import { digitOf, selectedRow } from './tree.ts';
import type { Tree, TreeEntry } from './tree.ts';

/** All of the view but the preview, which whoever knows the items adds. */
export function treeView(
  state: Tree,
  hints: readonly Hint[],
): Omit<BrowserView, 'preview' | 'previewTitle' | 'previewScroll'> {
  const { kind, order, isReversed, tagged } = state;
  const isSorted = order !== (kind.orders[0] ?? '') || isReversed;
  return {
    type: 'browser',
    title: [
      kind.title,
      ...(isSorted ? [`by ${order}${isReversed ? ', reversed' : ''}`] : []),
      ...(tagged.size > 0 ? [`${tagged.size} tagged`] : []),
    ].join(' · '),
    facets: [],
    filter: state.filter.text,
    caret: state.focus === 'filter' ? state.filter.caret : -1,
    filterLabel: 'filter',
    items: state.entries.map((entry, row) => ({
      id: entry.item.id,
      line: entryLine(entry, row, tagged.has(entry.item.id)),
      note: entry.item.note,
    })),
    selected: selectedRow(state),
    total: state.filter.text === '' ? state.entries.length : state.items.length,
    hints,
    empty: state.items.length === 0 ? kind.empty : 'nothing is like that: Esc shows all',
    hasPreview: state.hasPreview,
  };
}

/** `3 * ▾ ● name` */
function entryLine({ item, depth, open, ranges }: TreeEntry, row: number, isTagged: boolean): StyledLine {
  const sign = open === undefined ? '  ' : open ? '▾ ' : '▸ ';
  const lead: Run[] = [
    { text: digitOf(row).padEnd(2), role: 'dim' },
    { text: isTagged ? '* ' : '  ', role: 'accent', bold: true },
    { text: '  '.repeat(depth) + sign, role: 'dim' },
  ];
  return [...lead, ...item.mark, ...highlight(item.text, ranges)];
}
