/** What a tool-set file asks an engine for: malonaz.ai.ai_engine.v1.CreateServiceToolSetRequest as JSON. */

/** How much of the messages of a method is shown. */
export interface SchemaConfiguration {
  /** Paths; empty: all. */
  readonly field_mask: readonly string[];
  /** 0: as deep as is usual. */
  readonly with_max_depth: number;
  readonly with_response_read_mask: boolean;
  /** 0: the answer is not shown. */
  readonly with_response_schema_max_depth: number;
  readonly with_title: string;
  readonly with_summary: string;
}

/** One service of a tool set. */
export interface ServiceRequest {
  readonly service_full_name: string;
  /** Empty: all. */
  readonly method_names: readonly string[];
  readonly schema_configuration: SchemaConfiguration;
  readonly method_name_to_schema_configuration: Readonly<Record<string, SchemaConfiguration>>;
  /** Those that need no discovery. */
  readonly discovered_method_names: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The requests of a tool-set file whose graph has found no error in it. JSON of protobuf may have names in camelCase.
 *
 * @param text strict JSON
 */
export function serviceRequests(text: string): ServiceRequest[] {
  const file = objectOf(JSON.parse(text.replace(/^\ufeff/, '')));
  return listOf(get(file, 'tool_sets')).map(one => {
    const request = objectOf(one);
    const configured = objectOf(get(request, 'method_name_to_schema_configuration'));
    return {
      service_full_name: textOf(get(request, 'service_full_name')).trim(),
      method_names: textsOf(get(request, 'method_names')),
      schema_configuration: configurationOf(get(request, 'schema_configuration')),
      method_name_to_schema_configuration: Object.fromEntries(
        Object.entries(configured).map(([name, value]) => [name, configurationOf(value)]),
      ),
      discovered_method_names: textsOf(get(request, 'discovered_method_names')),
    };
  });
}

function configurationOf(value: unknown): SchemaConfiguration {
  const given = objectOf(value);
  return {
    field_mask: maskOf(get(given, 'field_mask')),
    with_max_depth: Number(get(given, 'with_max_depth') ?? 0),
    with_response_read_mask: get(given, 'with_response_read_mask') === true,
    with_response_schema_max_depth: Number(get(given, 'with_response_schema_max_depth') ?? 0),
    with_title: textOf(get(given, 'with_title')),
    with_summary: textOf(get(given, 'with_summary')),
  };
}

/** `"a,b.c"` as the JSON mapping has it, or `{"paths": ["a", "b.c"]}` as the message has it. */
function maskOf(value: unknown): string[] {
  const paths = typeof value === 'string' ? value.split(',') : textsOf(get(objectOf(value), 'paths'));
  return paths.map(path => snake(path.trim())).filter(Boolean);
}

function get(object: Json, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(object, camel) ? object[camel] : undefined;
}

function snake(path: string): string {
  return path.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter(one => typeof one === 'string');
}
