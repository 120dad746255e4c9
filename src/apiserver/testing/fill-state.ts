/** Writes to a state file until it is full, and prints the results: for tests of full disks. */
import { messageOf } from '../../base/index.ts';
import type { Stored } from '../object.ts';
import { openSqliteStorage } from '../storage/sqlite-storage.ts';
import type { StorageWrite } from '../storage/storage.ts';

/** The results: how many writes are durable, why the next ones were refused, and the failures reported to the owner. */
export interface Filled {
  readonly durable: number;
  readonly refusals: readonly string[];
  readonly told: readonly string[];
}

const write = (revision: number): StorageWrite => {
  const metadata = { name: `k${revision}`, uid: '', resourceVersion: String(revision), creationTimestamp: '' };
  const object: Stored = { apiVersion: 'v1', kind: 'T', metadata, data: 'x'.repeat(4_000) };
  return { table: '/t', key: `k${revision}`, revision, object };
};

const told: string[] = [];
const storage = await openSqliteStorage({ path: process.argv[2]!, onFailure: (error) => told.push(error.message) });
const commit = (revision: number): Promise<string> => storage.commit([write(revision)]).then(() => '', messageOf);

let durable = 0;
let refusal = '';
while (refusal === '') {
  refusal = await commit(durable + 1);
  if (refusal === '') durable++;
}
const refusals = [refusal, await commit(durable + 2), await commit(durable + 3)];
await storage.close();
process.stdout.write(JSON.stringify({ durable, refusals, told } satisfies Filled));
