/** The embedded server on a state file, alone in its process. */
import { createMemoryApi, openSqliteStorage, serveApi } from '../../src/apiserver/index.ts';
import { silent, systemClock, systemRandom } from '../../src/base/index.ts';
import { serveChild } from './serve-child.ts';

/** Where its state is, how hard it is kept, and what opens the door. */
export interface SickbayOptions {
  readonly path: string;
  readonly synchronous?: 'FULL' | 'NORMAL';
  readonly token: string;
}

serveChild(async ({ path, synchronous = 'FULL', token }: SickbayOptions) => {
  const storage = await openSqliteStorage({ path, synchronous });
  const api = createMemoryApi({ clock: systemClock, random: systemRandom, storage });
  return serveApi({ api, token, log: silent });
});
