import { turn } from '../../base/index.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { aStateFile } from './state-file.ts';

/** `sqlite` where vitest.config.ts runs tests of the server again, on a state file. */
const STORAGE_SETTING = 'SICKBAY_TEST_STORAGE';

/** Storage whose pending writes a test can wait for. */
export interface TestStorage extends Storage {
  quiet(): Promise<void>;
}

/** Storage in memory, or a state file where the setting asks for one. */
export async function aTestStorage(): Promise<TestStorage> {
  return process.env[STORAGE_SETTING] === 'sqlite' ? quieted(await aStateFile({ synchronous: 'NORMAL' })) : quieted(memoryStorage());
}

/** Tracks the pending commits of a storage. */
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
        // Writes that follow from it, such as those of garbage collection, have been started by then.
        await turn();
      }
    },
  };
}
