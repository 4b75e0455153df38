/**
 * Durations and sizes as people write them: `30s`, `5m`, `7d12h`; `16KiB`, `256MB`. Whole numbers with a unit each;
 * only `0` may stand alone, so that nobody has to guess whether `30` meant seconds or milliseconds.
 */
import { CodedError } from './errors.ts';

/** Milliseconds by unit, largest first: the order in which a duration's parts must stand. */
const DURATION_UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

/** Bytes by unit: KB is 1000 and KiB 1024, as IEC 80000-13 has it. */
const SIZE_UNITS = {
  B: 1,
  KB: 1e3,
  KiB: 2 ** 10,
  MB: 1e6,
  MiB: 2 ** 20,
  GB: 1e9,
  GiB: 2 ** 30,
  TB: 1e12,
  TiB: 2 ** 40,
} as const;

/** A hundred years: longer is surely a mistake, and sums with the time of day stay exact. */
const DURATION_MAX_MS = 36_525 * DURATION_UNITS.d;

const DURATION_HINT = 'write it like 30s, 5m, 2h or 7d12h';
const SIZE_HINT = 'write it like 16KiB or 256MB';

/**
 * The milliseconds that `value` names.
 * @throws CodedError `usage`: what is wrong with it, and how to write it
 */
export function parseDuration(value: string | number): number {
  const text = String(value).trim();
  if (text === '0') return 0;
  const fail = (why: string): CodedError =>
    new CodedError('usage', `duration '${clip(text)}': ${why}`, DURATION_HINT);
  if (text === '') throw fail('it is empty');
  if (/^\d+$/.test(text)) throw fail('the unit is missing');
  const names = Object.keys(DURATION_UNITS);
  let total = 0;
  let last = -1;
  for (const [number, unit] of parts(text, fail)) {
    const rank = names.indexOf(unit);
    if (rank < 0) throw fail(`unknown unit '${clip(unit)}' (known: ${names.join(' ')})`);
    if (rank <= last) throw fail(`'${unit}' stands after a unit that is no larger`);
    last = rank;
    total += number * DURATION_UNITS[unit as keyof typeof DURATION_UNITS];
  }
  if (total > DURATION_MAX_MS) throw fail('longer than a hundred years');
  return total;
}

/**
 * `ms` (a whole number, not negative) so that parseDuration reads it back exactly: `7d12h`, `1m30s`, `0`.
 * Days only from two on: people say 24h and 36h.
 */
export function formatDuration(ms: number): string {
  let rest = ms;
  let text = '';
  for (const [unit, unitMs] of Object.entries(DURATION_UNITS)) {
    const count = unit === 'd' && rest < 2 * unitMs ? 0 : Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) text += `${count}${unit}`;
  }
  return text || '0';
}

/**
 * The bytes that `value` names. Units are read in any case.
 * @throws CodedError `usage`: what is wrong with it, and how to write it
 */
export function parseSize(value: string | number): number {
  const text = String(value).trim();
  if (text === '0') return 0;
  const fail = (why: string): CodedError =>
    new CodedError('usage', `size '${clip(text)}': ${why}`, SIZE_HINT);
  if (text === '') throw fail('it is empty');
  if (/^\d+$/.test(text)) throw fail('the unit is missing');
  const found = parts(text, fail);
  const [number, unit] = found[0]!;
  if (found.length > 1) throw fail('it has more than one part');
  const known = Object.entries(SIZE_UNITS).find(([name]) => name.toLowerCase() === unit.toLowerCase());
  if (!known) throw fail(`unknown unit '${clip(unit)}' (known: ${Object.keys(SIZE_UNITS).join(' ')})`);
  const bytes = number * known[1];
  if (!Number.isSafeInteger(bytes)) throw fail('too large');
  return bytes;
}

/** `bytes` (a whole number, not negative) in the largest unit that divides it, so that parseSize reads it back exactly. */
export function formatSize(bytes: number): string {
  if (bytes === 0) return '0';
  const units = Object.entries(SIZE_UNITS).sort((a, b) => b[1] - a[1]);
  const [unit, unitBytes] = units.find(([, n]) => bytes % n === 0) ?? ['B', 1];
  return `${bytes / unitBytes}${unit}`;
}

/** The number-and-unit pairs of `text`, at least one. */
function parts(text: string, fail: (why: string) => CodedError): [number, string][] {
  if (text.startsWith('-')) throw fail('it is negative');
  if (/^\d+[.,]\d/.test(text)) throw fail('fractions are not read');
  // Anchored at both ends and unambiguous, so that a long hostile text costs one pass.
  if (!/^(?:\d+ ?[A-Za-z]+)+$/.test(text)) throw fail('it is not a number followed by a unit');
  const found = [...text.matchAll(/(\d+) ?([A-Za-z]+)/g)].map(m => [Number(m[1]), m[2]!] as [number, string]);
  if (found.some(([number]) => !Number.isSafeInteger(number))) throw fail('too large');
  return found;
}

/** What of a wrong text is repeated in a message: enough to recognise it, on one line. */
function clip(text: string): string {
  const safe = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
  return safe.length > 24 ? safe.slice(0, 23) + '…' : safe;
}
