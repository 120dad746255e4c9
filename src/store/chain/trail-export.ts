import { PlatformError } from '../../base/index.ts';
import type { TrailRow } from './trail-row.ts';

/**
 * One event as a line of JSON, with everything that its hash covers, so that an export can be verified as the trail itself can. Data is an
 * object where that gives the same text again, and the text that is stored otherwise.
 */
export const exportLine = ({ data, ...row }: TrailRow): string => JSON.stringify({ ...row, data: asObject(data) ?? data });

/** The same for events that were chosen: the others between them are not missing, but nothing can be verified. */
export const exportLineOfPart = ({ data, ...row }: TrailRow): string =>
  JSON.stringify({ ...row, data: asObject(data) ?? data, filtered: true });

/** Refuses a line of a part. */
export function demandWhole(line: string, place: string): void {
  if (objectIn(line, place)['filtered'] === true)
    throw new PlatformError('Invalid', `${place}: it is an export of some events only, which cannot be verified: export the whole trail`, {
      retry: 'never',
    });
}

function asObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

interface ExportedRow extends Omit<TrailRow, 'data'> {
  readonly data: unknown;
  readonly filtered?: unknown;
}

/** The event in a line of an export. */
export function rowInExport(line: string, place: string): TrailRow {
  const { data, subject, filtered: _, ...row } = objectIn(line, place) as unknown as ExportedRow;
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
