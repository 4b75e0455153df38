/**
 * Drawn chrome as text that a person can read: rows, then the runs of each row that are not plain text.
 */
import { ROLES } from '../../lib/base/styled.ts';
import { BG, CELL_WORDS, COLOR, CONTENT, FG, type CellLine } from '../../lib/term/cell.ts';
import type { ChromeCells } from '../../lib/chrome/view.ts';

/** Text of one row; right halves of wide clusters are left out, empty cells are `fill`. */
export function rowText(line: CellLine, fill = ' '): string {
  let text = '';
  for (let x = 0; x * CELL_WORDS < line.words.length; x++) {
    const content = line.words[x * CELL_WORDS]!;
    if ((content & CONTENT.widthMask) === 0) continue;
    const code = content & CONTENT.codepointMask;
    text +=
      (content & CONTENT.isCluster) !== 0 ? line.clusters[x] : code === 0 ? fill : String.fromCodePoint(code);
  }
  return text;
}

/** All rows; cells of panes are `░`. */
export function screenText(cells: ChromeCells): string[] {
  return cells.lines.map(line => rowText(line, '░'));
}

/** What a cell's colour words say in the numbered theme, '' for plain text. */
function styleName(fg: number, bg: number): string {
  const names: string[] = [];
  const text = fg & COLOR.rgbMask;
  const ground = bg & COLOR.rgbMask;
  if ((fg & COLOR.modeMask) === COLOR.rgb && ROLES[text] !== 'fg') names.push(ROLES[text] ?? `#${text}`);
  if ((bg & COLOR.modeMask) === COLOR.rgb) names.push(`on-${ROLES[ground - 0x100] ?? ground}`);
  const flags: readonly (readonly [number, string])[] = [
    [fg & FG.bold, 'bold'],
    [fg & FG.underline, 'underline'],
    [fg & FG.inverse, 'inverse'],
    [bg & BG.italic, 'italic'],
    [bg & BG.dim, 'faint'],
  ];
  return [...names, ...flags.filter(([bit]) => bit !== 0).map(([, name]) => name)].join('+');
}

/** `0-7 header+bold, 9 dim` for one row. */
export function rowStyles(line: CellLine): string {
  const runs: { from: number; to: number; name: string }[] = [];
  for (let x = 0; x * CELL_WORDS < line.words.length; x++) {
    const name = styleName(line.words[x * CELL_WORDS + 1]!, line.words[x * CELL_WORDS + 2]!);
    const last = runs.at(-1);
    if (last?.name === name) last.to = x;
    else runs.push({ from: x, to: x, name });
  }
  return runs
    .filter(run => run.name !== '')
    .map(({ from, to, name }) => `${from === to ? from : `${from}-${to}`} ${name}`)
    .join(', ');
}

/** The whole screen: text between bars, then styles by row (equal rows together), then the caret. */
export function dump(cells: ChromeCells): string {
  const out = screenText(cells).map(text => `|${text}|`);
  const styles = cells.lines.map(rowStyles);
  for (let y = 0; y < styles.length;) {
    const from = y;
    while (y < styles.length && styles[y] === styles[from]) y++;
    if (styles[from] !== '') out.push(`${from === y - 1 ? from : `${from}-${y - 1}`}: ${styles[from]}`);
  }
  if (cells.caret) out.push(`caret ${cells.caret.x},${cells.caret.y}`);
  return out.join('\n') + '\n';
}
