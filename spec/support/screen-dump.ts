/**
 * A terminal's screen as text that a person can read: rows between bars, then the runs of each row that are not plain.
 */
import { BG, CELL_WORDS, COLOR, CONTENT, FG, UNDERLINE, type CellLine } from '../../lib/term/cell.ts';
import type { ScreenView } from '../../lib/term/screen-view.ts';

/** Cells that change by themselves: drawn as `░`, without their style. */
export interface Mask {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Text of every row, as wide as the screen; right halves of wide clusters are left out. */
export function screenRows(view: ScreenView): string[] {
  return Array.from({ length: view.rows }, (_, y) => rowText(view, y, () => false));
}

function rowText(view: ScreenView, y: number, isMasked: IsMasked): string {
  const line = view.line(y);
  let text = '';
  for (let x = 0; x < view.cols; x++) {
    if (isMasked(x, y)) text += '░';
    else text += line ? cellText(line, x) : ' ';
  }
  return text;
}

/** Column and row where `text` stands first, wide characters counted as two columns. */
export function findText(view: ScreenView, text: string): { x: number; y: number } | undefined {
  for (let y = 0; y < view.rows; y++) {
    const line = view.line(y);
    const cells = Array.from({ length: view.cols }, (_, x) => (line ? cellText(line, x) : ' '));
    const at = cells.join('').indexOf(text);
    if (at < 0) continue;
    let x = 0;
    for (let length = 0; length < at; x++) length += cells[x]!.length;
    return { x, y };
  }
  return undefined;
}

function cellText(line: CellLine, x: number): string {
  const content = line.words[x * CELL_WORDS] ?? 0;
  if ((content & CONTENT.isCluster) !== 0) return line.clusters[x] ?? '?';
  const code = content & CONTENT.codepointMask;
  if (code !== 0) return String.fromCodePoint(code);
  return x > 0 && (content & CONTENT.widthMask) === 0 && isWide(line, x - 1) ? '' : ' ';
}

function isWide(line: CellLine, x: number): boolean {
  return ((line.words[x * CELL_WORDS] ?? 0) & CONTENT.widthMask) >>> CONTENT.widthShift === 2;
}

type IsMasked = (x: number, y: number) => boolean;

/** The masked cells, and every mark of a session's state: it changes with the machine's pace. */
function masked(view: ScreenView, masks: readonly Mask[]): IsMasked {
  return (x, y) => {
    if (masks.some(m => x >= m.x && x < m.x + m.width && y >= m.y && y < m.y + m.height)) return true;
    const line = view.line(y);
    return line !== undefined && /[●◆○◌■✕]/.test(cellText(line, x));
  };
}

/**
 * What a cell looks like beside its text: `fg=1`, `bg=#102030`, `bold`… joined by `+`; '' for plain. Of a blank only what
 * is seen of it.
 */
export function cellStyle(line: CellLine, x: number): string {
  const fg = line.words[x * CELL_WORDS + 1] ?? 0;
  const bg = line.words[x * CELL_WORDS + 2] ?? 0;
  const extended = (bg & BG.hasExtended) !== 0 ? line.extended(x) : undefined;
  const under = extended?.underlineStyle ?? UNDERLINE.none;
  const isBlank = cellText(line, x) === ' ';
  const isInked = !isBlank || (fg & (FG.inverse | FG.underline | FG.strikethrough)) !== 0;
  const names = [
    isInked && colorName('fg', fg),
    colorName('bg', bg),
    !isBlank && (fg & FG.bold) !== 0 && 'bold',
    isInked && (bg & BG.dim) !== 0 && 'dim',
    !isBlank && (bg & BG.italic) !== 0 && 'italic',
    (fg & FG.underline) !== 0 && `underline${under > UNDERLINE.single ? under : ''}`,
    (fg & FG.inverse) !== 0 && 'inverse',
    !isBlank && (fg & FG.blink) !== 0 && 'blink',
    (fg & FG.strikethrough) !== 0 && 'strike',
    extended?.link && `link=${extended.link}`,
  ];
  return names.filter(Boolean).join('+');
}

function colorName(what: string, word: number): string {
  const mode = word & COLOR.modeMask;
  if (mode === COLOR.default) return '';
  if (mode === COLOR.rgb) return `${what}=#${(word & COLOR.rgbMask).toString(16).padStart(6, '0')}`;
  return `${what}=${word & COLOR.indexMask}`;
}

/** `0-7 fg=4+bold, 9 inverse` for one row, '' where all is plain. */
export function rowStyles(view: ScreenView, y: number, isMasked: IsMasked = () => false): string {
  const line = view.line(y);
  if (!line) return '';
  const runs: { from: number; to: number; style: string }[] = [];
  for (let x = 0; x < view.cols; x++) {
    const style = isMasked(x, y) ? '' : cellStyle(line, x);
    const last = runs.at(-1);
    if (last?.style === style) last.to = x;
    else runs.push({ from: x, to: x, style });
  }
  return runs
    .filter(run => run.style !== '')
    .map(({ from, to, style }) => `${from === to ? from : `${from}-${to}`} ${style}`)
    .join(', ');
}

/** The whole screen: rows, styles (equal rows together), cursor. */
export function screenDump(view: ScreenView, masks: readonly Mask[] = []): string {
  const isMasked = masked(view, masks);
  const ys = Array.from({ length: view.rows }, (_, y) => y);
  const out = ys.map(y => `|${rowText(view, y, isMasked)}|`);
  const styles = ys.map(y => rowStyles(view, y, isMasked));
  for (let y = 0; y < styles.length;) {
    const from = y;
    while (y < styles.length && styles[y] === styles[from]) y++;
    if (styles[from] !== '') out.push(`${from === y - 1 ? from : `${from}-${y - 1}`}: ${styles[from]}`);
  }
  const { x, y, visible, shape } = view.cursor;
  out.push(visible ? `cursor ${x},${y} ${shape}` : 'cursor hidden');
  return out.join('\n') + '\n';
}
