/** What tells one request from another. */
import { createHash } from 'node:crypto';

/** A digest of everything in a request. */
export function requestPrint(request: object): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url');
}
