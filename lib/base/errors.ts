/**
 * Errors that a person made, as one table: code → exit status.
 * Broken invariants are plain `Error`s; expected outcomes are values, not errors.
 */

/** Exit status by error code. Every code that reaches a person stands here, and only here. */
export const ERRORS = {
  failed: 1,
  usage: 2,
  unknown_command: 2,
  unknown_flag: 2,
  invalid_config: 2,
  invalid_key: 2,
  not_a_terminal: 2,
  no_server: 3,
  not_found: 3,
  ambiguous: 3,
  refused: 4,
  nested: 4,
  protocol_mismatch: 1,
  no_space: 1,
  timeout: 124,
  cancelled: 130,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERRORS;

/** A mistake that is told to a person in one line: what, why, and where one exists the remedy. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  /** What to do about it, or undefined where there is nothing to add. */
  readonly hint: string | undefined;

  /**
   * @param message `WHAT: WHY`, one line, no full stop
   * @param hint the remedy, one line
   */
  constructor(code: ErrorCode, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CodedError';
    this.code = code;
    this.hint = hint;
  }

  /** The status the process exits with. */
  get exit(): number {
    return ERRORS[this.code];
  }
}

/** Any thrown thing as a CodedError; what is not one already becomes `failed`. */
export function toCoded(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CodedError('failed', message.split('\n', 1)[0] ?? 'unknown error', undefined, { cause: error });
}

/** `WHAT: WHY (remedy)`: one line, control characters made harmless. */
export function errorText(error: CodedError): string {
  const text = error.hint ? `${error.message} (${error.hint})` : error.message;
  return text.replace(/\p{Cc}/gu, '?');
}

/** The same as a shell shows it: `mux: WHAT: WHY (remedy)`. */
export function errorLine(error: CodedError): string {
  return `mux: ${errorText(error)}`;
}

/** `{"error":{"code","message","hint"}}`. */
export function errorJson(error: CodedError): string {
  return JSON.stringify({ error: { code: error.code, message: error.message, hint: error.hint ?? '' } });
}

/** The candidate nearest to `word` by edit distance, if it is near enough to be a slip of the fingers. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  // A third of the word's length: 'splt-window' finds 'split-window', 'foo' finds nothing.
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance with adjacent transpositions; stops counting at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let d = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d = Math.min(d, before[j - 2]! + 1);
      row.push(d);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
