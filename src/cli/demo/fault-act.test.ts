import { expect, test } from 'vitest';
import { createMemoryApi } from '../../apiserver/index.ts';
import { seededRandom } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { createClient } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { findFault } from '../shop/faults.ts';
import { playFault } from './fault-act.ts';

test.each([
  ['bad-image', /there is no Deployment shop\/web to break/],
  ['node-silent', /there is no Node worker-1 to break/],
])('%s of what is not there is refused at once, not waited for', async (name, problem) => {
  const clock = new ManualClock();
  const client = createClient(createMemoryApi({ clock, random: seededRandom(7) }));
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  const stage = {
    client,
    person: client,
    clock,
    steady: clock,
    settings: DEFAULT_SETTINGS,
    post: () => Promise.resolve({ code: 200, body: {} }),
    print: tell,
    narrate: tell,
    approvalReason: '',
    signal: new AbortController().signal,
  };
  await expect(playFault(stage, findFault(name))).rejects.toThrow(problem);
  expect(told).toEqual([]);
});
