/** `mux init`: who answers, by which key, and what new sessions run; tried out, shown, and written into the settings. */
import { copyFileSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { CodedError, toCoded } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import { parseArgs } from '../../cmd/args.ts';
import { command, flag } from '../../cmd/define.ts';
import type { ParsedArgs } from '../../cmd/spec.ts';
import { settingsDiff, withSettings } from '../../config/change.ts';
import { loadConfig } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import { readIfThere, systemError, writeAtomicSync } from '../../store/atomic.ts';
import type { AppContext } from '../context.ts';
import { checkAnswers, settingsOf, type Answers } from './init-answers.ts';
import { checkModel } from './init-check.ts';
import { askAll, Asker, usualAnswers } from './init-questions.ts';
import { addCompletion, completionFor } from './init-shell.ts';
import { registryOf } from './service.ts';

const INIT = command({
  name: 'init',
  group: 'Screen',
  text: '',
  flags: [
    { name: 'provider', value: 'NAME', text: 'who answers' },
    { name: 'base-url', value: 'URL', text: 'where it is' },
    { name: 'key-env', value: 'VAR', text: 'the variable that holds its key' },
    { name: 'm', alias: 'model', value: 'MODEL', text: 'the model' },
    { name: 'agent', value: 'NAME', text: 'what new sessions run' },
    { name: 'completion', value: 'SHELL', text: 'add completion to the files of this shell' },
    flag('no-check', 'ask the model nothing'),
    { name: 'y', alias: 'yes', text: 'ask nothing: what was not said is as it was' },
  ],
  exec: () => undefined,
});
const SAY =
  'say mux init --yes --provider NAME --model MODEL [--key-env VAR] [--base-url URL] [--agent NAME]';
/** Old files that are kept beside the new one. */
const KEPT_MAX = 99;

interface Run {
  readonly context: AppContext;
  readonly args: ParsedArgs;
  /** Undefined where nobody is asked. */
  readonly asker: Asker | undefined;
}

/** Throws CodedError; nothing is written then. */
export async function initCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(INIT, words);
  const isAsked = !args.has('y');
  if (isAsked && !(process.stdin.isTTY && process.stderr.isTTY))
    throw new CodedError('usage', 'init: there is no terminal to ask on', SAY);
  const asker = isAsked ? new Asker() : undefined;
  try {
    return await run({ context, args, asker });
  } finally {
    asker?.close();
  }
}

async function run({ context, args, asker }: Run): Promise<number> {
  const file = context.configFile;
  const before = textOf(file);
  const { config } = loadConfig({ path: file, text: before });
  // What cannot be done is told before anybody has answered questions.
  withSettings(file, before, []);
  const shell = args.value('completion') ?? '';
  if (shell !== '' && !completionFor(context, shell))
    throw new CodedError('usage', `init: no completion for '${shell}'`, 'bash, zsh or fish');
  const given: Answers = {
    provider: args.value('provider') ?? '',
    baseUrl: args.value('base-url') ?? '',
    keyVariable: args.value('key-env') ?? '',
    model: args.value('m') ?? '',
    agent: args.value('agent') ?? '',
  };
  const answers = asker
    ? await askAll(context, config, given, asker)
    : await usualAnswers(context, config, given);
  checkAnswers(config, answers);
  const known = registryOf(context, config).list();
  const isKnown = (name: string): boolean =>
    known.some(one => one.provider === answers.provider && [one.alias, one.name].includes(name));
  const after = withSettings(file, before, settingsOf(config, answers, isKnown));
  const next = loadConfig({ path: file, text: after });
  const own = next.problems.map(formatProblem);
  const [worse] = own.filter(
    one => !loadConfig({ path: file, text: before }).problems.map(formatProblem).includes(one),
  );
  if (worse) throw new CodedError('invalid_config', worse);
  if (!args.has('no-check')) await tried({ context, args, asker }, next.config);
  const isWritten = await written({ context, args, asker }, before, after);
  if (isWritten) await complete({ context, args, asker });
  return isWritten ? 0 : 1;
}

/** Asks the model. A person decides what a failure means; without one it is the end. */
async function tried({ context, asker }: Run, config: Parameters<typeof checkModel>[1]): Promise<void> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    asker?.say(`${visible(config.ai.default_model)} is asked…`);
    const ms = await checkModel(context, config, stop.signal);
    console.error(`mux: ${visible(config.ai.default_model)} answers, after ${(ms / 1000).toFixed(1)} s`);
  } catch (error) {
    const { code, message, hint } = toCoded(error);
    if (!asker)
      throw new CodedError(code, message, hint ?? 'nothing was written; --no-check writes it untried');
    asker.say(`  it does not answer: ${message}${hint ? ` (${hint})` : ''}`);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** Shows the change and writes it after a yes. */
async function written({ context, asker }: Run, before: string, after: string): Promise<boolean> {
  const file = context.configFile;
  const diff = settingsDiff(file, before, after);
  if (context.json !== 'off') console.log(JSON.stringify({ path: file, changed: diff !== '', diff }));
  else if (diff === '') console.log(`${file}: it says so already`);
  else process.stdout.write(diff.replace(/[^\n\t]+/g, visible));
  if (diff === '') return true;
  if (asker && !(await asker.isYes('Write it?', false))) {
    asker.say('nothing was written');
    return false;
  }
  const kept = write(file, after);
  if (context.json === 'off') console.log(`${file}: written${kept ? `; as it was: ${kept}` : ''}`);
  return true;
}

/** Replaces the file and gives the path of the old one, which is kept beside it. Throws CodedError. */
function write(file: string, text: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) {
      writeAtomicSync(file, text);
      return '';
    }
    // Of a link, which points into a person's dotfiles, what it points to is written.
    const real = realpathSync(file);
    const kept = keptAside(real);
    writeAtomicSync(real, text);
    return kept;
  } catch (error) {
    throw error instanceof CodedError ? error : systemError(`config ${file}`, error);
  }
}

function keptAside(file: string): string {
  for (let n = 0; n < KEPT_MAX; n++) {
    const path = `${file}.old${n === 0 ? '' : `-${n}`}`;
    if (existsSync(path)) continue;
    copyFileSync(file, path, constants.COPYFILE_EXCL);
    return path;
  }
  throw new CodedError(
    'refused',
    `${file}.old: ${KEPT_MAX} old files are kept already`,
    'remove some of them',
  );
}

/** Completion: asked for by a flag, or offered. */
async function complete({ context, args, asker }: Run): Promise<void> {
  const given = args.value('completion') ?? '';
  const found = completionFor(context, given);
  if (!found || found.isThere) return;
  const isWanted = given !== '' || (await asker?.isYes(`Add '${found.line}' to ${found.path}?`, false));
  if (isWanted) {
    addCompletion(found);
    if (context.json === 'off') console.log(`${found.path}: completion is added; new shells have it`);
  } else if (context.json === 'off') console.log(`for completion put this into ${found.path}: ${found.line}`);
}

function textOf(file: string): string {
  try {
    return readIfThere(file)?.toString('utf8') ?? '';
  } catch (error) {
    throw systemError(`config ${file}`, error, 'make it a file that you can read');
  }
}
