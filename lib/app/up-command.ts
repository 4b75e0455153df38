/**
 * `mux up`: a file is read here first, so that one with mistakes starts nothing, not even a server.
 */
import { parseArgs } from '../cmd/args.ts';
import { FLEET_COMMANDS } from '../cmd/fleet.ts';
import { readConfig } from '../config/file.ts';
import { formatProblem } from '../config/problems.ts';
import { fleetJson, fleetLines } from '../fleet/describe.ts';
import { problemError } from '../fleet/read.ts';
import { fleetsFolder, loadFleet } from '../server/fleet/fleet-files.ts';
import type { AppContext } from './context.ts';
import { runRemote } from './remote.ts';

/** Runs `mux up WORDS`. Resolves with the exit status. Throws CodedError. */
export async function upCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(
    FLEET_COMMANDS.find(spec => spec.name === 'up')!,
    words,
  );
  const target = args.rest[0]!;
  const { configFile, cwd } = context;
  const agents = Object.keys(readConfig(configFile).config.agents);
  const { fleet, problems } = await loadFleet(target, cwd, { folder: fleetsFolder(configFile), agents });
  if (!fleet && !args.has('dry-run')) throw problemError(problems);
  if (!args.has('dry-run')) return runRemote(context, ['up', '--', target], { start: true });
  if (context.json !== 'off') console.log(JSON.stringify(fleet ? fleetJson(fleet) : { problems }));
  else if (fleet) console.log(fleetLines(fleet).join('\n'));
  else for (const problem of problems) console.error(`mux: ${formatProblem(problem)}`);
  return fleet ? 0 : problemError(problems).exit;
}
