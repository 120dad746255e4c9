import { DatabaseSync } from 'node:sqlite';
import { keyPathOf, readKeys } from '../chain/key-file.ts';
import type { AuditKey } from '../chain/audit-keys.ts';
import { CHAIN_START, sealed, type ChainEnd, type TrailRow } from '../chain/trail-row.ts';
import { COLUMNS, valuesOf } from '../audit-rows.ts';
import { openAuditLog } from '../sqlite-audit-log.ts';
import { rowsOfTrail } from '../trail-reader.ts';
import { anAuditPath, anEvent } from './an-event.ts';

/** Remediations of which every third event is. */
export const REMEDIATIONS = ['rr-a', 'rr-b', 'rr-c'] as const;

/** A closed trail in a file: events `e1` to `e12`, of three remediations by turns. */
export async function aChainedTrail(): Promise<string> {
  const path = anAuditPath();
  const log = openAuditLog(path);
  await log.append(
    Array.from({ length: 12 }, (_, i) => anEvent(`e${i + 1}`, { correlationId: REMEDIATIONS[i % 3]!, data: { phase: `p${i + 1}` } })),
  );
  await log.close();
  return path;
}

/** Does to the file what a user with all rights on it can do: first of all, remove what protects it. */
export function tamper(path: string, change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(path);
  for (const trigger of ['event_stays', 'event_lasts', 'event_is_first']) db.exec(`drop trigger ${trigger}`);
  change(db);
  db.close();
}

/** Replaces all events by these, with a chain made with this key. */
export function rewrite(path: string, key: AuditKey, change: (row: TrailRow) => TrailRow): void {
  const rows = [...rowsOfTrail(path)];
  tamper(path, (db) => {
    db.exec('delete from event');
    const insert = db.prepare(`insert into event (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`);
    let end: ChainEnd = CHAIN_START;
    for (const row of rows) {
      const next = sealed(change(row), end, { key });
      insert.run(...valuesOf(next));
      end = next;
    }
  });
}

/** The key that seals new events of a trail. */
export const keyOf = (path: string): AuditKey => readKeys(keyPathOf(path))!.at(-1)!;
