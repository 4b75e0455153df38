/**
 * Tool-set files: strict JSON of the message `sgpt.v1.ToolSet` (proto/sgpt/v1/tool_set.proto).
 */
import { nearest } from '../base/errors.ts';
import { addressOf } from './address.ts';
import { readJson } from './json-text.ts';
import type { JsonNode } from './json-text.ts';
import { checkMessage, fieldNode, listField, stringField, stringsField } from './message-table.ts';
import type { MessageTable } from './message-table.ts';
import { Problems } from './parsed.ts';
import type { Parsed } from './parsed.ts';
import { printable, quote } from './printable.ts';
import type { GraphToolSet } from './types.ts';

/** How schemas of a service's tools are made. */
export const SCHEMA_CONFIGURATION: MessageTable = {
  name: 'SchemaConfiguration',
  fields: [
    { name: 'field_mask', type: 'field_mask' },
    { name: 'with_max_depth', type: 'int32', range: [0, 10] },
    { name: 'with_response_read_mask', type: 'bool' },
    { name: 'with_response_schema_max_depth', type: 'int32', range: [0, 10] },
    { name: 'with_title', type: 'string' },
    { name: 'with_summary', type: 'string' },
  ],
};

/** One service of a tool set. */
export const CREATE_SERVICE_TOOL_SET_REQUEST: MessageTable = {
  name: 'CreateServiceToolSetRequest',
  fields: [
    { name: 'service_full_name', type: 'string' },
    { name: 'method_names', type: 'string', label: 'repeated' },
    { name: 'schema_configuration', type: SCHEMA_CONFIGURATION },
    { name: 'method_name_to_schema_configuration', type: SCHEMA_CONFIGURATION, label: 'map' },
    { name: 'discovered_method_names', type: 'string', label: 'repeated' },
  ],
};

/** A whole tool-set file. */
export const TOOL_SET: MessageTable = {
  name: 'ToolSet',
  fields: [
    { name: 'name', type: 'string' },
    { name: 'engine_service', type: 'string' },
    { name: 'tool_sets', type: CREATE_SERVICE_TOOL_SET_REQUEST, label: 'repeated' },
  ],
};

/** Reads a tool set. One with any error has no value; every error in it is told. */
export function parseToolSet(file: string, text: string): Parsed<GraphToolSet> {
  const problems = new Problems(file);
  const address = addressOf(file);
  const node = readJson(text, 'strict', problems);
  checkMessage(node, TOOL_SET, problems);
  if (node.kind === 'object') checkMeaning(node, problems);
  if (problems.failed || address?.kind !== 'toolset') return { diagnostics: problems.list() };
  const requests = listField(node, 'tool_sets');
  const value: GraphToolSet = {
    selector: address.selector,
    title: address.title,
    file,
    engineService: printable(stringField(node, 'engine_service')),
    services: requests.map(request => printable(stringField(request, 'service_full_name'))),
    methodCount: requests.reduce((sum, request) => sum + stringsField(request, 'method_names').length, 0),
  };
  return { value, diagnostics: problems.list() };
}

/** What the types alone do not say. */
function checkMeaning(node: JsonNode, problems: Problems): void {
  const name = fieldNode(node, 'name');
  if (name)
    problems.tell(
      name.place,
      'ignored-field',
      'name is taken from the file name, not from here',
      'remove it',
    );
  const engine = fieldNode(node, 'engine_service');
  if (!engine || (engine.kind === 'string' && engine.value.trim() === ''))
    problems.tell(
      engine?.place ?? node.place,
      'missing-field',
      'engine_service is missing: no connection to call',
      'name one of the grpc_clients',
    );
  const requests = fieldNode(node, 'tool_sets');
  if (!requests || (requests.kind === 'array' && requests.items.length === 0))
    problems.tell(requests?.place ?? node.place, 'no-services', 'tool_sets is empty: the set offers no tool');
  for (const request of listField(node, 'tool_sets')) checkRequest(request, problems);
}

function checkRequest(request: JsonNode, problems: Problems): void {
  if (request.kind !== 'object') return;
  const service = fieldNode(request, 'service_full_name');
  if (!service || (service.kind === 'string' && service.value.trim() === ''))
    problems.tell(service?.place ?? request.place, 'missing-field', 'service_full_name is missing');
  const methods = stringsField(request, 'method_names');
  // No methods named means all of them, and which those are only the engine knows.
  if (methods.length === 0) return;
  const configured = fieldNode(request, 'method_name_to_schema_configuration');
  const mentioned = [
    ...listField(request, 'discovered_method_names').map(n => ({
      place: n.place,
      name: n.kind === 'string' ? n.value : undefined,
    })),
    ...(configured?.kind === 'object' ? configured.members : []).map(m => ({ place: m.place, name: m.key })),
  ];
  for (const { place, name } of mentioned) {
    if (name === undefined || methods.includes(name)) continue;
    const near = nearest(name, methods);
    const hint = near ? `did you mean '${near}'?` : 'add it to method_names';
    problems.tell(place, 'unknown-method', `method ${quote(name)} is not among method_names`, hint);
  }
}
