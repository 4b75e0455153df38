/**
 * Looking into a zod schema: which keys it has, what lies below one, what its text says.
 */
import type { z } from 'zod';

/** The parts of zod's `def` that are looked at. */
interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

function defOf(schema: z.ZodType): Def {
  return schema.def as unknown as Def;
}

/** `schema` without what says whether it may be absent; of several forms the one with keys. */
function bare(schema: z.ZodType): z.ZodType {
  const { innerType, options } = defOf(schema);
  const inner = innerType ?? options?.find(option => defOf(option).shape);
  return inner ? bare(inner) : schema;
}

/** The keys of a mapping with fixed keys; none for anything else. */
export function keysOf(schema: z.ZodType | undefined): string[] {
  return schema ? Object.keys(defOf(bare(schema)).shape ?? {}) : [];
}

/** The schema below `schema` at a key or list index, if there is one. */
export function childSchema(schema: z.ZodType | undefined, step: string | number): z.ZodType | undefined {
  if (!schema) return undefined;
  const def = defOf(bare(schema));
  if (def.shape) return Object.hasOwn(def.shape, step) ? def.shape[step] : undefined;
  return def.element ?? def.valueType;
}

/** A key of the file, for manuals. */
export interface KeyRow {
  /** `agents.*.command`, `permissions[].tool`, `server.default_size`. */
  readonly path: string;
  readonly description: string;
  /** As a person would write it; undefined where the key has none. Mappings and lists with keys of their own: undefined. */
  readonly default: unknown;
  /** Whether it holds other keys. */
  readonly section: boolean;
}

/** Every key below `schema`, in the order of the file. */
export function keyRows(schema: z.ZodType, prefix = ''): KeyRow[] {
  const def = defOf(bare(schema));
  if (def.shape)
    return Object.entries(def.shape).flatMap(([key, child]) => {
      const path = prefix === '' ? key : `${prefix}.${key}`;
      const below = keyRows(child, path);
      const section = below.length > 0;
      const outer = defOf(child);
      const fallback = section || outer.type !== 'prefault' ? undefined : outer.defaultValue;
      return [{ path, description: child.description ?? '', default: fallback, section }, ...below];
    });
  if (def.element) return keyRows(def.element, `${prefix}[]`);
  return def.valueType ? keyRows(def.valueType, `${prefix}.*`) : [];
}
