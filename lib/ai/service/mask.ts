/** Field masks: which fields of a resource are meant. */
import { invalid } from '../service-error.ts';
import type { FieldMask } from '../wire.ts';

/**
 * The fields of an update that are new. Without a mask those that are set; with one exactly its own, and one that is not
 * set in the resource is emptied. Throws INVALID_ARGUMENT for a field that cannot be changed.
 */
export function masked<T extends object, K extends keyof T & string>(
  resource: T,
  mask: FieldMask | undefined,
  updatable: readonly K[],
): Partial<Pick<T, K>> {
  const paths = mask?.paths ?? [];
  const wrong = paths.filter(path => path !== '*' && !(updatable as readonly string[]).includes(path));
  if (wrong.length > 0) {
    const description = `${wrong.join(', ')} cannot be changed; ${updatable.join(', ')} can`;
    throw invalid([{ field: 'update_mask', description }]);
  }
  const named = paths.includes('*') ? updatable : updatable.filter(field => paths.includes(field));
  const isSet = (field: K): boolean => {
    const value: unknown = resource[field];
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  };
  const fields = paths.length === 0 ? updatable.filter(isSet) : named;
  return Object.fromEntries(fields.map(field => [field, resource[field] ?? EMPTY[field]])) as Partial<
    Pick<T, K>
  >;
}

/** What a field that a mask names and the resource does not have becomes. */
const EMPTY: Readonly<Record<string, unknown>> = {
  labels: {},
  annotations: {},
  title: '',
  price: 0,
  blocks: [],
};

/** The header by which a client says which fields of each resource it wants. */
export const READ_MASK = 'x-read-mask-strict';

/** Fields of responses that hold resources; no resource has one of that name. */
const LISTS = ['chats', 'messages', 'models'] as const;

/** A response with the named fields of its resource alone, or of each of its resources where it is a list. */
export function readMasked(response: object, mask: string): object {
  const paths = mask
    .split(',')
    .map(path => path.trim())
    .filter(Boolean);
  if (paths.length === 0 || paths.includes('*')) return response;
  const list = LISTS.find(name => Object.hasOwn(response, name));
  if (!list) return picked(response, paths);
  const items = (response as Readonly<Record<string, readonly object[]>>)[list]!;
  return { ...response, [list]: items.map(item => picked(item, paths)) };
}

/** A path through what is no message means all of it. */
function picked(value: object, paths: readonly string[]): object {
  const tops = new Map<string, string[]>();
  for (const path of paths) {
    const [top = '', ...rest] = path.split('.');
    tops.set(top, [...(tops.get(top) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])]);
  }
  const entries = Object.entries(value).flatMap(([key, own]): [string, unknown][] => {
    const below = tops.get(key);
    if (!below) return [];
    const isWhole = below.length === 0 || own === null || typeof own !== 'object' || Array.isArray(own);
    return [[key, isWhole ? own : picked(own as object, below)]];
  });
  return Object.fromEntries(entries);
}
