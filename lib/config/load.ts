/**
 * config.yaml: text in, validated configuration and every problem out. Pure: reading the file is the caller's.
 */
import type { z } from 'zod';
import { nearest } from '../base/errors.ts';
import { mergeAgents, mergeEntries, type Agent } from './agents.ts';
import { readYaml, type KeyPath, type Problem } from './document.ts';
import { place, toProblems, type Complaint } from './problems.ts';
import { BUILTIN_PROVIDERS, type ProviderEntry } from './schema-ai.ts';
import { configSchema } from './schema.ts';

type Parsed = z.output<typeof configSchema>;

/** What the program runs by: durations in ms, sizes in bytes, on/off as booleans, agents and providers complete. */
export type Config = Omit<Parsed, 'agents'> & { readonly agents: Readonly<Record<string, Agent>> };

export interface LoadedConfig {
  /** Everything in the file that is right, defaults for the rest. */
  readonly config: Config;
  /** Everything that is wrong, in the order of the file. */
  readonly problems: readonly Problem[];
}

/** Wrong parts are taken out and the rest is tried again this often: taking one out can only uncover what was below it. */
const ATTEMPTS_MAX = 8;

/**
 * Reads and validates a whole file. Never throws; an absent (undefined) or empty file gives the defaults.
 * @param path named in problems
 */
export function loadConfig({ path, text }: { path: string; text: string | undefined }): LoadedConfig {
  const yaml = readYaml(path, text ?? '');
  let value: unknown = yaml.value ?? {};
  const first = configSchema.safeParse(value);
  if (first.success) {
    const config = complete(first.data);
    return { config, problems: [...yaml.problems, ...place(path, yaml, dangling(config))] };
  }
  const problems = toProblems(path, yaml, configSchema, first.error.issues);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const result = configSchema.safeParse(value);
    if (result.success) return { config: complete(result.data), problems };
    value = without(value, result.error.issues.flatMap(wrongPaths));
  }
  return { config: defaultConfig(), problems };
}

/** What an absent file means. */
export function defaultConfig(): Config {
  return complete(configSchema.parse({}));
}

function complete(parsed: Parsed): Config {
  const blank: ProviderEntry = { kind: 'openai' };
  const providers = mergeEntries<ProviderEntry>(BUILTIN_PROVIDERS_READ, parsed.ai.providers, blank);
  return { ...parsed, agents: mergeAgents(parsed.agents), ai: { ...parsed.ai, providers } };
}

/** Copies, since zod's types are of mutable lists. */
const BUILTIN_PROVIDERS_READ: Readonly<Record<string, ProviderEntry>> = Object.fromEntries(
  Object.entries(BUILTIN_PROVIDERS).map(([name, entry]) => [
    name,
    'models' in entry ? { ...entry, models: [...entry.models] } : entry,
  ]),
);

/** Names that lead nowhere: what no single key can know. */
function dangling(config: Config): Complaint[] {
  const services = ['embedded', ...config.grpc_clients.map(client => client.name)];
  const checks = [
    { path: ['default_agent'], name: config.default_agent, known: Object.keys(config.agents), what: 'agent' },
    { path: ['ai', 'service'], name: config.ai.service, known: services, what: 'grpc client' },
  ];
  return checks
    .filter(({ name, known }) => !known.includes(name))
    .map(({ path, name, known, what }) => {
      const near = nearest(name, known);
      const hint = near === undefined ? `known: ${known.join(', ')}` : `did you mean ${near}?`;
      return {
        path,
        part: 'value',
        hint: () => hint,
        message: `there is no ${what} ${JSON.stringify(name)}`,
      };
    });
}

function wrongPaths(issue: z.core.$ZodIssue): KeyPath[] {
  const path = issue.path.map(step => (typeof step === 'number' ? step : String(step)));
  return issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...path, key]) : [path];
}

/** `value` without what stands at `paths`. A list goes whole: rules count by their order, and half a list is another list. */
function without(value: unknown, paths: readonly KeyPath[]): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    const list = path.findIndex(step => typeof step === 'number');
    const target = list < 0 ? path : path.slice(0, list);
    const last = target.at(-1);
    if (last === undefined) return {};
    const parent = target
      .slice(0, -1)
      .reduce<unknown>((v, step) => (v as Record<string, unknown> | undefined)?.[step], copy);
    if (typeof parent === 'object' && parent !== null) delete (parent as Record<string, unknown>)[last];
  }
  return copy;
}
