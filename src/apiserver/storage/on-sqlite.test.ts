/** What the server promises, once more, on a storage that takes its time. */
import { describe } from 'vitest';
import { STORAGE_SETTING } from '../testing/test-storage.ts';

process.env[STORAGE_SETTING] = 'sqlite';

describe('on SQLite', async () => {
  await import('../garbage/garbage-collector.test.ts');
  await import('../routes/remove.test.ts');
  await import('../routes/update.test.ts');
  await import('../kinds/crd.test.ts');
  await import('../watch/watch.test.ts');
  await import('../accounts/accounts.test.ts');
});
