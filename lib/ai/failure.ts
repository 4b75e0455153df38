/**
 * What can go wrong with a provider, as one table: what a person reads comes with the error, what a gRPC client and a
 * retry need stands here.
 */
import { CodedError, type ErrorCode } from '../base/errors.ts';

/** One row: the shell's error code, the gRPC status' name, and whether the same request may be tried again. */
interface FailureRow {
  readonly code: ErrorCode;
  readonly status:
    | 'UNAUTHENTICATED'
    | 'PERMISSION_DENIED'
    | 'RESOURCE_EXHAUSTED'
    | 'INVALID_ARGUMENT'
    | 'NOT_FOUND'
    | 'UNAVAILABLE'
    | 'DEADLINE_EXCEEDED'
    | 'CANCELLED'
    | 'INTERNAL'
    | 'FAILED_PRECONDITION';
  readonly again: boolean;
}

/** Every way a generation fails. */
export const FAILURES = {
  key_missing: { code: 'refused', status: 'FAILED_PRECONDITION', again: false },
  key_refused: { code: 'refused', status: 'UNAUTHENTICATED', again: false },
  forbidden: { code: 'refused', status: 'PERMISSION_DENIED', again: false },
  quota: { code: 'failed', status: 'RESOURCE_EXHAUSTED', again: false },
  rate_limit: { code: 'failed', status: 'RESOURCE_EXHAUSTED', again: true },
  context_too_long: { code: 'failed', status: 'INVALID_ARGUMENT', again: false },
  bad_request: { code: 'failed', status: 'INVALID_ARGUMENT', again: false },
  model_unknown: { code: 'not_found', status: 'NOT_FOUND', again: false },
  overloaded: { code: 'failed', status: 'UNAVAILABLE', again: true },
  unreachable: { code: 'failed', status: 'UNAVAILABLE', again: true },
  not_an_answer: { code: 'failed', status: 'INTERNAL', again: false },
  cut_off: { code: 'failed', status: 'UNAVAILABLE', again: false },
  timeout: { code: 'timeout', status: 'DEADLINE_EXCEEDED', again: false },
  cancelled: { code: 'cancelled', status: 'CANCELLED', again: false },
} as const satisfies Record<string, FailureRow>;

export type FailureKind = keyof typeof FAILURES;

/** A generation that failed. Its texts never hold a key. */
export class ProviderFailure extends CodedError {
  readonly kind: FailureKind;

  /**
   * @param message `PROVIDER: WHY`, one line
   * @param hint what to do, where there is something
   */
  constructor(kind: FailureKind, message: string, hint?: string, options?: ErrorOptions) {
    super(FAILURES[kind].code, message, hint, options);
    this.name = 'ProviderFailure';
    this.kind = kind;
  }
}
