/** The title bar: which chat, which model, how much of everything. Parts are left out from the least needed on. */
import type { Rect } from '../../base/geometry.ts';
import type { Role, Run, StyledLine } from '../../base/styled.ts';
import { truncate } from '../../base/text.ts';
import { visible } from '../../base/visible.ts';
import { justify, lineWidth } from '../../chrome/lines.ts';
import { rowBox } from '../../chrome/paint.ts';
import { effortName } from '../actions.ts';
import type { Tab } from '../state.ts';
import { dollars, shortCount } from '../usage.ts';
import type { Part, Zone } from './screen.ts';
import { tabTitle } from './tabs.ts';

/** Cells of the gauge. */
const GAUGE = 8;
/** Part of the context from which on it is told in colour: soon full, and all but full. */
const SOON = 0.75;
const FULL = 0.9;

interface Piece {
  readonly runs: StyledLine;
  /** What a press on it does. */
  readonly action?: string;
}

/** The row. */
export function titleBox(tab: Tab, rect: Rect): Part {
  const right = fitting(rightPieces(tab), Math.floor(rect.width * 0.55));
  const rightLine = joined(right);
  const room = rect.width - lineWidth(rightLine) - 3;
  const facts = fitting(leftPieces(tab), Math.max(10, Math.floor(room * 0.7)));
  const factLine = joined(facts);
  const titleRoom = room - lineWidth(factLine) - 4;
  const title = titleRoom >= 6 ? truncate(tabTitle(tab), titleRoom) : '';
  const left: Run[] = [
    { text: ' ' },
    ...(title === '' ? [] : [{ text: title, bold: true as const }, { text: '  ' }]),
    ...factLine,
  ];
  const line = justify(left, [...rightLine, { text: ' ' }], rect.width);
  const zones: Zone[] = [];
  let x = rect.x + 1 + (title === '' ? 0 : lineWidth([{ text: title }]) + 2);
  for (const piece of facts) {
    const width = lineWidth(piece.runs);
    const { action } = piece;
    if (action)
      zones.push({
        rect: { x, y: rect.y, width, height: 1 },
        target: () => ({ type: 'action', name: action }),
      });
    x += width + SEPARATOR.text.length;
  }
  return { boxes: [rowBox(rect.x, rect.y, rect.width, line)], zones };
}

const SEPARATOR = { text: ' · ', role: 'border' } as const;

function joined(pieces: readonly Piece[]): Run[] {
  return pieces.flatMap(({ runs }, n) => (n === 0 ? runs : [SEPARATOR, ...runs]));
}

/** As many as fit, the first ones before the last. */
function fitting(pieces: readonly Piece[], room: number): Piece[] {
  const kept: Piece[] = [];
  let used = 0;
  for (const piece of pieces) {
    const width = lineWidth(piece.runs) + (kept.length > 0 ? SEPARATOR.text.length : 0);
    if (used + width > room) continue;
    used += width;
    kept.push(piece);
  }
  return kept;
}

function leftPieces({ model, role, effort, mode }: Tab): Piece[] {
  return [
    model.name === ''
      ? { runs: [{ text: 'no model', role: 'warn' }], action: 'pick-model' }
      : { runs: [{ text: visible(model.label), role: 'accent' }], action: 'pick-model' },
    ...(role === ''
      ? []
      : [{ runs: [{ text: visible(role), role: 'header' as const }], action: 'pick-role' }]),
    ...(effort === ''
      ? []
      : [
          {
            runs: [{ text: `effort ${effortName(effort)}`, role: 'header' as const }],
            action: 'next-effort',
          },
        ]),
    ...(mode === 'manual' ? [] : [{ runs: [{ text: mode, role: 'warn' as const }], action: 'next-mode' }]),
  ];
}

function rightPieces({ usage, model }: Tab): Piece[] {
  const share = model.limit > 0 ? Math.min(1, usage.context / model.limit) : undefined;
  const gauge: Piece[] = share === undefined ? [] : [{ runs: gaugeRuns(share), action: 'info' }];
  const tokens =
    usage.input + usage.output === 0
      ? []
      : [
          {
            runs: [
              { text: `↑${shortCount(usage.input)} ↓${shortCount(usage.output)}`, role: 'header' as const },
            ],
          },
        ];
  const price =
    usage.price === 0 ? [] : [{ runs: [{ text: dollars(usage.price), role: 'header' as const }] }];
  // The gauge is worth most, and stands last.
  return [...gauge, ...price, ...tokens].toReversed();
}

function gaugeRuns(share: number): Run[] {
  const role: Role = share >= FULL ? 'alarm' : share >= SOON ? 'warn' : 'ok';
  const full = share === 0 ? 0 : Math.max(1, Math.round(share * GAUGE));
  return [
    { text: '━'.repeat(full), role },
    { text: '─'.repeat(GAUGE - full), role: 'border' },
    { text: ` ${Math.round(share * 100)}%`, role: share >= SOON ? role : 'header' },
  ];
}
