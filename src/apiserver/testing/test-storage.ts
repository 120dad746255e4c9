import { turn } from '../../base/index.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { aStateFile } from './state-file.ts';

/** Set to `sqlite` by suites that run the tests of the server once more on a state file. */
export const STORAGE_SETTING = 'SICKBAY_TEST_STORAGE';

/** Storage of which a test can wait until nothing is on its way. */
export interface TestStorage extends Storage {
  quiet(): Promise<void>;
}

/** Storage as the suite wants it; in memory unless it says otherwise. */
export async function aTestStorage(): Promise<TestStorage> {
  return process.env[STORAGE_SETTING] === 'sqlite' ? quieted(await aStateFile({ synchronous: 'NORMAL' })) : quieted(memoryStorage());
}

/** Follows what a storage is asked for. */
export function quieted(storage: Storage): TestStorage {
  let last: Promise<unknown> | undefined;
  return {
    load: () => storage.load(),
    close: () => storage.close(),
    commit(writes) {
      const durable = storage.commit(writes);
      last = durable?.catch(() => undefined);
      return durable;
    },
    async quiet() {
      for (let seen; seen !== last;) {
        seen = last;
        await seen;
        // What follows from it, such as what collectors do, has been asked for by then.
        await turn();
      }
    },
  };
}
