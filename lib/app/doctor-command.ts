/**
 * `mux doctor`: whether all is well, with or without a server, and what to do where it is not.
 */
import { join } from 'node:path';
import { toCoded } from '../base/errors.ts';
import { defaultConfig } from '../config/load.ts';
import { runEntries } from '../server/run-folder.ts';
import { backups, restoreText } from '../store/backups.ts';
import { PROTOCOL_VERSION } from '../wire/messages.ts';
import { muxVersion, PACKAGE_ROOT, type AppContext } from './context.ts';
import type { Check } from './doctor/check.ts';
import {
  configCheck,
  folderChecks,
  logCheck,
  messagesChecks,
  socketChecks,
  stateChecks,
} from './doctor/files.ts';
import { machineChecks } from './doctor/machine.ts';
import { askServer, hostProcesses, processChecks } from './doctor/processes.ts';
import { unknownWord } from './own-commands.ts';

/** Resolves with 0 where all is well, 1 where something is not. Throws CodedError for wrong words. */
export async function doctorCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const other = words.find(word => word !== '--fix');
  if (other !== undefined) throw unknownWord('doctor', other, 'doctor [--fix]');
  const first = await examine(context);
  const repairs = words.length > 0 ? await repair(first.checks) : [];
  const found = repairs.length > 0 ? await examine(context) : first;
  if (context.json === 'off') print(found.checks, repairs);
  else console.log(JSON.stringify({ ...found, ...(words.length > 0 ? { repairs } : {}) }));
  return found.checks.every(check => check.ok) ? 0 : 1;
}

async function examine(context: AppContext) {
  const { paths, configFile, env } = context;
  const [server, entries] = [await askServer(context), await runEntries(paths.run, Date.now())];
  const hosts = hostProcesses(paths.run);
  const { config, check } = configCheck(configFile, join(PACKAGE_ROOT, 'themes'));
  const { agents } = config ?? defaultConfig();
  const checks: Check[] = [
    ...(await processChecks(context, server, hosts)),
    check,
    ...folderChecks(paths),
    ...socketChecks(entries),
    ...stateChecks(paths.state),
    ...messagesChecks(paths.data),
    logCheck(paths.data),
    ...(await machineChecks(env, [paths.data, paths.state], agents)),
  ];
  const facts = typeof server === 'object' ? server : undefined;
  return {
    server_pid: facts?.server_pid ?? null,
    host_pid: facts?.host_pid ?? hosts.find(host => host.socket === paths.hostSocket)?.pid ?? null,
    version: muxVersion(),
    server_version: facts?.version ?? null,
    protocol: PROTOCOL_VERSION,
    uptime_seconds: facts?.uptime_seconds ?? null,
    sockets: entries
      .filter(entry => entry.kind === 'socket')
      .map(({ path, isAlive }) => ({ path, alive: isAlive })),
    checks,
    backups: backups(paths.state).map(backup => ({ ...backup, restore: restoreText(backup) })),
  };
}

/** Does what can be done without a risk; what was done, a line each. */
async function repair(checks: readonly Check[]): Promise<string[]> {
  const done: string[] = [];
  for (const { detail, fix } of checks) {
    if (!fix) continue;
    try {
      await fix();
      done.push(`put right: ${detail}`);
    } catch (error) {
      done.push(`not put right: ${detail}: ${toCoded(error).message}`);
    }
  }
  return done;
}

function print(checks: readonly Check[], repairs: readonly string[]): void {
  for (const line of repairs) console.log(line);
  for (const { name, ok, detail, remedy } of checks) {
    console.log(`${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(10)}${detail.replace(/\p{Cc}/gu, '?')}`);
    if (remedy !== '') console.log(`${''.padEnd(17)}${remedy.replace(/\p{Cc}/gu, '?')}`);
  }
}
