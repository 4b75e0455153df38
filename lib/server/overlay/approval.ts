/**
 * What one agent wants to be allowed: the whole command and the diff, and a key for each verdict. Only what is named
 * here does anything: a key meant for the pane must not allow.
 */
import type { Approval } from '../../approvals/types.ts';
import type { Size } from '../../base/geometry.ts';
import type { Role, StyledLine } from '../../base/styled.ts';
import { cellWidth, graphemes } from '../../base/text.ts';
import { revealed } from '../../base/visible.ts';
import type { DialogView } from '../../chrome/view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

/** Room of a dialog (chrome/dialog.ts): its frame and margins, and rows beside the text. */
const WIDE = 80;
const HIGH = 20;
const MARGIN_COLS = 10;
const MARGIN_ROWS = 8;
const TEXT_ROWS_LESS = 5;

export interface ApprovalOptions {
  readonly approval: Approval;
  /** Name of its session. */
  readonly name: string;
  /** Of the terminal, now. */
  size(): Size;
  /** Whether a verdict still counts. */
  isWaiting(): boolean;
  allow(always: boolean): void;
  deny(): void;
  later(): void;
}

export class ApprovalOverlay implements Overlay {
  readonly table = 'picker';
  readonly #host: OverlayHost;
  readonly #options: ApprovalOptions;
  #scroll = 0;
  #isOver = false;

  constructor(host: OverlayHost, options: ApprovalOptions) {
    this.#host = host;
    this.#options = options;
  }

  view(): DialogView {
    const { name, approval } = this.#options;
    const { lines, rows } = this.#text();
    const below = lines.length - this.#scroll - rows;
    const more = below > 0 || this.#scroll > 0 ? ` · ↑↓ ${below > 0 ? `${below} more below` : 'scroll'}` : '';
    return {
      type: 'dialog',
      title: `${revealed(name)} wants to use ${revealed(approval.tool)}`,
      lines: lines.slice(this.#scroll, this.#scroll + rows),
      hint: `y yes · a always · n no · Esc later${more}`,
    };
  }

  event(event: ModeEvent): void {
    const name = typeof event === 'string' ? event : event.type === 'text' ? event.text.toLowerCase() : '';
    const act = Object.hasOwn(this.#acts, name) ? this.#acts[name] : undefined;
    act?.();
  }

  select(): void {}

  /** Answered elsewhere, or by the agent's own dialog: there is nothing to decide any more. */
  refresh(): void {
    if (this.#isOver || this.#options.isWaiting()) return;
    this.#isOver = true;
    this.#host.close();
    this.#host.message('It has been answered', 'info');
  }

  dispose(): void {}

  readonly #acts: Readonly<Record<string, () => void>> = {
    y: () => this.#end(() => this.#options.allow(false)),
    a: () => this.#end(() => this.#options.allow(true)),
    n: () => this.#end(() => this.#options.deny()),
    cancel: () => this.#end(() => this.#options.later()),
    up: () => this.#by(-1),
    down: () => this.#by(1),
    'page-up': () => this.#by(-this.#text().rows),
    'page-down': () => this.#by(this.#text().rows),
  };

  #end(act: () => void): void {
    this.#isOver = true;
    this.#host.close();
    act();
  }

  #by(count: number): void {
    const { lines, rows } = this.#text();
    this.#scroll = Math.max(0, Math.min(lines.length - rows, this.#scroll + count));
    this.#host.redraw();
  }

  /** All of it, folded to the dialog's width, so that nothing is cut off unseen; and how many rows of it show. */
  #text(): { readonly lines: readonly StyledLine[]; readonly rows: number } {
    const { approval, size } = this.#options;
    const { cols, rows } = size();
    const width = Math.max(10, Math.min(WIDE, cols) - MARGIN_COLS);
    const fold = (text: string, role?: Role): StyledLine[] =>
      folded(revealed(text), width).map(piece => [role ? { text: piece, role } : { text: piece }]);
    const command = approval.command.split('\n').flatMap(line => fold(line));
    const diff = approval.diff?.split('\n').flatMap(line => fold(line, roleOf(line))) ?? [];
    const risk = riskText(approval);
    const above = risk === '' ? [] : [...fold(risk, ROLES[approval.tier ?? ''] ?? 'dim'), []];
    const lines = [...above, ...command, ...(diff.length > 0 ? [[], ...diff] : [])];
    return { lines, rows: Math.max(1, Math.min(HIGH - TEXT_ROWS_LESS, rows - MARGIN_ROWS)) };
  }
}

/** Colours of the tiers that a person should stop at. */
const ROLES: Readonly<Record<string, Role>> = { destructive: 'alarm', elevated: 'warn' };

/** What it may do at most and the worst reason, which stands behind the one that every approval has. */
function riskText({ tier, reasons }: Approval): string {
  if (tier === null) return '';
  return reasons[1] === undefined ? tier : `${tier}: ${reasons[1]}`;
}

function roleOf(line: string): Role {
  if (line.startsWith('@@') || line.startsWith('---') || line.startsWith('+++')) return 'dim';
  return line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'fg';
}

/** A line in pieces of at most `width` cells. */
function folded(text: string, width: number): string[] {
  const pieces = [''];
  let used = 0;
  for (const one of graphemes(text)) {
    const cells = cellWidth(one);
    if (used + cells > width) {
      pieces.push('');
      used = 0;
    }
    pieces[pieces.length - 1] += one;
    used += cells;
  }
  return pieces;
}
