/**
 * The configuration as text again: for `config show`, for a first file to edit, and for the manual.
 */
import { Document, isMap, isScalar } from 'yaml';
import type { z } from 'zod';
import type { Config } from './load.ts';
import { childSchema, keyRows, type KeyRow } from './schema-walk.ts';
import { configSchema } from './schema.ts';

/**
 * The effective configuration as YAML that loadConfig reads back to the same values.
 * @param options.comments each key is preceded by the line that says what it is for
 */
export function explainConfig(config: Config, options: { comments?: boolean } = {}): string {
  const doc = new Document(plainConfig(config));
  if (options.comments) comment(doc.contents, configSchema, 0);
  return doc.toString({ lineWidth: 110, flowCollectionPadding: true });
}

/** The effective configuration as plain values, durations and sizes as people write them: for `config show --json`. */
export function plainConfig(config: Config): Record<string, unknown> {
  // The merged agents and providers are entries with nothing left out; only `readonly` differs.
  return configSchema.encode(config as z.output<typeof configSchema>) as Record<string, unknown>;
}

/** Every key of the file with its default and description, in the file's order. */
export function configKeys(): readonly KeyRow[] {
  return keyRows(configSchema);
}

function comment(node: unknown, schema: z.ZodType | undefined, depth: number): void {
  if (!isMap(node)) return;
  for (const [index, pair] of node.items.entries()) {
    if (!isScalar(pair.key)) continue;
    const child = childSchema(schema, String(pair.key.value));
    if (child?.description) pair.key.commentBefore = ` ${child.description}`;
    if (depth === 0 && index > 0) pair.key.spaceBefore = true;
    // Two levels: further down each entry would repeat the text of the one before.
    if (depth < 1) comment(pair.value, child, depth + 1);
  }
}
