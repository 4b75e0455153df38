/**
 * `mux server run`: the server in the foreground. Started by the first client, with its log as stderr.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectories } from '../config/directories.ts';
import { runDaemon } from '../server/daemon.ts';
import { muxVersion, PACKAGE_ROOT, type AppContext } from './context.ts';
import { endOfRunning } from './next-server.ts';

/**
 * Runs until the server ends; prints a line once it listens. Resolves with a status only where another one runs.
 * `isNext`: prints the line as soon as it could begin, and begins when the one that runs now has ended.
 */
export async function serve(context: AppContext, isNext: boolean): Promise<number> {
  const { paths, env, configFile, serverName } = context;
  makeDirectories(paths);
  if (isNext) await endOfRunning(paths.socket);
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const hostMain = fileURLToPath(new URL('./host-main.js', import.meta.url));
  const outcome = await runDaemon({
    name: serverName,
    version: muxVersion(),
    paths,
    configFile,
    themesDir: join(PACKAGE_ROOT, 'themes'),
    markdownRenderer: new URL('../markdown/render.js', import.meta.url).href,
    ptyHost: {
      what: 'pty host',
      command: [process.execPath, hostMain, paths.hostSocket, join(paths.data, 'logs')],
      log: paths.hostLog,
      home: paths.home,
    },
    self: [process.execPath, main, '-L', serverName],
    env,
  });
  if (outcome === 'running') return 0;
  // Of the next one nobody reads a second line.
  if (!isNext) process.stdout.write('listening\n');
  return new Promise<number>(() => undefined);
}
