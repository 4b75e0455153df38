/**
 * Lines of shell with the tier that each must get.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TIERS, type Tier } from '../../lib/permissions/tier.ts';

/** A labelled line. */
export interface Labelled {
  readonly cmd: string;
  /** The least that is right. */
  readonly tier: Tier;
  /** The highest that is no needless question; as `tier` where it is not there. */
  readonly max?: Tier;
}

/** The lines that come with the specs. */
export const OWN_CORPUS = join(import.meta.dirname, '../../../spec/fixtures/permissions/corpus.jsonl');

/** Lines from elsewhere: `MUX_CORPUS` names a file, or a folder with shell.jsonl. Undefined where there are none. */
export function foreignCorpus(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['MUX_CORPUS'];
  if (!given || !existsSync(given)) return undefined;
  const file = statSync(given).isDirectory() ? join(given, 'shell.jsonl') : given;
  return existsSync(file) ? file : undefined;
}

/** Reads a file of labelled lines. */
export function readCorpus(file: string): Labelled[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as Labelled);
}

/** Negative below the least that is right, positive above the highest, 0 between. */
export function judged({ tier, max = tier }: Labelled, got: Tier): number {
  const at = TIERS.indexOf(got);
  if (at < TIERS.indexOf(tier)) return -1;
  return at > TIERS.indexOf(max) ? 1 : 0;
}
