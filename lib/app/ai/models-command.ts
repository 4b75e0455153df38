/** `mux models`: what is known, and fetching and removing models of this machine. */
import type { Model } from '../../ai/model.ts';
import {
  installedModels,
  pullModel,
  removeModel,
  type PullProgress,
} from '../../ai/providers/local-models.ts';
import { providerEntries } from '../../ai/settings.ts';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import type { AppContext } from '../context.ts';
import { printRows } from '../graph-context.ts';
import { unknownWord } from '../own-commands.ts';
import { aiConfig, registryOf } from './service.ts';

const USAGE = 'models [list] | pull NAME | rm NAME';

/** Throws CodedError. */
export async function modelsCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const [what = 'list', name, ...rest] = words;
  const run = Object.hasOwn(VERBS, what) ? VERBS[what] : undefined;
  if (!run) throw unknownWord('models', what, USAGE);
  const extra = what === 'list' ? name : rest[0];
  if (extra !== undefined || (what !== 'list' && name === undefined))
    throw new CodedError(
      'usage',
      `models ${what}: ${extra ? `'${extra}' is too much` : 'say which'}`,
      `usage: mux ${USAGE}`,
    );
  return run(context, name ?? '');
}

const VERBS: Readonly<Record<string, (context: AppContext, name: string) => Promise<number>>> = {
  list,
  pull,
  rm: remove,
};

async function list(context: AppContext): Promise<number> {
  const models = await allModels(context);
  if (context.json !== 'off') console.log(JSON.stringify({ models: models.map(modelJson) }));
  else
    printRows(
      ['MODEL', 'ALIAS', 'CONTEXT', 'OUTPUT', 'DOLLARS IN/OUT', 'CAN'],
      models.map(model => [
        model.name.replace(/^providers\/|models\//g, ''),
        model.alias,
        tokens(model.contextTokenLimit),
        tokens(model.outputTokenLimit),
        model.prices ? `${model.prices.input ?? '?'}/${model.prices.output ?? '?'}` : '',
        [model.reasoning ? 'reason' : '', model.toolCall ? 'tools' : '', model.imageInput ? 'see' : '']
          .filter(Boolean)
          .join(' '),
      ]),
    );
  return 0;
}

/** What is known, and what is installed on this machine. */
async function allModels(context: AppContext): Promise<readonly Model[]> {
  const config = aiConfig(context);
  const registry = registryOf(context, config);
  const known = registry.list();
  const names = new Set(known.map(({ name }) => name));
  const local = [...providerEntries(config.ai).values()].filter(({ kind }) => kind === 'ollama');
  const lists = local.map(async ({ name, baseUrl }) => {
    const ids = await installedModels(baseUrl);
    return ids.map(id => registry.find(`providers/${name}/models/${id}`)).filter(one => !names.has(one.name));
  });
  return [...known, ...(await Promise.all(lists)).flat()];
}

function modelJson(model: Model): object {
  return {
    name: model.name,
    alias: model.alias,
    provider: model.provider,
    context_token_limit: model.contextTokenLimit,
    output_token_limit: model.outputTokenLimit,
    reasoning: model.reasoning,
    tool_call: model.toolCall,
    prices: model.prices
      ? {
          input_token_price_per_million: model.prices.input,
          output_token_price_per_million: model.prices.output,
        }
      : null,
  };
}

function tokens(count: number): string {
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(count);
}

/** Where models of this machine are. Throws CodedError. */
function localAddress(context: AppContext): string {
  const entry = [...providerEntries(aiConfig(context).ai).values()].find(({ kind }) => kind === 'ollama');
  if (entry) return entry.baseUrl;
  throw new CodedError('not_found', 'models: no provider of kind ollama is set', 'add one to ai.providers');
}

/** A model as Ollama calls it: the list says `ollama/qwen3:8b`. */
function ownName(name: string): string {
  return name.replace(/^providers\/[^/]+\/models\/|^ollama\//, '');
}

/** A bar on a terminal, a line for each step and tenth in a pipe, lines of JSON where that is asked for. */
async function pull(context: AppContext, name: string): Promise<number> {
  const isTerminal = process.stdout.isTTY === true && context.json === 'off';
  let told = '';
  try {
    for await (const progress of pullModel(localAddress(context), ownName(name))) {
      const line = context.json === 'off' ? stepLine(progress) : JSON.stringify(progress);
      if (isTerminal) process.stdout.write(`\r\u001b[K${barLine(progress)}`);
      else if (line !== told) console.log(line);
      told = line;
    }
  } finally {
    if (isTerminal && told !== '') process.stdout.write('\n');
  }
  return 0;
}

function stepLine({ status, done, total }: PullProgress): string {
  return total > 0 ? `${visible(status)} ${Math.floor((10 * done) / total) * 10} %` : visible(status);
}

/** Fits in one row: a row that wraps would not be written over. */
function barLine({ status, done, total }: PullProgress): string {
  const columns = process.stdout.columns || 80;
  const own = bar(done, total);
  return `${visible(status).slice(0, Math.max(0, columns - own.length - 2))} ${own}`.slice(0, columns - 1);
}

/** Cells of the bar: it fits beside the longest status at 80 columns. */
const BAR = 30;

function bar(done: number, total: number): string {
  if (total === 0) return '';
  const full = Math.min(BAR, Math.max(0, Math.round((BAR * done) / total)));
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${Math.round((100 * done) / total)} %`;
}

async function remove(context: AppContext, name: string): Promise<number> {
  await removeModel(localAddress(context), ownName(name));
  if (context.json !== 'off') console.log(JSON.stringify({ removed: name }));
  return 0;
}
