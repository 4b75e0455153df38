/**
 * Attributes that xterm's parser reads otherwise than programs mean them.
 */
import { COLOR } from './cell.ts';
import type { XtermCore, XtermParams } from './xterm-core.ts';

const DEFAULT_UNDERLINE_COLOR = 59;
const UNDERLINE_COLOR = 58;
const isColor = (parameter: number): boolean =>
  parameter === 38 || parameter === 48 || parameter === UNDERLINE_COLOR;

/** What xterm stores for SGR 59 (default underline colour): the same as for white. */
const MISTAKEN_DEFAULT = COLOR.rgb | COLOR.rgbMask;
/** `2:R:G:B`, which leaves out the colour space that ISO 8613-6 has before R. */
const isShortRgb = (values: Int32Array | null): values is Int32Array =>
  values?.length === 4 && values[0] === 2;

/** The parameters with every `38:2:R:G:B` read as `38:2::R:G:B`, as xterm itself and most programs have it. */
function withColorSpaces(params: XtermParams): XtermParams {
  const getSubParams = (index: number): Int32Array | null => {
    const values = params.getSubParams(index);
    return isShortRgb(values) ? Int32Array.of(2, -1, values[1]!, values[2]!, values[3]!) : values;
  };
  return Object.create(params, { getSubParams: { value: getSubParams } }) as XtermParams;
}

function contains(params: XtermParams, value: number): boolean {
  for (let i = 0; i < params.length; i++) if (params.params[i] === value) return true;
  return false;
}

/** Whether xterm would read this SGR as it is meant. Runs for every SGR, so it looks at little. */
function isPlain(params: XtermParams): boolean {
  const { length, params: values } = params;
  for (let i = 0; i < length; i++) {
    const value = values[i]!;
    // Nearly every parameter is below 38 or a colour's component.
    if (value < 38 || value > DEFAULT_UNDERLINE_COLOR) continue;
    if (value === DEFAULT_UNDERLINE_COLOR) return false;
    if (isColor(value) && params.hasSubParams(i)) return false;
  }
  return true;
}

/** Puts a reader of such SGRs before xterm's own. */
export function installSgrFixes(core: XtermCore): void {
  const input = core._inputHandler;
  input._parser.registerCsiHandler({ final: 'm' }, params => {
    if (isPlain(params)) return false;
    input.charAttributes(withColorSpaces(params));
    const { extended } = input._curAttrData;
    // With 58 in the same sequence a real white is possible: leave it.
    const reset = contains(params, DEFAULT_UNDERLINE_COLOR) && !contains(params, UNDERLINE_COLOR);
    if (reset && extended.underlineColor === MISTAKEN_DEFAULT) extended.underlineColor = COLOR.default;
    return true;
  });
}
