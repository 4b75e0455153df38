/** Whatever a vendor's library throws, as one of our failures. No text of it may hold a key. */
import { FAILURES, ProviderFailure, type FailureKind } from '../failure.ts';

/** What the libraries' errors have in common. */
interface VendorError {
  readonly status?: unknown;
  readonly status_code?: unknown;
  readonly message?: unknown;
  readonly error?: unknown;
  readonly headers?: unknown;
  readonly cause?: unknown;
  readonly code?: unknown;
}

const STATUSES: Readonly<Record<number, FailureKind>> = {
  400: 'bad_request',
  401: 'key_refused',
  402: 'quota',
  403: 'forbidden',
  404: 'model_unknown',
  408: 'overloaded',
  413: 'context_too_long',
  422: 'bad_request',
  429: 'rate_limit',
};
/** In the words of the vendors: what a status alone does not tell. */
const TOO_LONG =
  /context[_ ](?:length|window)|prompt is too long|too many (?:input )?tokens|maximum context|exceeds? the (?:context|model)/i;
const NO_MONEY = /insufficient_quota|credit balance|billing|exceeded your current quota|quota exceeded/i;
const NO_MODEL = /model.{0,80}(?:not found|does not exist|not exist|unknown)|try pulling it/i;

const HINTS: Partial<Record<FailureKind, string>> = {
  key_refused: 'check the key',
  quota: "look at the account's plan and billing",
  context_too_long: "shorten it, or 'mux chats compact'",
  model_unknown: "'mux models' lists what is known",
  overloaded: 'try again in a while',
  rate_limit: 'try again in a while',
  unreachable: 'is it running, and is its address right?',
};
/** Characters of a vendor's own words. */
const WORDS_MAX = 300;
/** Errors beneath errors that are looked at. */
const CAUSES_MAX = 4;

/** `secret` is taken out of the text, should the vendor repeat it. */
export function failureOf(provider: string, error: unknown, secret: string): ProviderFailure {
  const own = ownBeneath(error);
  if (own) return own;
  const given = (
    typeof error === 'object' && error !== null ? error : { message: String(error) }
  ) as VendorError;
  const words = clean(wordsOf(given), secret);
  const kind = kindOf(given, words);
  const failure = new ProviderFailure(
    kind,
    `${provider}: ${words || kind.replaceAll('_', ' ')}`,
    HINTS[kind],
  );
  return Object.assign(failure, { retryAfter: retryAfter(given.headers) });
}

/** Our failure, which a vendor's library may have wrapped. */
function ownBeneath(error: unknown): ProviderFailure | undefined {
  let inner: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && inner instanceof Error; depth++) {
    if (inner instanceof ProviderFailure) return inner;
    inner = inner.cause;
  }
  return undefined;
}

/** Milliseconds that a provider asked to be left alone; undefined where it did not. */
export function askedDelay(failure: ProviderFailure): number | undefined {
  return (failure as { retryAfter?: number }).retryAfter;
}

export function mayTryAgain({ kind }: ProviderFailure): boolean {
  return FAILURES[kind].again;
}

function kindOf(error: VendorError, words: string): FailureKind {
  const status = Number(error.status ?? error.status_code ?? NaN);
  if (status === 429 && NO_MONEY.test(words)) return 'quota';
  if (TOO_LONG.test(words)) return 'context_too_long';
  if (NO_MODEL.test(words)) return 'model_unknown';
  if (NO_MONEY.test(words)) return 'quota';
  if (status >= 500) return 'overloaded';
  if (Object.hasOwn(STATUSES, status)) return STATUSES[status]!;
  if (/overloaded|rate.?limit/i.test(words)) return 'overloaded';
  if (error instanceof SyntaxError) return 'not_an_answer';
  if (/terminated|premature|aborted|socket hang up|other side closed/i.test(words)) return 'cut_off';
  return Number.isNaN(status) ? 'unreachable' : 'bad_request';
}

/** The vendor's words: its message, or the reason beneath a connection that failed. */
function wordsOf(error: VendorError): string {
  const inner = error.error as { message?: unknown; error?: { message?: unknown } } | undefined;
  const own =
    inner?.error?.message ?? inner?.message ?? (typeof error.error === 'string' ? error.error : undefined);
  const text = String(own ?? error.message ?? '');
  const reasons: string[] = [];
  for (let cause = error.cause as VendorError | undefined, depth = 0; cause && depth < CAUSES_MAX; depth++) {
    reasons.push(String(cause.code ?? cause.message ?? ''));
    cause = cause.cause as VendorError | undefined;
  }
  const reason = reasons.filter(Boolean).at(-1);
  return reason && !text.includes(reason) ? `${text} (${reason})` : text;
}

function clean(words: string, secret: string): string {
  const safe = secret.length >= 4 ? words.replaceAll(secret, '***') : words;
  // Keys that the vendor repeats in part, as `sk-…abcd`.
  const masked = safe.replace(/\b(?:sk|key|pk)-[\w*.-]{6,}/g, '***');
  return masked.replaceAll(/\s+/g, ' ').trim().slice(0, WORDS_MAX);
}

/** Retry-After (RFC 9110, 10.2.3): seconds, or a date. */
function retryAfter(headers: unknown): number | undefined {
  const get = (headers as { get?: (name: string) => string | null } | undefined)?.get;
  const text = get?.call(headers, 'retry-after');
  if (!text) return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
