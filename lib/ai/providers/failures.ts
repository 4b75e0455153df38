/** Whatever a vendor's library throws, as one of our failures. No text of it may hold a key. */
import { visible } from '../../base/visible.ts';
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
  readonly type?: unknown;
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
/** Tags of the vendors (`type` and `code` of their errors), the first that fits: their words may be in any language. */
const TAGS: readonly (readonly [RegExp, FailureKind])[] = [
  [/insufficient_quota|billing/, 'quota'],
  [/context_length_exceeded|string_above_max_length|request_too_large/, 'context_too_long'],
  [/model_not_found|not_found_error/, 'model_unknown'],
  [/invalid_api_key|authentication/, 'key_refused'],
  [/permission/, 'forbidden'],
  [/rate_limit/, 'rate_limit'],
  [/overloaded|server_error|api_error|timeout_error/, 'overloaded'],
];
/** In the words of the vendors: what a status alone does not tell. */
const WORDS: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /context[_ ](?:length|window|size)|prompt is too long|input is too long|too many (?:input |prompt )?tokens|maximum context|exceeds? the (?:context|model|available context)/i,
    'context_too_long',
  ],
  [
    /model.{0,80}(?:not found|does not exist|not exist|unknown)|(?:unknown|no such) model|try pulling it|pull model manifest/i,
    'model_unknown',
  ],
  [
    /credit balance|billing|exceeded your current quota|quota exceeded|insufficient (?:credits|balance)/i,
    'quota',
  ],
  [
    /api[ _-]?key (?:is )?(?:not valid|invalid|expired)|(?:invalid|incorrect) (?:x-)?api[ _-]?key/i,
    'key_refused',
  ],
];
/** Of an answer whose status was good, and of connections. */
const LATE: readonly (readonly [RegExp, FailureKind])[] = [
  [/overloaded|rate.?limit|at capacity|try again/i, 'overloaded'],
  [/UND_ERR_(?:HEADERS|BODY)_TIMEOUT|request timed out/i, 'timeout'],
  [/terminated|premature|aborted|socket hang up|other side closed|did not receive done/i, 'cut_off'],
];

const HINTS: Partial<Record<FailureKind, string>> = {
  key_refused: 'check the key',
  quota: "look at the account's plan and billing",
  context_too_long: "shorten it, or 'mux chats compact'",
  model_unknown: "'mux models' lists what is known",
  overloaded: 'try again in a while',
  rate_limit: 'try again in a while',
  forbidden: 'may this key use this model?',
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
  const inner = innerOf(error);
  const status = statusOf(error, inner);
  const tags = `${String(inner.type ?? '')} ${String(inner.code ?? '')} ${String(error.type ?? '')}`;
  const row = firstFit(TAGS, tags) ?? firstFit(WORDS, words);
  // A page that is not there is no model that is not there; what is refused on the way is no matter of the model.
  if (row && (row !== 'model_unknown' || Number.isNaN(status) || (status >= 400 && status < 500))) return row;
  if (status >= 500) return 'overloaded';
  if (Object.hasOwn(STATUSES, status)) return STATUSES[status]!;
  if (!Number.isNaN(status)) return 'bad_request';
  return firstFit(LATE, words) ?? (isConnection(error) ? 'unreachable' : 'not_an_answer');
}

function firstFit(rows: readonly (readonly [RegExp, FailureKind])[], text: string): FailureKind | undefined {
  return rows.find(([pattern]) => pattern.test(text))?.[1];
}

/** The HTTP status, or the one that an error in the middle of a good answer names. */
function statusOf(error: VendorError, inner: VendorError): number {
  const given = [error.status, error.status_code, inner.code, inner.status].map(Number);
  return given.find(one => one >= 400 && one < 600) ?? NaN;
}

/** What the vendor sent: at the top, or under `error`, which may be there twice. */
function innerOf({ error }: VendorError): VendorError {
  const first = (typeof error === 'object' && error !== null ? error : {}) as VendorError;
  return typeof first.error === 'object' && first.error !== null ? (first.error as VendorError) : first;
}

/** Whether it never came to an answer: a name that is not known, a port where nobody listens, a certificate. */
function isConnection({ cause, code, message }: VendorError): boolean {
  return (
    cause !== undefined ||
    typeof code === 'string' ||
    /^(?:connection error|fetch failed)/i.test(String(message))
  );
}

/** The vendor's words: its message, or the reason beneath a connection that failed. */
function wordsOf(error: VendorError): string {
  // Of our own reading, which met something else than was agreed: its words are for nobody.
  if (
    error instanceof SyntaxError ||
    (error instanceof TypeError && error.cause === undefined && !isFetch(error))
  )
    return 'what came is no answer of its kind';
  const own = innerOf(error).message ?? (typeof error.error === 'string' ? error.error : undefined);
  const text = typeof own === 'string' && own !== '' ? own : String(error.message ?? '');
  const reasons: string[] = [];
  for (let cause = error.cause as VendorError | undefined, depth = 0; cause && depth < CAUSES_MAX; depth++) {
    reasons.push(String(cause.code ?? cause.message ?? ''));
    cause = cause.cause as VendorError | undefined;
  }
  const reason = reasons.filter(Boolean).at(-1);
  return reason && !text.includes(reason) ? `${text} (${reason})` : text;
}

function isFetch({ message }: Error): boolean {
  return /fetch failed|terminated|invalid header value/i.test(message);
}

function clean(words: string, secret: string): string {
  const safe = secret.length >= 4 ? words.replaceAll(secret, '***') : words;
  // Keys that the vendor repeats in part, as `sk-…abcd`.
  const masked = safe.replace(/\b(?:sk|key|pk)-[\w*.-]{6,}/g, '***');
  return visible(masked.replaceAll(/\s+/g, ' ').trim().slice(0, WORDS_MAX));
}

/** Retry-After (RFC 9110, 10.2.3): seconds, or a date by the server's own clock; `retry-after-ms` is finer. */
function retryAfter(headers: unknown): number | undefined {
  const get = (headers as { get?: (name: string) => string | null } | undefined)?.get;
  if (!get) return undefined;
  const fine = get.call(headers, 'retry-after-ms');
  const text = get.call(headers, 'retry-after') ?? '';
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined;
  const ms =
    (fine ? Number(fine) : seconds) ?? Date.parse(text) - Date.parse(get.call(headers, 'date') ?? '');
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
