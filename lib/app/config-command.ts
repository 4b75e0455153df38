/**
 * `mux config show|path|check`.
 */
import { join } from 'node:path';
import { explainConfig, plainConfig } from '../config/explain.ts';
import { readConfig } from '../config/file.ts';
import { formatProblem } from '../config/problems.ts';
import { unusable } from '../server/settings.ts';
import { PACKAGE_ROOT, type AppContext } from './context.ts';
import { unknownWord } from './own-commands.ts';

const USAGE = 'config show|path|check';

/** Runs one of the three. Throws CodedError. */
export async function configCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what, ...rest] = words;
  const run = what !== undefined && Object.hasOwn(CONFIG, what) ? CONFIG[what] : undefined;
  if (!run) throw unknownWord('config', what, USAGE);
  if (rest.length > 0) throw unknownWord(`config ${what}`, rest[0], USAGE);
  return run(context, context.configFile);
}

const CONFIG: Readonly<Record<string, (context: AppContext, file: string) => number>> = {
  path(context, file) {
    console.log(context.json === 'off' ? file : JSON.stringify({ path: file }));
    return 0;
  },
  show(context, file) {
    const { config, problems } = readConfig(file);
    if (context.json === 'off') process.stdout.write(explainConfig(config));
    else console.log(JSON.stringify(plainConfig(config)));
    for (const problem of problems) console.error(`mux: ${formatProblem(problem)}`);
    return 0;
  },
  check(context, file) {
    const { config, problems } = readConfig(file);
    const later = unusable(config, join(PACKAGE_ROOT, 'themes')).map(message => ({ file, message }));
    const count = problems.length + later.length;
    if (context.json !== 'off') console.log(JSON.stringify({ problems: [...problems, ...later] }));
    else if (count === 0) console.log(`${file}: fine`);
    else
      for (const line of [...problems.map(formatProblem), ...later.map(oneLine)])
        console.error(`mux: ${line}`);
    return count > 0 ? 1 : 0;
  },
};

const oneLine = ({ file, message }: { file: string; message: string }): string => `${file}: ${message}`;
