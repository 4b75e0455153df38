/**
 * The sidebar: the graph's sections, then the sessions.
 */
import { cellWidth } from '../base/text.ts';
import type { Rect } from '../base/geometry.ts';
import type { Run, StyledLine } from '../base/styled.ts';
import { STATES } from './glyphs.ts';
import { justify, run, scrollTo } from './lines.ts';
import { NOTHING, type Box, type PaintLine } from './paint.ts';
import type { SidebarRow, SidebarView } from './view.ts';

/** The sidebar in its rectangle: the title, then as many rows as fit around the selected one. */
export function sidebarBox(view: SidebarView, rect: Rect): Box {
  const height = Math.max(0, rect.height - 1);
  const selected = view.rows.findIndex(row => row.id === view.selected);
  const first = scrollTo(selected, view.rows.length, height);
  const shown = view.rows.slice(first, first + height);
  const section = focusedSection(view, selected);
  const lines: PaintLine[] = [titleLine(view, rect.width, first > 0)];
  for (const row of shown) {
    const isSelected = row.id === view.selected && view.focused;
    const runs = justify(rowRuns(row, row === section, rect.width), noteRuns(row), rect.width);
    lines.push(isSelected ? { runs, fill: 'selection' } : { runs });
  }
  if (view.rows.length > first + height && height > 1) {
    const hidden = view.rows.length - first - height + 1;
    lines[height] = { runs: [{ text: `   ↓ ${hidden} more`, role: 'dim' }] };
    shown.pop();
  }
  return {
    rect,
    fill: 'bg',
    lines,
    hit: (_x, y) => (y > 0 && shown[y - 1] ? { type: 'sidebar', id: shown[y - 1]!.id } : NOTHING),
  };
}

function titleLine(view: SidebarView, cols: number, scrolled: boolean): PaintLine {
  const title: StyledLine = [
    run(' GRAPH  ', view.focused ? 'header' : 'dim', { bold: view.focused }),
    run(view.title, 'dim'),
  ];
  return { runs: justify(title, scrolled ? [{ text: '↑ ', role: 'dim' }] : [], cols) };
}

/** The section the selected row is in, while the sidebar has the keyboard. */
function focusedSection(view: SidebarView, selected: number): SidebarRow | undefined {
  if (!view.focused || selected < 0) return undefined;
  return view.rows.slice(0, selected + 1).findLast(row => row.kind === 'section');
}

/** Text starts four cells in; marks stand in the two cells before it. */
function rowRuns(row: SidebarRow, isFocusedSection: boolean, cols: number): StyledLine {
  // Deeper than this there would be no room for text in the narrowest sidebar.
  const indent = ' '.repeat(2 * Math.min(6, Math.max(0, row.depth - 1)));
  const build: Readonly<Record<SidebarRow['kind'], () => Run[]>> = {
    section: () => [
      { text: ` ${indent}${row.open === false ? '▸' : '▾'} `, role: 'dim' },
      run(row.text, undefined, { bold: isFocusedSection }),
    ],
    item: () => [run(`    ${indent}${row.text}`)],
    diagnostic: () => [
      { text: `  ${indent}` },
      run(`! ${lastParts(row.text, cols - indent.length - 4)}`, row.isWarning ? 'warn' : 'alarm'),
    ],
    session: () => {
      const state = STATES[row.state ?? 'ready'];
      return [{ text: `    ${indent}` }, { text: state.mark, role: state.role }, run(` ${row.text}`)];
    },
    empty: () => [run(`    ${indent}${row.text}`, 'dim')],
  };
  return build[row.kind]();
}

/** Of a path that is too wide its end: the file and the line are what is looked for. */
function lastParts(path: string, cols: number): string {
  let shown = path;
  for (let rest = path; cellWidth(shown) > cols && rest.includes('/');) {
    rest = rest.slice(rest.indexOf('/') + 1);
    shown = `…/${rest}`;
  }
  return shown;
}

function noteRuns(row: SidebarRow): StyledLine {
  return row.note === '' ? [] : [run(`${row.note} `, 'dim')];
}
