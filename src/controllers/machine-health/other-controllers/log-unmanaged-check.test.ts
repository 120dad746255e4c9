import { expect, test } from 'vitest';
import { silent, type Fields } from '../../../base/index.ts';
import { aHealthCheck } from '../testing/a-machine.ts';
import { createUnmanagedCheckLogger } from './log-unmanaged-check.ts';

test('what was seen is told when it is something else, of each check by itself', async () => {
  const lines: Fields[] = [];
  const tell = createUnmanagedCheckLogger({ ...silent, info: (_, fields) => void lines.push(fields ?? {}) });
  const { signal } = new AbortController();
  const seen = (key: string, healthy: number) => tell({ key, input: { healthy }, subject: aHealthCheck() }, signal);
  for (const healthy of [3, 3, 2, 2, 3]) await seen('a', healthy);
  await seen('b', 3);
  expect(lines).toEqual([{ healthy: 3 }, { healthy: 2 }, { healthy: 3 }, { healthy: 3 }]);
});
