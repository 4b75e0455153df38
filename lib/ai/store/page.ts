/**
 * Orders and pages of lists. A token says where the next page begins by the values of the row before it, so rows that come
 * and go meanwhile neither repeat nor hide others; it holds for the list that it was given for alone.
 */
import { createHash } from 'node:crypto';
import type { Value } from '../../sqlite/statements.ts';
import { invalid } from '../service-error.ts';
import type { ListRequest } from '../wire.ts';
import type { Condition } from './filter.ts';

/** One column of an order. */
export interface OrderPart {
  readonly sql: string;
  readonly isDescending: boolean;
}

/** Columns by the names that clients use. */
export type Columns = Readonly<Record<string, string>>;

/** The parts of `order_by`, with `last` behind them so that no two rows are alike. Throws INVALID_ARGUMENT. */
export function orderOf(orderBy: string, columns: Columns, last: OrderPart): OrderPart[] {
  const parts = orderBy.split(',').filter((part, _, all) => all.length > 1 || part.trim() !== '');
  const named = parts.map(part => {
    const [name = '', direction = 'asc', ...rest] = part.trim().split(/\s+/);
    const sql = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (sql === undefined || rest.length > 0 || !/^(?:asc|desc)$/i.test(direction)) {
      const description = `'${part.trim()}' is no order; say one of ${Object.keys(columns).join(', ')}, and asc or desc`;
      throw invalid([{ field: 'order_by', description }]);
    }
    return { sql, isDescending: direction.toLowerCase() === 'desc' };
  });
  return [...named, last];
}

/** Rows behind the one whose values are given, in that order. */
export function behind(order: readonly OrderPart[], values: readonly Value[]): Condition {
  const cases = order.map(({ sql, isDescending }, at) => {
    const equal = order.slice(0, at).map(part => `${part.sql} IS ?`);
    return {
      sql: [...equal, `${sql} ${isDescending ? '<' : '>'} ?`].join(' AND '),
      values: values.slice(0, at + 1),
    };
  });
  return {
    sql: `(${cases.map(one => `(${one.sql})`).join(' OR ')})`,
    values: cases.flatMap(one => one.values),
  };
}

export function orderSql(order: readonly OrderPart[]): string {
  return order.map(({ sql, isDescending }) => `${sql} ${isDescending ? 'DESC' : 'ASC'}`).join(', ');
}

/** What a token is bound to: everything of the request but the page itself. */
function fingerprint({ parent = '', filter = '', show_deleted = false, order_by = '' }: ListRequest): string {
  const text = JSON.stringify([parent, filter, show_deleted, order_by]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

export function pageToken(request: ListRequest, values: readonly Value[]): string {
  return Buffer.from(JSON.stringify([fingerprint(request), ...values])).toString('base64url');
}

/** The values of a token; undefined for the first page. Throws INVALID_ARGUMENT for one of another list. */
export function tokenValues(request: ListRequest, count: number): readonly Value[] | undefined {
  const token = request.page_token ?? '';
  if (token === '') return undefined;
  const [print, ...values] = parsed(token);
  const areValues = values.every(value => ['string', 'number'].includes(typeof value) || value === null);
  if (print !== fingerprint(request) || values.length !== count || !areValues)
    throw invalid([{ field: 'page_token', description: 'is not of this list' }]);
  return values as Value[];
}

function parsed(token: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    // SyntaxError: made up.
    return [];
  }
}

/** Rows of a page. Throws INVALID_ARGUMENT for a size below 0; a larger one than allowed is cut. */
export function pageSize(size: number | undefined, usual: number, most: number): number {
  if (size !== undefined && size < 0)
    throw invalid([{ field: 'page_size', description: `is ${size}, and 0 to ${most} is allowed` }]);
  return Math.min(size || usual, most);
}
