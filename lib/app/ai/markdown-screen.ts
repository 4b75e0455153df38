/** Whether and how this terminal shows Markdown. */
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { toCoded } from '../../base/errors.ts';
import type { Config } from '../../config/load.ts';
import { loadTheme } from '../../config/theme-file.ts';
import type { Theme } from '../../config/theme.ts';
import { deriveCaps, type TerminalCaps } from '../../render/caps.ts';
import { sgrText } from '../../render/sgr-text.ts';
import { isUtf8, PACKAGE_ROOT, type AppContext } from '../context.ts';
import type { MarkdownScreen } from './markdown-output.ts';

/** Of a terminal that tells no size, as the VT100. */
const SIZE = { cols: 80, rows: 24 };

/** Undefined where text goes out as it is: no terminal, one that can do nothing, or a person who wants no colours. */
export function markdownScreen(context: AppContext, config: Config): MarkdownScreen | undefined {
  const { stdout } = process;
  const caps = richCaps(context);
  if (!caps) return undefined;
  return {
    clock: systemClock,
    paint: sgrText(themeOf(config), caps),
    isSynchronized: caps.synchronized,
    size: () => ({ cols: stdout.columns || SIZE.cols, rows: stdout.rows || SIZE.rows }),
    onResize: changed => {
      stdout.on('resize', changed);
      return { dispose: () => void stdout.off('resize', changed) };
    },
    write: text => void stdout.write(text),
  };
}

/** NO_COLOR counts where it is not empty (no-color.org). */
function richCaps({ env }: AppContext): TerminalCaps | undefined {
  const { TERM = '', NO_COLOR = '', COLORTERM, TERM_PROGRAM } = env;
  if (!process.stdout.isTTY || NO_COLOR !== '' || TERM === '' || TERM === 'dumb' || !isUtf8(env))
    return undefined;
  const caps = deriveCaps({
    term: TERM,
    ...(COLORTERM === undefined ? {} : { colorterm: COLORTERM }),
    ...(TERM_PROGRAM === undefined ? {} : { termProgram: TERM_PROGRAM }),
  });
  return caps.editing ? caps : undefined;
}

function themeOf({ screen: { theme } }: Config): Theme {
  const folder = join(PACKAGE_ROOT, 'themes');
  try {
    return loadTheme(theme, folder);
  } catch (error) {
    console.error(`mux: ${toCoded(error).message}`);
    return loadTheme('dark', folder);
  }
}
