import { turn } from '../../base/index.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { aStateFile } from './state-file.ts';

/** `sqlite` where vitest.config.ts runs tests of the server again, on a state file. */
const STORAGE_SETTING = 'SICKBAY_TEST_STORAGE';

/** Storage of which a test can wait until nothing is on its way. */
export interface TestStorage extends Storage {
  quiet(): Promise<void>;
}

/** Storage in memory, or a state file where the setting asks for one. */
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
