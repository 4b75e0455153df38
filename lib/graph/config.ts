/**
 * `.sgpt.json`: marks a graph root and holds its settings. JSON5 with calls of `env`. Several of them, outermost first,
 * make the settings of a graph.
 */
import { CONFIG_FILE } from './address.ts';
import { readJson } from './json-text.ts';
import type { Environment, JsonNode } from './json-text.ts';
import { checkMessage, fieldNode, listField, stringField, stringsField } from './message-table.ts';
import type { FieldType, MessageTable } from './message-table.ts';
import { Problems } from './parsed.ts';
import type { Parsed, Place } from './parsed.ts';
import { printable, quote } from './printable.ts';

/** Where a setting stands. */
export interface SettingPlace extends Place {
  /** The file, relative to the graph root; of an outer layer it begins with `../`. */
  readonly file: string;
}

/** Another repository whose graph may be referred to as `@name//…`. */
export interface GraphImport extends SettingPlace {
  readonly name: string;
  /** Absolute, or from the home directory with `~/`. */
  readonly path: string;
}

/** A model under a short name. */
export interface GraphModel {
  readonly name: string;
  readonly alias: string;
}

/** A setting that mentions something of the graph. */
export interface Mention extends SettingPlace {
  readonly setting: 'default_role' | 'default_tools' | 'default_lores' | 'default_model';
  readonly value: string;
}

/** The settings of a graph that this program reads. What is absent is '' or empty. */
export interface GraphConfig {
  readonly title: string;
  /** Patterns in gitignore notation, weaker than those of any `.gitignore`. */
  readonly ignore: readonly string[];
  readonly imports: readonly GraphImport[];
  readonly models: readonly GraphModel[];
  readonly chat: {
    readonly user: string;
    readonly summaryModel: string;
    readonly defaultModel: string;
    readonly defaultRole: string;
    readonly defaultTools: readonly string[];
    readonly defaultLores: readonly string[];
  };
  /** What of `chat` can lead nowhere, with its place. */
  readonly mentions: readonly Mention[];
}

const message = (name: string, fields: Record<string, FieldType | [FieldType]>): MessageTable => ({
  name,
  fields: Object.entries(fields).map(([field, type]) =>
    Array.isArray(type) ? { name: field, type: type[0], label: 'repeated' as const } : { name: field, type },
  ),
});

const PERMISSION = message('permissions', {
  tool: 'string',
  argument: 'string',
  pattern: 'string',
  mode: 'any',
});
const SUB_AGENT = message('agent', { max_concurrent: 'int32', max_depth: 'int32' });
const CHAT = message('chat', {
  user: 'string',
  summary_model: 'string',
  default_model: 'string',
  default_role: 'string',
  default_tools: ['string'],
  default_lores: ['string'],
  permissions: [PERMISSION],
  agent: SUB_AGENT,
});
const CLIENT = message('grpc_clients', {
  name: 'string',
  base_url: 'string',
  api_key: 'secret',
  api_key_header: 'string',
});
const CONFIGURATION = message('the configuration', {
  title: 'string',
  ignore: ['string'],
  imports: [message('imports', { name: 'string', path: 'string' })],
  chat: CHAT,
  models: [message('models', { name: 'string', alias: 'string' })],
  grpc_clients: [CLIENT],
  ai_service: 'string',
});

/**
 * Reads one file of settings. There always is a value: what is wrong is told and left out, since the file marks the
 * root whatever stands in it.
 *
 * @param env what calls of `env` are answered with
 */
