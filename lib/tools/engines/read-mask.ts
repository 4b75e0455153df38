/** Paths of fields (google.protobuf.FieldMask), applied to JSON. */
import { CodedError } from '../../base/errors.ts';

/** What a mask may be: it goes into a header. */
const MASK = /^[\w.,* ]{1,1000}$/;

/** The paths of a mask that a model gave; empty: all. Throws CodedError `usage`. */
export function maskPaths(tool: string, text: unknown): string[] {
  if (text === undefined || text === null || text === '') return [];
  if (typeof text !== 'string' || !MASK.test(text))
    throw new CodedError(
      'usage',
      `${tool}: response_read_mask: it is no list of paths`,
      'say title,author.name',
    );
  const paths = text
    .split(',')
    .map(path => path.trim())
    .filter(Boolean);
  return paths.includes('*') ? [] : paths;
}

/** `value` with nothing but what the paths name; through lists and maps. No paths: all of it. */
export function masked(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(one => masked(one, paths));
  const below = new Map<string, string[]>();
  for (const path of paths) {
    const [head = '', ...rest] = path.split('.');
    below.set(head, [...(below.get(head) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [''])]);
  }
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const inner = below.get(key) ?? below.get('*');
    if (!inner) return [];
    // A path that ends here takes everything below.
    return [[key, inner.includes('') ? one : masked(one, inner)] as const];
  });
  return Object.fromEntries(entries);
}
