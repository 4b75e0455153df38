/** A page of a table as lists give it: filtered, in an order, behind a token. */
import type { Statements, Value } from '../../sqlite/statements.ts';
import type { ListRequest } from '../wire.ts';
import { filterCondition, type Condition, type FilterRules } from './filter.ts';
import { behind, orderOf, orderSql, pageSize, pageToken, tokenValues, type Columns } from './page.ts';

/** What can be listed. */
export interface Listed {
  /** `FROM` of its query: the table and the short name that everything below calls it by. */
  readonly from: string;
  /** What is read of a row. */
  readonly select: string;
  /** Time at which a row was deleted, NULL where it was not. */
  readonly deleted: string;
  /** The number of a row, by which rows that are otherwise alike stand in order. */
  readonly number: string;
  readonly orders: Columns;
  readonly filters: FilterRules;
  /** Rows of a page where none are asked for, and at most. */
  readonly size: { readonly usual: number; readonly most: number };
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** '' on the last page. */
  readonly next_page_token: string;
}

/**
 * Reads a page of the rows for which `within` holds. `fits` says how many of those that were read it has room for, at least
 * one. Throws INVALID_ARGUMENT for a size, a filter, an order or a token that is wrong.
 */
export function listPage<Row extends object>(
  sql: Statements,
  table: Listed,
  within: Condition,
  request: ListRequest,
  fits: (rows: readonly Row[]) => number = rows => rows.length,
): Page<Row> {
  const size = pageSize(request.page_size, table.size.usual, table.size.most);
  const order = orderOf(request.order_by ?? '', table.orders, { sql: table.number, isDescending: false });
  const after = tokenValues(request, order.length);
  const conditions = [
    within,
    ...(request.show_deleted ? [] : [{ sql: `${table.deleted} IS NULL`, values: [] }]),
    filterCondition(request.filter ?? '', table.filters),
    after && behind(order, after),
  ].filter(one => one !== undefined);
  const keys = order.map(({ sql: key }, at) => `${key} AS key_${at}`).join(', ');
  const found = sql.query<Row & Record<`key_${number}`, Value>>(
    `SELECT ${table.select}, ${keys} FROM ${table.from} WHERE ${conditions.map(one => one.sql).join(' AND ')}
     ORDER BY ${orderSql(order)} LIMIT ?`,
    [...conditions.flatMap(one => one.values), size + 1],
  );
  const rows = found.slice(0, size);
  const count = Math.min(rows.length, Math.max(1, fits(rows)));
  const last = found.length > count ? found[count - 1] : undefined;
  const values = order.map((_, at) => last?.[`key_${at}`] ?? null);
  return { rows: rows.slice(0, count), next_page_token: last ? pageToken(request, values) : '' };
}
