/** The questions of `mux init`, on a terminal. */
import { createInterface, type Interface } from 'node:readline';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { providerEntries } from '../../ai/settings.ts';
import { installedModels } from '../../ai/providers/local-models.ts';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import type { Config } from '../../config/load.ts';
import type { AppContext } from '../context.ts';
import { ADDRESS, NAME, providerOf, VARIABLE, type Answers } from './init-answers.ts';
import { registryOf } from './service.ts';

/** Models that are offered: more of them no person reads. */
const OFFERED = 8;

/** Asks a person line by line. */
export class Asker {
  readonly #lines: Interface;
  #fail: (error: CodedError) => void = () => undefined;

  constructor() {
    this.#lines = createInterface({ input: process.stdin, output: process.stderr });
    const leave = (): void => this.#fail(new CodedError('cancelled', 'init: left', 'nothing was written'));
    this.#lines.on('SIGINT', () => this.#lines.close());
    this.#lines.on('close', leave);
  }

  /** What was typed, or `usual` for nothing. Throws CodedError `cancelled` where the person leaves. */
  async text(question: string, usual = ''): Promise<string> {
    const shown = usual === '' ? `${question}: ` : `${question} [${usual}]: `;
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#lines.question(shown, line => resolve(line.trim() || usual));
    });
  }

  /** The same until it is of this form. */
  async formed(question: string, usual: string, form: RegExp, hint: string): Promise<string> {
    for (;;) {
      const answer = await this.text(question, usual);
      if (form.test(answer)) return answer;
      this.say(`  ${hint}`);
    }
  }

  async isYes(question: string, usual: boolean): Promise<boolean> {
    const answer = await this.text(`${question} [${usual ? 'Y/n' : 'y/N'}]`);
    return answer === '' ? usual : /^y(?:es)?$/i.test(answer);
  }

  /** One of the choices by its number or its name, or other words where those are allowed. */
  async choice(question: string, choices: readonly string[], usual: string, isOpen = false): Promise<string> {
    choices.forEach((one, at) => this.say(`  ${at + 1}  ${visible(one)}`));
    for (;;) {
      const answer = await this.text(question, usual);
      const chosen = choices[Number(answer) - 1] ?? (isOpen || choices.includes(answer) ? answer : undefined);
      if (chosen !== undefined && chosen !== '') return chosen;
      this.say(`  a number from 1 to ${choices.length}${isOpen ? ', or a name' : ''}`);
    }
  }

  say(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  close(): void {
    this.#fail = () => undefined;
    this.#lines.close();
  }
}

const OTHER = 'another one that speaks as OpenAI does';

/** What was given by flags is not asked for. */
export async function askAll(
  context: AppContext,
  config: Config,
  given: Answers,
  asker: Asker,
): Promise<Answers> {
  const entries = providerEntries(config.ai);
  let { provider, baseUrl, keyVariable, model, agent } = given;
  if (provider === '') {
    const names = [...entries.keys()];
    asker.say('Who answers?');
    provider = await asker.choice('provider', [...names, OTHER], usualProvider(context, config));
    if (provider === OTHER)
      provider = await asker.formed('a name for it', 'other', NAME, 'letters and digits, without spaces');
  }
  const now = providerOf(config, provider);
  if (baseUrl === '' && !entries.has(provider))
    baseUrl = await asker.formed(
      'its address (https://HOST/v1)',
      '',
      ADDRESS,
      'it begins with https:// or http://',
    );
  if (keyVariable === '' && now.kind !== 'ollama' && now.keyCommand === '') {
    keyVariable = await asker.formed(
      'the variable that holds its key',
      now.keyVariable,
      VARIABLE,
      'the name of a variable, not the key itself; it is written into the settings',
    );
    if (keyVariable !== '' && !context.env[keyVariable])
      asker.say(`  ${visible(keyVariable)} is not set here: export it in your shell before you ask`);
  }
  if (model === '') {
    const offered = await modelsOf(context, config, provider, baseUrl || now.baseUrl);
    asker.say('\nWhich of its models?');
    model = await asker.choice('model', offered, usualModel(config, provider, offered), true);
  }
  if (agent === '') {
    const found = agentsOnPath(context, config);
    asker.say('\nWhat do new sessions run? Of the agents these are on PATH:');
    agent = await asker.choice('agent', found, config.default_agent);
  }
  return { provider, baseUrl, keyVariable, model, agent };
}

/** Answers for what was not given, without asking; '' where nobody can know. */
export async function usualAnswers(context: AppContext, config: Config, given: Answers): Promise<Answers> {
  const provider = given.provider || usualProvider(context, config);
  const now = providerOf(config, provider);
  const models =
    given.model === '' ? await modelsOf(context, config, provider, given.baseUrl || now.baseUrl) : [];
  return { ...given, provider, model: given.model || usualModel(config, provider, models) };
}

/** That of the model in force, else the first whose key is there. */
function usualProvider({ env }: AppContext, { ai }: Config): string {
  const [, own] = /^providers\/([^/]+)\//.exec(ai.default_model) ?? [];
  const entries = [...providerEntries(ai).values()];
  const ready = entries.find(
    one => one.keyCommand !== '' || (one.keyVariable !== '' && env[one.keyVariable]),
  );
  return own ?? ready?.name ?? '';
}

function usualModel({ ai }: Config, provider: string, offered: readonly string[]): string {
  const own = ai.default_model.startsWith(`providers/${provider}/`) || offered.includes(ai.default_model);
  return own ? ai.default_model : (offered[0] ?? '');
}

/** Names by which the models of a provider are called. */
async function modelsOf(
  context: AppContext,
  config: Config,
  provider: string,
  url: string,
): Promise<string[]> {
  if (providerOf(config, provider).kind === 'ollama') return (await installedModels(url)).slice(0, OFFERED);
  const own = registryOf(context, config)
    .list()
    .filter(one => one.provider === provider);
  return own.map(({ alias, providerModelId }) => alias || providerModelId).slice(0, OFFERED);
}

/** Agents whose program is on PATH, and the shell, which is always there. */
export function agentsOnPath({ env }: AppContext, { agents }: Config): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return Object.entries(agents)
    .filter(([, { command }]) => {
      if (command === '' || command === '{mux}') return true;
      return command.includes('/') ? isProgram(command) : folders.some(dir => isProgram(join(dir, command)));
    })
    .map(([name]) => name);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // ENOENT, EACCES: not here.
    return false;
  }
}
