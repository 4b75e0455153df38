/**
 * A line as the text blessed is given: SGR colour codes that carry slots, and stand-ins for clusters.
 */
import type { StyledLine } from '../base/styled.ts';
import { clusterWidth, graphemes } from '../base/text.ts';
import { textSlot } from './slots.ts';
import { isPlain, type StandIns } from './stand-ins.ts';

/** Longest cluster kept, in UTF-16 units: the longest emoji sequences have about 15; more is stacked marks. */
const MAX_CLUSTER = 32;

/** The text for one row of `cols` cells. It ends in the row's own style, in which blessed fills what is left. */
export function lineContent(runs: StyledLine, cols: number, standIns: StandIns): string {
  let out = '';
  let room = cols;
  for (const part of runs) {
    if (room <= 0) break;
    const { content, width } = encodeText(part.text, room, standIns);
    if (width === 0) continue;
    out += `\x1b[38;5;${textSlot(part)}m${content}`;
    room -= width;
  }
  return out === '' ? '' : `${out}\x1b[38;5;${textSlot({})}m`;
}

/** As much of a text as fits, one character per cell. Control characters that got this far become `?`. */
function encodeText(
  text: string,
  room: number,
  standIns: StandIns,
): { readonly content: string; readonly width: number } {
  let plain = 0;
  while (plain < text.length && plain < room && isPlain(text.charCodeAt(plain))) plain++;
  if (plain === room && (plain === text.length || isPlain(text.charCodeAt(plain)))) {
    return { content: text.slice(0, plain), width: plain };
  }
  if (plain === text.length) return { content: text, width: plain };
  let content = '';
  let width = 0;
  for (const cluster of graphemes(text)) {
    const cells = cluster < ' ' || isControl(cluster) ? 1 : Math.min(2, clusterWidth(cluster));
    if (width + cells > room) break;
    if (cells === 0) continue;
    width += cells;
    content += encodeCluster(cluster, cells, standIns);
  }
  return { content, width };
}

function encodeCluster(cluster: string, cells: number, standIns: StandIns): string {
  if (isControl(cluster)) return '?';
  if (cluster.length === 1 && cells === 1 && isPlain(cluster.charCodeAt(0))) return cluster;
  return standIns.encode(cluster.length > MAX_CLUSTER ? firstCodePoint(cluster) : cluster, cells);
}

function firstCodePoint(cluster: string): string {
  return String.fromCodePoint(cluster.codePointAt(0)!);
}

/** C0, DEL and C1. */
function isControl(cluster: string): boolean {
  const code = cluster.charCodeAt(0);
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}
