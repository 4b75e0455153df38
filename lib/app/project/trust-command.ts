/** `mux trust`: what the settings of the repository here want, and whether they may. */
import { CodedError, ERRORS } from '../../base/errors.ts';
import { parseArgs } from '../../cmd/args.ts';
import { command, flag } from '../../cmd/define.ts';
import { isAgent, type AppContext } from '../context.ts';
import { ask } from '../server-command.ts';
import { now, readProject, type ProjectFile, type TrustQuestion } from './project-settings.ts';
import { TrustFile, trustedProject } from './trust-file.ts';

const TRUST = command({
  name: 'trust',
  group: 'Screen',
  text: '',
  flags: [
    flag('y', 'trust it without asking'),
    flag('no', 'do not trust it, and ask no more'),
    flag('forget', 'forget what was said about this project: it is asked about again'),
    flag('show', 'only show what it wants, and what was said'),
  ],
  exec: () => undefined,
});

/** Exit 0: trusted; 4: not. Throws CodedError. */
export async function trustCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(TRUST, words);
  if (['y', 'no', 'forget', 'show'].filter(name => args.has(name)).length > 1)
    throw new CodedError('usage', 'trust: -y, --no, --forget and --show exclude each other');
  if (isAgent(context.env) && !args.has('show'))
    throw new CodedError('refused', 'trust: that is for the person to say', 'ask them');
  const file = await readProject(context);
  const store = new TrustFile(context);
  if (args.has('forget')) {
    const project = typeof file === 'string' ? trustedProject(file) : file.project;
    return tell(
      context,
      { project, forgotten: store.forget(project) },
      count => `${count.project}: forgotten`,
    );
  }
  if (typeof file === 'string')
    throw new CodedError('not_found', `trust: there is no .mux.yaml in ${file}`, 'there is nothing to trust');
  if (file.question.wishes.length === 0) return report(context, file, true);
  if (args.has('show')) return report(context, file, store.answer(file.key));
  const trusted = args.has('y') ? true : args.has('no') ? false : await onTerminal(context, file.question);
  store.keep({ key: file.key, project: file.project, trusted, at: now() });
  return report(context, file, trusted);
}

async function onTerminal(context: AppContext, question: TrustQuestion): Promise<boolean> {
  const answer = context.json === 'off' ? await askTrust(question) : undefined;
  if (answer === undefined)
    throw new CodedError(
      'refused',
      'trust: there is nobody to ask',
      'say -y or --no, or --show to look first',
    );
  return answer;
}

/** Asks on the terminal; undefined where there is none. @param line asks for a line there */
export async function askTrust(
  { file, wishes }: TrustQuestion,
  line: (question: string) => Promise<string> = ask,
): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  process.stderr.write(`${file} wants to\n${wishes.map(wish => `  ${wish}\n`).join('')}`);
  const answer = (await line('Do you trust it? [y/N, Enter asks again next time] ')).trim();
  if (/^y(?:es)?$/i.test(answer)) return true;
  return /^no?$/i.test(answer) ? false : undefined;
}

function report(context: AppContext, { path, question }: ProjectFile, trusted: boolean | undefined): number {
  tell(context, { file: path, trusted: trusted ?? null, wishes: question.wishes }, ({ file, wishes }) =>
    [`${file}: ${STATES[String(trusted)]}`, ...wishes.map(wish => `  ${wish}`)].join('\n'),
  );
  return trusted === true ? 0 : ERRORS.refused;
}

const STATES: Readonly<Record<string, string>> = {
  true: 'trusted',
  false: 'not trusted',
  undefined: 'not asked about yet',
};

function tell<T extends object>({ json }: AppContext, value: T, text: (value: T) => string): number {
  console.log(json === 'off' ? text(value) : JSON.stringify(value));
  return 0;
}
