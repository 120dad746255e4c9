import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../base/sqlite/index.ts';
import type { TrailFiles } from './audit-adoption.ts';
import { AuditDatabase } from './audit-database.ts';
import { SCHEMA_VERSION, versionOf } from './audit-schema.ts';
import { reading } from './reading.ts';
import { demandFile } from './trail-reader.ts';

/** Gives a trail of the first version its chain because a person asked for it; how many events were sealed as they were found. */
export function adoptTrail({ path, keys }: TrailFiles): number {
  return reading(path, () => {
    demandFile(path);
    demandNoChain(path);
    const database = new AuditDatabase({ path: resolve(path), keys: resolve(keys) }, { adopt: true });
    try {
      return database.adopted();
    } finally {
      database.close();
    }
  });
}

function demandNoChain(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (versionOf(db, path) === SCHEMA_VERSION)
      throw new StorageError(
        'Terminal',
        `adopting ${path}: it has its chain, there is nothing to adopt; "sickbay audit verify ${path}" checks it`,
      );
  } finally {
    db.close();
  }
}
