import { createHash } from 'node:crypto';
import { ApiProblem } from '../api/api-problem.ts';

/** Which page of a list. */
export interface PageWanted {
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly next?: string;
}

const DEFAULT_LIMIT = 50;

/**
 * Cuts a page out of a sorted list. The cursor names the last item of the page before, so that items which come or go in between neither
 * repeat nor hide others.
 */
export function pageFrom<T>(sorted: readonly T[], { limit = DEFAULT_LIMIT, cursor }: PageWanted, order: Order<T>): Page<T> {
  const start = cursor === undefined ? 0 : firstAfter(sorted, cursor, order);
  const items = sorted.slice(start, start + limit);
  const last = items.at(-1);
  const isMore = start + limit < sorted.length;
  return { items, total: sorted.length, ...(isMore && last !== undefined && { next: cursorOf(last, order) }) };
}

/** How a list is sorted. */
export interface Order<T> {
  /** Differs between lists that are filtered or sorted in another way: a cursor of one does not fit another. */
  readonly id: string;
  key(item: T): string;
  name(item: T): string;
  isDescending: boolean;
}

function cursorOf<T>(item: T, order: Order<T>): string {
  return Buffer.from(JSON.stringify([digestOf(order.id), order.key(item), order.name(item)])).toString('base64url');
}

const digestOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 8);

/** The index of the first item behind the one that the cursor names. */
function firstAfter<T>(sorted: readonly T[], cursor: string, order: Order<T>): number {
  const [id, key, name] = readCursor(cursor);
  if (id !== digestOf(order.id))
    throw new ApiProblem(400, 'the cursor belongs to a list with other filters or another order: start again without it');
  const index = sorted.findIndex((item) => compare([order.key(item), order.name(item)], [key, name], order.isDescending) > 0);
  return index < 0 ? sorted.length : index;
}

function readCursor(cursor: string): readonly [string, string, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'string'))
      return value as unknown as readonly [string, string, string];
  } catch {
    // Answered below, like every other text that is no cursor.
  }
  throw new ApiProblem(400, 'the cursor is not one that this server gave: start again without it');
}

/** By key in the order of the list, then by name. */
function compare(a: readonly [string, string], b: readonly [string, string], isDescending: boolean): number {
  const byKey = a[0] < b[0] ? -1 : Number(a[0] > b[0]);
  if (byKey !== 0) return isDescending ? -byKey : byKey;
  return a[1] < b[1] ? -1 : Number(a[1] > b[1]);
}

/** Sorts as the order says. */
export const sortedBy = <T>(items: readonly T[], order: Order<T>): readonly T[] =>
  items.toSorted((a, b) => compare([order.key(a), order.name(a)], [order.key(b), order.name(b)], order.isDescending));
