/**
 * The programs that put text on a desktop's clipboard. Which one serves is told by the environment: a display of
 * Wayland or X11, or macOS.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Environment that says where the desktop is. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Tool {
  readonly argv: readonly [program: string, ...args: string[]];
  /** Variable without which it cannot work; undefined: none. */
  readonly needs: string | undefined;
}

/** First come, first taken: a Wayland desktop mostly has an X11 display too. */
const TOOLS: readonly Tool[] = [
  { argv: ['wl-copy'], needs: 'WAYLAND_DISPLAY' },
  { argv: ['xclip', '-in', '-selection', 'clipboard'], needs: 'DISPLAY' },
  { argv: ['xsel', '--input', '--clipboard'], needs: 'DISPLAY' },
  { argv: ['pbcopy'], needs: undefined },
];

/** The tool to use, as argv; undefined where none is installed that can work here. */
export function clipboardTool(env: Environment): readonly string[] | undefined {
  return TOOLS.find(({ argv, needs }) => (needs === undefined || env[needs]) && isOnPath(argv[0], env))?.argv;
}

function isOnPath(program: string, env: Environment): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  return folders.some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // ENOENT, EACCES: not in this folder.
      return false;
    }
  });
}
