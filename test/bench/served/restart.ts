/** P15: from a state file with 10,000 objects to a server that answers, against reading and parsing the same rows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createMemoryApi, openSqliteStorage, type StorageWrite } from '../../../src/apiserver/index.ts';
import { seededRandom, systemClock, systemRandom } from '../../../src/base/index.ts';
import type { BenchResult } from '../result.ts';
import { servedObject } from '../served-object.ts';
import { inTurn } from '../sides.ts';

const OBJECTS = 10_000;
const GROUP = 500;

export async function benchRestart(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-bench-'));
  const path = join(folder, 'state.db');
  try {
    await fill(path);
    const sides = await inTurn(
      () => elapsed(() => restart(path)),
      () => elapsed(() => readAll(path)),
    );
    return { name: 'P15 restart with 10,000 objects ÷ reading and parsing them', ...sides, unit: 'ms', goal: 'printed (under a second)' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(path: string): Promise<void> {
  const storage = await openSqliteStorage({ path, synchronous: 'NORMAL' });
  const random = seededRandom(3);
  for (let from = 0; from < OBJECTS; from += GROUP) {
    await storage.commit(Array.from({ length: GROUP }, (_, i) => write(from + i, random)));
  }
  await storage.close();
}

function write(i: number, random: ReturnType<typeof seededRandom>): StorageWrite {
  const object = JSON.parse(servedObject(i, random)) as NonNullable<StorageWrite['object']>;
  return {
    table: 'kubernaut.ai/remediationrequests',
    key: `${object.metadata.namespace}/${object.metadata.name}`,
    revision: i + 1,
    object,
  };
}

async function restart(path: string): Promise<() => Promise<void>> {
  const storage = await openSqliteStorage({ path });
  const api = createMemoryApi({ clock: systemClock, random: systemRandom, storage });
  const { code } = await api.request({ method: 'GET', path: '/api/v1/namespaces' });
  if (code !== 200) throw new Error(`the server answered ${code}`);
  return () => storage.close();
}

function readAll(path: string): () => void {
  const db = new DatabaseSync(path, { readOnly: true });
  for (const { json } of db.prepare('select json from object').iterate()) JSON.parse(json as string);
  return () => db.close();
}

/** How long it takes, without what has to be cleared up. */
async function elapsed(work: () => Promise<() => unknown> | (() => unknown)): Promise<number> {
  const start = performance.now();
  const clear = await work();
  const ms = performance.now() - start;
  await clear();
  return ms;
}