export function parseGraphConfig(
  text: string,
  file = CONFIG_FILE,
  env: Environment = {},
): Required<Parsed<GraphConfig>> {
  const problems = new Problems(file);
  // An empty file is a common way to make a marker.
  const node: JsonNode =
    text.trim() === ''
      ? { kind: 'null', place: { line: 1, column: 1 } }
      : readJson(text, 'relaxed', problems, env);
  if (node.kind !== 'null') checkMessage(node, CONFIGURATION, problems);
  const chat = fieldNode(node, 'chat');
  const value: GraphConfig = {
    title: printable(stringField(node, 'title')),
    ignore: stringsField(node, 'ignore'),
    imports: readImports(node, file, problems),
    models: listField(node, 'models').map(item => ({
      name: stringField(item, 'name'),
      alias: stringField(item, 'alias'),
    })),
    chat: {
      user: stringField(chat, 'user'),
      summaryModel: stringField(chat, 'summary_model'),
      defaultModel: stringField(chat, 'default_model'),
      defaultRole: stringField(chat, 'default_role'),
      defaultTools: stringsField(chat, 'default_tools'),
      defaultLores: stringsField(chat, 'default_lores'),
    },
    mentions: readMentions(chat, file),
  };
  return { value, diagnostics: problems.list() };
}

function readImports(node: JsonNode, file: string, problems: Problems): GraphImport[] {
  const imports: GraphImport[] = [];
  for (const item of listField(node, 'imports')) {
    if (item.kind !== 'object') continue;
    const name = stringField(item, 'name');
    const path = stringField(item, 'path');
    const unset = [fieldNode(item, 'name'), fieldNode(item, 'path')].some(
      n => n?.kind === 'string' && n.unset,
    );
    // Told already, as the variable that is not set.
    if (unset) continue;
    if (name === '' || path === '')
      problems.tell(item.place, 'missing-field', `import without ${name === '' ? 'name' : 'path'}`);
    else if (name.includes('//'))
      problems.tell(item.place, 'bad-import', `import name ${quote(name)} holds '//'`);
    else if (!/^(?:\/|~\/|~$)/.test(path))
      problems.tell(
        item.place,
        'bad-import',
        `import path ${quote(path)} is relative`,
        "write an absolute path, or one that starts with '~/'",
      );
    else if (imports.some(i => i.name === name))
      problems.tell(item.place, 'duplicate', `import ${quote(name)} stands twice: the first counts`);
    else imports.push({ name, path, file, ...item.place });
  }
  return imports;
}

const MENTIONING = ['default_role', 'default_model', 'default_tools', 'default_lores'] as const;

function readMentions(chat: JsonNode | undefined, file: string): Mention[] {
  return MENTIONING.flatMap(setting => {
    const field = fieldNode(chat, setting);
    const nodes = field?.kind === 'array' ? field.items : field ? [field] : [];
    return nodes.flatMap(n =>
      n.kind === 'string' && n.value !== '' ? [{ setting, value: n.value, file, ...n.place }] : [],
    );
  });
}

/**
 * Settings of several layers, outermost first, as those of one: a text that is not empty beats those before, lists are
 * joined, each entry once. Of imports and models with one name the nearest counts.
 */
export function mergeConfigs(layers: readonly GraphConfig[]): GraphConfig {
  const last = (pick: (config: GraphConfig) => string): string =>
    layers.map(pick).findLast(text => text !== '') ?? '';
  const joined = (pick: (config: GraphConfig) => readonly string[]): string[] => [
    ...new Set(layers.flatMap(pick)),
  ];
  const nearest = <T>(pick: (config: GraphConfig) => readonly T[], key: (item: T) => string): T[] => [
    ...new Map(layers.flatMap(pick).map(item => [key(item), item])).values(),
  ];
  const chat: GraphConfig['chat'] = {
    user: last(c => c.chat.user),
    summaryModel: last(c => c.chat.summaryModel),
    defaultModel: last(c => c.chat.defaultModel),
    defaultRole: last(c => c.chat.defaultRole),
    defaultTools: joined(c => c.chat.defaultTools),
    defaultLores: joined(c => c.chat.defaultLores),
  };
  const mentions = layers.flatMap(c => c.mentions);
  return {
    title: last(c => c.title),
    ignore: joined(c => c.ignore),
    imports: nearest(
      c => c.imports,
      i => i.name,
    ),
    models: nearest(
      c => c.models,
      m => m.alias || m.name,
    ),
    chat,
    // A setting of one value that a nearer layer sets again is not asked about.
    mentions: mentions.filter(
      (m, i) => m.setting.endsWith('s') || !mentions.slice(i + 1).some(other => other.setting === m.setting),
    ),
  };
}
