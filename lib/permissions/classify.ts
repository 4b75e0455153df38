/**
 * What a line of shell may do at most, told from its text alone: nothing is run, no file is looked at. It is meant for
 * `bash --noprofile --norc -c`; names that a person's shell gives another meaning are not known here.
 */
import { Inspection } from './inspection.ts';
import type { Classification } from './types.ts';

/** Classifies a line. Never throws; what cannot be read is elevated at least. */
export function classify(cmd: string): Classification {
  return new Inspection(cmd).run();
}
