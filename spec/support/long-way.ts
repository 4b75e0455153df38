/**
 * Output through xterm's own parser alone: what the short ways are measured by.
 */
import type { Ways } from '../../lib/term/ways.ts';

export const LONG_WAY: Ways = { print: (_core, _data, start) => start, flood: () => undefined };
