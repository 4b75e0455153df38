/** Requests that were answered: the same one again gets the same answer and does nothing. */
import type { Statements } from '../../sqlite/statements.ts';
import { ServiceError } from '../service-error.ts';

/** A client that asks again does so within this; ids are forgotten then, in ms. */
const KEEP_MS = 24 * 3_600_000;

export class RequestTable {
  readonly #sql: Statements;
  readonly #now: () => number;

  constructor(sql: Statements, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /**
   * What the request `id` gave before; undefined where it is new, or has no id. `print` tells requests apart.
   * Throws INVALID_ARGUMENT where another request had that id.
   */
  result(scope: string, id: string, print: string): string | undefined {
    if (id === '') return undefined;
    const row = this.#sql.get<{ print: string; result: string }>(
      'SELECT print, result FROM requests WHERE scope = ? AND id = ?',
      [scope, id],
    );
    if (row && row.print !== print)
      throw new ServiceError('INVALID_ARGUMENT', `request_id: ${id} was another request's`);
    return row?.result;
  }

  keep(scope: string, id: string, print: string, result: string): void {
    if (id === '') return;
    const now = this.#now();
    this.#sql.run('DELETE FROM requests WHERE at < ?', [now - KEEP_MS]);
    this.#sql.run('INSERT OR REPLACE INTO requests (scope, id, print, result, at) VALUES (?, ?, ?, ?, ?)', [
      scope,
      id,
      print,
      result,
      now,
    ]);
  }
}
