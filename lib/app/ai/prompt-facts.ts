/** The first message of a conversation here: everything that it is made of, read. */
import { readFileSync } from 'node:fs';
import { arch, homedir, release, type as systemType, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Note } from '../../agent/notes.ts';
import { systemPrompt, type Prompt, type PromptFacts } from '../../agent/prompt.ts';
import { systemClock } from '../../base/clock.ts';
import { CodedError, toCoded } from '../../base/errors.ts';
import { systemCode, systemReason } from '../../base/system-reasons.ts';
import { visible } from '../../base/visible.ts';
import { BUILTIN_TOOLS } from '../../graph/builtin-tools.ts';
import { headOf } from '../../git/repository.ts';
import { Git } from '../../git/run.ts';
import type { AppContext } from '../context.ts';
import { repositoryRoot } from '../tools/repository-root.ts';
import { personalFiles, projectFiles } from './context-files.ts';
import { LearnedNotes } from './learned-notes.ts';

/** What depends on the conversation: its tools, its role, whether another agent has started it. */
export type PromptWishes = Pick<PromptFacts, 'tools' | 'toolSets' | 'role' | 'subAgent'>;

/** The person's own template, beside config.yaml. */
const TEMPLATE_NAME = 'prompt.md';
/** Bytes of it. More is no template. */
const TEMPLATE_MAX = 64 * 1024;
/** Bytes of a commit's name in a prompt: enough to know it by. */
const COMMIT_SHOWN = 10;

/** The prompt for a conversation in the working directory. Throws CodedError where the template cannot be read. */
export async function promptHere(context: AppContext, wishes: PromptWishes): Promise<Prompt> {
  const { cwd, env, configFile } = context;
  const home = env.HOME || homedir();
  const root = await repositoryRoot(cwd, home);
  const template = readTemplate(join(dirname(configFile), TEMPLATE_NAME));
  const [branch, personal, project, notes] = await Promise.all([
    branchOf(context),
    personalFiles(configFile),
    projectFiles(root, cwd),
    notesOf(context),
  ]);
  const facts: PromptFacts = {
    ...wishes,
    os: `${systemType()} ${release()} ${arch()}`,
    shell: basename(env.SHELL || '/bin/sh'),
    user: env.USER || userName(),
    home,
    cwd,
    date: today(new Date(systemClock.now())),
    branch,
    personal: personal.files,
    project: project.files,
    notes: notes.list,
  };
  const { text, warnings } = systemPrompt(facts, template);
  return {
    text,
    warnings: [
      ...warnings.map(warning => `${TEMPLATE_NAME}: ${visible(warning)}`),
      ...personal.warnings,
      ...project.warnings,
      ...notes.warnings,
    ],
  };
}

/** Tools of a conversation by what they are: built-in ones by name, tool sets by selector. @param wanted undefined: all built in */
export function toolNames(wanted: readonly string[] | undefined): Pick<PromptFacts, 'tools' | 'toolSets'> {
  const names = wanted ?? [...BUILTIN_TOOLS];
  return {
    tools: names.filter(name => BUILTIN_TOOLS.has(name)),
    toolSets: names.filter(name => !BUILTIN_TOOLS.has(name)),
  };
}

/** The day as the person's calendar has it. */
function today(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Undefined where there is none. Throws CodedError: a prompt that is not the person's own would be a surprise. */
function readTemplate(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length <= TEMPLATE_MAX) return text;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw new CodedError('invalid_config', `${path}: ${systemReason(error)}`, 'mend it, or move it away', {
      cause: error,
    });
  }
  throw new CodedError('invalid_config', `${path}: longer than ${TEMPLATE_MAX / 1024} KiB`, 'shorten it');
}

/** What is checked out; '' outside of repositories, and where git cannot tell. */
async function branchOf({ env, cwd }: AppContext): Promise<string> {
  try {
    const head = await headOf(new Git({ env, clock: systemClock }), cwd);
    return head.kind === 'detached' ? `(at ${head.commit.slice(0, COMMIT_SHOWN)})` : head.branch;
  } catch {
    // No repository, or no git: a prompt says less then.
    return '';
  }
}

/** Notes are worth less than a conversation: where they cannot be read, it begins without them. */
async function notesOf(
  context: AppContext,
): Promise<{ readonly list: readonly Note[]; readonly warnings: readonly string[] }> {
  try {
    return { list: await new LearnedNotes(context).list(), warnings: [] };
  } catch (error) {
    return { list: [], warnings: [`notes: not told to the model: ${toCoded(error).message}`] };
  }
}

/** '' for a user that the system has no name for. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // ENOENT: a number without an entry, as in containers.
    return '';
  }
}
