import type { Stored } from '../object.ts';
import type { Snapshot, Storage, StorageWrite } from './storage.ts';

/** Storage that lives as long as this value: a server opened on it again finds what was committed. */
export function memoryStorage(): Storage {
  const rows = new Map<string, { readonly table: string; readonly key: string; readonly object: Stored }>();
  let revision = 0;
  return {
    load: (): Snapshot => ({ revision, rows: [...rows.values()] }),
    commit(writes: readonly StorageWrite[]): undefined {
      for (const { table, key, object, revision: at } of writes) {
        revision = at;
        if (object) rows.set(`${table}/${key}`, { table, key, object });
        else rows.delete(`${table}/${key}`);
      }
    },
    close: () => undefined,
  };
}
