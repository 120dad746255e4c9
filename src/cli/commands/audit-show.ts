import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { PlatformError } from '../../base/index.ts';
import {
  addressOf,
  AUDIT_TYPES,
  checkpointLine,
  exportLine,
  exportLineOfPart,
  isDatabaseUrl,
  rowsOf,
  type TrailRow,
} from '../../store/index.ts';
import type { EventFlags, ShowFlags } from './audit-commands.ts';

type Print = (line: string) => void;

/** As it is shown: without a password. */
export const trailName = (trail: string): string => (isDatabaseUrl(trail) ? addressOf(trail) : trail);

/** Writes events with their hashes, one JSON object per line, as fast as they are read by the other side. */
export async function auditExport(trail: string, flags: EventFlags, to: Writable): Promise<void> {
  const fits = filterOf(flags);
  const lineOf = isFiltered(flags) ? exportLineOfPart : exportLine;
  for await (const row of rowsOf(trail)) if (fits(row) && !to.write(`${lineOf(row)}\n`)) await once(to, 'drain');
}

/** Prints the last events that fit. */
export async function auditShow(trail: string, { limit, output, ...flags }: ShowFlags, print: Print): Promise<void> {
  const fits = filterOf(flags);
  let found: TrailRow[] = [];
  for await (const row of rowsOf(trail)) {
    if (fits(row)) found.push(row);
    // Cut rarely, so that it stays cheap.
    if (found.length > 2 * limit) found = found.slice(-limit);
  }
  const last = found.slice(-limit);
  if (output === 'json')
    return print(
      JSON.stringify(
        last.map((row) => JSON.parse(exportLine(row)) as unknown),
        undefined,
        2,
      ),
    );
  if (last.length === 0) return print('no event fits');
  for (const line of table([HEAD, ...last.map(cells)])) print(line);
}

/** Prints the last event and its hash as a checkpoint. */
export async function auditCheckpoint(trail: string, at: string, print: Print): Promise<void> {
  let last: TrailRow | undefined;
  for await (const row of rowsOf(trail)) last = row;
  if (!last)
    throw new PlatformError('NotFound', `${trailName(trail)} has no events yet: there is nothing to make a checkpoint of`, {
      retry: 'never',
    });
  print(checkpointLine({ at, sequence: last.sequence, hash: last.hash }));
}

const isFiltered = ({ remediation, type, since }: EventFlags): boolean => [remediation, type, since].some((flag) => flag !== undefined);

function filterOf({ remediation, type, since }: EventFlags): (row: TrailRow) => boolean {
  const types = type?.split(',').map((word) => word.trim());
  const unknown = types?.find((word) => !AUDIT_TYPES.some((known) => known === word));
  if (unknown !== undefined)
    throw new PlatformError('Invalid', `--type: ${JSON.stringify(unknown)} is unknown; known are ${AUDIT_TYPES.join(', ')}`, {
      retry: 'never',
    });
  return (row) =>
    (remediation === undefined || row.correlationId === remediation) &&
    (types === undefined || types.includes(row.type)) &&
    (since === undefined || row.at >= since);
}

const HEAD = ['EVENT', 'AT', 'TYPE', 'REMEDIATION', 'OBJECT', 'DATA'] as const;

const cells = ({ sequence, at, type, correlationId, subject, data }: TrailRow): readonly string[] => [
  `${sequence}`,
  at,
  type,
  correlationId,
  `${subject.kind}/${subject.name}`,
  data,
];

/** The last column takes what it needs. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  return rows.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '));
}
