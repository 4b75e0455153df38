/**
 * `.sgpt.json`: marks a graph root and holds its settings. Plain JSON, or with comments, bare keys, single quotes and
 * trailing commas.
 */
import { CONFIG_FILE } from './address.ts';
import { readJson } from './json-text.ts';
import type { JsonNode } from './json-text.ts';
import { checkMessage, fieldNode, listField, stringField, stringsField } from './message-table.ts';
import type { FieldType, MessageTable } from './message-table.ts';
import { Problems } from './parsed.ts';
import type { Parsed } from './parsed.ts';
import { printable, quote } from './printable.ts';

/** Another repository whose graph may be referred to as `@name//…`. */
export interface GraphImport {
  readonly name: string;
  /** Absolute, or from the home directory with `~/`. */
  readonly path: string;
}

/** The settings of a graph that this program reads. What is absent is '' or empty. */
export interface GraphConfig {
  readonly title: string;
  /** Patterns in gitignore notation, weaker than those of any `.gitignore`. */
  readonly ignore: readonly string[];
  readonly imports: readonly GraphImport[];
  readonly chat: {
    readonly user: string;
    readonly summaryModel: string;
    readonly defaultModel: string;
    readonly defaultRole: string;
    readonly defaultTools: readonly string[];
    readonly defaultLores: readonly string[];
  };
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
  api_key: 'any',
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
 * Reads the settings. There always is a value: what is wrong is told and left out, since the file marks the root
 * whatever stands in it.
 */
export function parseGraphConfig(text: string): Required<Parsed<GraphConfig>> {
  const problems = new Problems(CONFIG_FILE);
  // An empty file is a common way to make a marker.
  const node: JsonNode =
    text.trim() === ''
      ? { kind: 'null', place: { line: 1, column: 1 } }
      : readJson(text, 'relaxed', problems);
  if (node.kind !== 'null') checkMessage(node, CONFIGURATION, problems);
  const chat = fieldNode(node, 'chat');
  const value: GraphConfig = {
    title: printable(stringField(node, 'title')),
    ignore: stringsField(node, 'ignore'),
    imports: readImports(node, problems),
    chat: {
      user: stringField(chat, 'user'),
      summaryModel: stringField(chat, 'summary_model'),
      defaultModel: stringField(chat, 'default_model'),
      defaultRole: stringField(chat, 'default_role'),
      defaultTools: stringsField(chat, 'default_tools'),
      defaultLores: stringsField(chat, 'default_lores'),
    },
  };
  return { value, diagnostics: problems.list() };
}

function readImports(node: JsonNode, problems: Problems): GraphImport[] {
  const imports: GraphImport[] = [];
  for (const item of listField(node, 'imports')) {
    if (item.kind !== 'object') continue;
    const name = stringField(item, 'name');
    const path = stringField(item, 'path');
    if (name === '' || path === '')
      problems.error(item.place, 'missing-field', `import without ${name === '' ? 'name' : 'path'}`);
    else if (name.includes('//'))
      problems.error(item.place, 'bad-import', `import name ${quote(name)} holds '//'`);
    else if (!/^(?:\/|~\/|~$)/.test(path))
      problems.error(
        item.place,
        'bad-import',
        `import path ${quote(path)} is relative`,
        "write an absolute path, or one that starts with '~/'",
      );
    else if (imports.some(i => i.name === name))
      problems.warn(item.place, 'duplicate', `import ${quote(name)} stands twice: the first counts`);
    else imports.push({ name, path });
  }
  return imports;
}
