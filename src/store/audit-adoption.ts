import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../base/sqlite/index.ts';
import { addChain, SCHEMA_VERSION, versionOf } from './audit-schema.ts';
import { keysIn, type AuditKey } from './chain/audit-keys.ts';
import { makeKeys, makeOne, newKeyText, readKeys } from './chain/key-file.ts';

/** Where a trail is, and where its keys. */
export interface TrailFiles {
  readonly path: string;
  readonly keys: string;
}

type Keys = readonly [AuditKey, ...AuditKey[]];

/** The keys of a trail, which has a chain afterwards: the events of the first version, which had none, are adopted. */
export function keysForChain(db: DatabaseSync, files: TrailFiles, isAsked: boolean): Keys {
  if (versionOf(db, files.path) === SCHEMA_VERSION) return presentKeys(db, files.keys);
  db.exec('begin immediate');
  try {
    // Another process may have been faster.
    const known = versionOf(db, files.path) === SCHEMA_VERSION ? presentKeys(db, files.keys) : adoptEvents(db, files, isAsked);
    db.exec('commit');
    return known;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/**
 * By itself only where there is no key: a trail that had a chain had one. So a chain that a person removed, to have what is left sealed as if it
 * had never had one, is not replaced.
 */
function adoptEvents(db: DatabaseSync, { path, keys }: TrailFiles, isAsked: boolean): Keys {
  const found = readKeys(keys);
  if (found && !isAsked)
    throw new StorageError(
      'Terminal',
      `opening ${path}: it has no chain, but there are keys for it in ${keys}: a person removed the chain, and may have changed events; ` +
        `restore the file from a backup; only if it is of a Sickbay whose trails had no chain: "sickbay audit adopt ${path} --key ${keys}"`,
    );
  const text = newKeyText();
  const known = found ?? keysIn(text, keys);
  addChain(db, known.at(-1)!);
  // Last, so that a process that ends before leaves no key without a chain.
  if (!found && makeKeys(keys, text)[0].id !== known[0].id)
    throw new StorageError('Unavailable', `opening ${path}: another process made ${keys} meanwhile; try again`);
  return known;
}

/**
 * A trail that has a chain never gets a key by itself: its events would be proved by none, and only the lost file can tell whether that was
 * intended.
 */
function presentKeys(db: DatabaseSync, path: string): Keys {
  const found = readKeys(path);
  if (!found && db.prepare('select 1 from event limit 1').get() !== undefined)
    throw new StorageError(
      'Terminal',
      `opening the audit trail: the file of its keys, ${path}, is gone; restore it from a backup, or make a new one ` +
        `(${makeOne(path)}), which cannot prove the events recorded until now`,
    );
  return found ?? makeKeys(path);
}
