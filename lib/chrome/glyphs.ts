/**
 * The signs chrome draws with, and what stands for them on a terminal without Unicode.
 */
import type { Role } from '../base/styled.ts';
import type { SessionState } from './view.ts';

/** Mark and colour of each state. The marks differ in shape, so colour is never the only sign. */
export const STATES: Readonly<Record<SessionState, { readonly mark: string; readonly role: Role }>> = {
  'needs-you': { mark: '◆', role: 'warn' },
  failed: { mark: '✕', role: 'alarm' },
  working: { mark: '●', role: 'accent' },
  starting: { mark: '◌', role: 'dim' },
  ready: { mark: '○', role: 'ok' },
  stopped: { mark: '■', role: 'dim' },
};

/** Line drawing by the neighbours a cell is joined to: bit 0 up, 1 down, 2 left, 3 right. */
export const JUNCTIONS = ' │││─┘┐┤─└┌├─┴┬┼';

/** One ASCII character for each sign, so that nothing moves. */
const ASCII: Readonly<Record<string, string>> = {
  '◆': '!',
  '✕': 'x',
  '●': '*',
  '◌': '~',
  '○': '-',
  '■': '#',
  '│': '|',
  '─': '-',
  '…': '~',
  '‹': '<',
  '›': '>',
  '«': '<',
  '»': '>',
  '▸': '>',
  '▾': 'v',
  '↑': '^',
  '↓': 'v',
  '→': '>',
  '←': '<',
  '·': '.',
  '×': 'x',
  '⎇': '@',
  '–': '-',
  '—': '-',
  '⏎': '>',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
};

/** The ASCII character that stands for a cluster: itself, its equal in form, `+` for junctions, else `?`. */
export function asciiFor(cluster: string): string {
  if (cluster.length === 1 && cluster >= ' ' && cluster <= '~') return cluster;
  return ASCII[cluster] ?? (/^[┌-╋]$/.test(cluster) ? '+' : '?');
}
