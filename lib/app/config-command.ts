/**
 * `mux config show|path|check`.
 */
import { readFileSync } from 'node:fs';
import { CodedError } from '../base/errors.ts';
import { explainConfig, plainConfig } from '../config/explain.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import { formatProblem } from '../config/problems.ts';
import { keyProblems } from '../server/file-bindings.ts';
import type { AppContext } from './context.ts';
import { unknownWord } from './help.ts';

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
    const { config, problems } = load(file);
    if (context.json === 'off') process.stdout.write(explainConfig(config));
    else console.log(JSON.stringify(plainConfig(config)));
    for (const problem of problems) console.error(`mux: ${formatProblem(problem)}`);
    return 0;
  },
  check(context, file) {
    const { config, problems } = load(file);
    const keys = keyProblems(config.keys).map(message => ({ file, message }));
    const count = problems.length + keys.length;
    if (context.json !== 'off') console.log(JSON.stringify({ problems: [...problems, ...keys] }));
    else if (count === 0) console.log(`${file}: fine`);
    else
      for (const line of [...problems.map(formatProblem), ...keys.map(oneLine)])
        console.error(`mux: ${line}`);
    return count > 0 ? 1 : 0;
  },
};

const oneLine = ({ file, message }: { file: string; message: string }): string => `${file}: ${message}`;

/** An absent file gives the defaults. Throws CodedError where it is there but cannot be read. */
function load(file: string): LoadedConfig {
  let text: string | undefined;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new CodedError('failed', `config ${file}: ${code}`, 'make it readable', { cause: error });
  }
  return loadConfig({ path: file, text });
}
