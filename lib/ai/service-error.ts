/** Errors that a client of AiService sees, before gRPC makes a status of them. */
import { status } from '@grpc/grpc-js';
import type { CodedError } from '../base/errors.ts';
import type { Status } from './wire.ts';

export type StatusName = keyof typeof status;

/** A field of a request that is wrong. */
export interface Violation {
  /** Path in snake case with dots. */
  readonly field: string;
  readonly description: string;
}

/** What a detail of a status is made of. */
export type Detail =
  | { readonly codec: 'badRequest'; readonly value: { readonly field_violations: readonly Violation[] } }
  | { readonly codec: 'recoverable'; readonly value: object };

/** A call that is answered by a status other than OK. */
export class ServiceError extends Error {
  readonly code: status;
  readonly details: readonly Detail[];

  constructor(name: StatusName, message: string, details: readonly Detail[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = status[name];
    this.details = details;
  }
}

/** The store failed: what was asked is not kept, and may be asked again as it is. */
export class StorageError extends ServiceError {
  constructor({ message, hint }: CodedError) {
    super('UNAVAILABLE', hint ? `${message} (${hint})` : message);
    this.name = 'StorageError';
  }
}

/** INVALID_ARGUMENT with the fields that are wrong. */
export function invalid(violations: readonly Violation[]): ServiceError {
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join('; ');
  const value = { field_violations: violations };
  return new ServiceError('INVALID_ARGUMENT', message, [{ codec: 'badRequest', value }]);
}

/** Throws INVALID_ARGUMENT where there are violations. */
export function refuse(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalid(violations);
}

/** What is kept beside a message that failed; details are for the client that waits. */
export function statusOf({ code, message }: ServiceError): Status {
  return { code, message };
}
