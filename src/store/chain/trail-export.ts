import { PlatformError } from '../../base/index.ts';
import type { TrailRow } from './trail-row.ts';

/**
 * One event as a line of JSON, with everything that its hash covers, so that an export can be verified as the trail itself can. Data is an
 * object where that gives the same text again, and the text that is stored otherwise.
 */
export const exportLine = ({ data, ...row }: TrailRow): string => JSON.stringify({ ...row, data: asObject(data) ?? data });

function asObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The event in a line of an export. */
export function rowInExport(line: string, place: string): TrailRow {
  const { data, subject, ...row } = objectIn(line, place) as unknown as Omit<TrailRow, 'data'> & { readonly data: unknown };
  if (!Number.isSafeInteger(row.sequence) || typeof row.hash !== 'string' || data === undefined || typeof subject !== 'object')
    throw invalid(place);
  return { ...row, subject, data: typeof data === 'string' ? data : JSON.stringify(data) };
}

function objectIn(line: string, place: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    throw invalid(place);
  }
}

const invalid = (place: string): PlatformError =>
  new PlatformError('Invalid', `${place}: it is no event of an audit trail: give the database, or what "sickbay audit export" printed`, {
    retry: 'never',
  });
