/**
 * A pane's header: one line over its top border, with the border showing between its two ends.
 *
 *   ─ fix-login  claude  ⎇ kim/fix-login +3 ↑1 ───────── ● 4m ─
 */
import type { Run, StyledLine } from '../base/styled.ts';
import { STATES } from './glyphs.ts';
import { cutLine, lineWidth, run } from './lines.ts';
import type { PaneView } from './view.ts';

/** Below this width the border's own cell at either end is given to the text. */
const EDGES_FROM = 14;

/** The two ends of a header, in cells from the pane’s left edge. */
export interface HeaderParts {
  /** Left part and its first column, counted from the pane's left edge. */
  readonly left: StyledLine;
  readonly leftX: number;
  /** Right part and its first column. Empty where it does not fit. */
  readonly right: StyledLine;
  readonly rightX: number;
}

interface Stage {
  readonly age: boolean;
  readonly git: boolean;
  readonly agent: boolean;
  readonly position: boolean;
}
/** What is dropped until the rest fits: age, branch, agent. The age comes back where that made room for it. */
const STAGES: readonly Stage[] = [
  { age: true, git: true, agent: true, position: true },
  { age: false, git: true, agent: true, position: true },
  { age: true, git: false, agent: true, position: true },
  { age: false, git: false, agent: true, position: true },
  { age: true, git: false, agent: false, position: true },
  { age: false, git: false, agent: false, position: true },
];
/** Then the name is cut, but to no less than the second number of cells; without the position, if need be. */
const CUTS: readonly (readonly [stage: Stage, minName: number])[] = [
  [{ age: false, git: false, agent: false, position: true }, 6],
  [{ age: false, git: false, agent: false, position: false }, 3],
  // The mark alone: whom to look at matters more than two letters of a name.
  [{ age: false, git: false, agent: false, position: false }, 0],
];

/** The header of a pane shown `width` cells wide. */
export function headerParts(pane: PaneView, width: number): HeaderParts {
  const edge = width >= EDGES_FROM ? 1 : 0;
  const room = width - 2 * edge;
  for (const stage of STAGES) {
    const left = leftRuns(pane, stage);
    const right = rightRuns(pane, stage);
    if (lineWidth(left) + lineWidth(right) + 1 <= room) return place(left, right, edge, width);
  }
  for (const [stage, minName] of CUTS) {
    const right = rightRuns(pane, stage);
    const rest = room - lineWidth(right);
    if (rest < minName) continue;
    return place(minName === 0 ? [] : cutLine(leftRuns(pane, stage), rest), right, edge, width);
  }
  return place(cutLine(leftRuns(pane, CUTS[0]![0]), room), [], edge, width);
}

function place(left: StyledLine, right: StyledLine, edge: number, width: number): HeaderParts {
  return { left, leftX: edge, right, rightX: width - edge - lineWidth(right) };
}

function leftRuns(pane: PaneView, { agent, git }: Stage): StyledLine {
  const runs: Run[] = [
    pane.focused ? run(` ${pane.name} `, 'border-focus', { bold: true }) : run(` ${pane.name} `, 'dim'),
  ];
  if (agent && pane.agent !== '') runs.push(run(` ${pane.agent} `, 'dim'));
  if (git && pane.git !== '') runs.push(run(` ${pane.git} `, 'dim'));
  return runs;
}

function rightRuns(pane: PaneView, { age, position: hasPosition }: Stage): StyledLine {
  const { mark, role } = STATES[pane.state];
  const position: StyledLine =
    pane.position === '' || !hasPosition ? [] : [run(` ${pane.position}`, 'accent')];
  const since: StyledLine = age && pane.age !== '' ? [run(` ${pane.age}`, 'dim')] : [];
  const sync: StyledLine = pane.synchronized ? [run(' SYNC', 'warn', { bold: true })] : [];
  return [
    ...sync,
    ...position,
    { text: ' ' },
    { text: mark, role, bold: pane.state === 'needs-you' },
    ...since,
    { text: ' ' },
  ];
}
