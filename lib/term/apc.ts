/**
 * APC strings for xterm's parser, which has no handlers for them: `ESC _` is made to lead where `ESC P` leads, with
 * the underscore kept as a mark, so that an APC is a DCS of a name that no DCS can have.
 */
import type { PayloadHandler, XtermCore } from './xterm-core.ts';

const ESC = 0x1b;
const UNDERSCORE = 0x5f;
const DCS_INTRODUCER = 0x50;
/** A character that ESC collects as an intermediate: its entry in the table has the action for that. */
const INTERMEDIATE = 0x20;
const STATE_SHIFT = 8;
const STATE_MASK = 15;

/** Gives `core`'s parser, and no other, a table of its own in which APC strings have handlers. */
export function routeApc(core: XtermCore): void {
  const parser = core._inputHandler._parser;
  const table = parser._transitions.table.slice();
  const escape = table[ESC]! & STATE_MASK;
  const entry = (code: number): number => (escape << STATE_SHIFT) | code;
  const collect = table[entry(INTERMEDIATE)]! & ~STATE_MASK;
  table[entry(UNDERSCORE)] = collect | (table[entry(DCS_INTRODUCER)]! & STATE_MASK);
  Object.assign(parser, { _transitions: { table } });
}

/** Registers a handler for APC strings that begin with `first`, which is not part of the payload. */
export function registerApcHandler(core: XtermCore, first: string, handler: PayloadHandler): void {
  core._inputHandler._parser._dcsParser.registerHandler((UNDERSCORE << 8) | first.charCodeAt(0), handler);
}
