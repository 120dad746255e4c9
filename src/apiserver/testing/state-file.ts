import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteStorage, type SqliteOptions, type SqliteStorage } from '../storage/sqlite-storage.ts';

/** In memory where the system has such a folder: these tests are about content and order, not about the speed of disks. */
const MEMORY = '/dev/shm';

/** A path for a state file, in a folder that is deleted after the test. */
export function aStatePath(): string {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'apiserver-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'state.db');
}

/** An open state file that is closed after the test. */
export async function aStateFile(options: Partial<SqliteOptions> = {}): Promise<SqliteStorage> {
  const storage = await openSqliteStorage({ path: options.path ?? aStatePath(), ...options });
  onTestFinished(() => storage.close());
  return storage;
}
