import { describe, expect, test } from 'vitest';
import { MINUTE, HOUR } from '../../base/index.ts';
import { aCrashingPod, aPod, aRevision, ended, evidenceOf, minutesAgo, NOW } from '../testing/a-deployment.ts';
import { outOfMemory } from './out-of-memory.ts';

const limited = (memory?: string) => ({
  template: {
    spec: { containers: [{ name: 'app', image: 'shop:3', ...(memory !== undefined && { resources: { limits: { memory } } }) }] },
  },
});
const killed = (ranMs = MINUTE, restarts = 5, at = minutesAgo(2)) =>
  aCrashingPod('c1', { restarts, lastState: ended(137, { reason: 'OOMKilled', ranMs, at }) });
const judge = (pods = [killed()], memory: string | undefined = '128Mi') =>
  outOfMemory(evidenceOf([aRevision(3, pods)], limited(memory)), NOW);

describe('a container that is killed for memory', () => {
  test('at its own limit gets a higher one', () =>
    expect(judge()).toMatchObject({
      kind: 'Diagnosed',
      actionType: 'IncreaseMemoryLimits',
      parameters: { CONTAINER: 'app' },
      cause: 'Deployment shop/checkout: container app was killed for memory (OOMKilled) in c1: its limit of 128Mi is too low',
    }));

  test.each([
    [
      'without a limit: the node is out of memory',
      outOfMemory(evidenceOf([aRevision(3, [killed()])], limited()), NOW),
      /no memory limit: its node ran out/,
    ],
    ['after hours: it looks like a leak', judge([killed(8 * HOUR)]), /looks like a leak/],
    [
      'once, and is ready again',
      judge([{ ...killed(MINUTE, 1), ...aPod('c1', { lastState: ended(137, { reason: 'OOMKilled' }), restarts: 1 }) }]),
      /once or twice only/,
    ],
  ])('%s: handed over', (_, diagnosis, says) => {
    expect(diagnosis).toMatchObject({
      kind: 'Unclear',
      reason: expect.stringMatching(says) as string,
      advice: expect.stringContaining('kubectl top pod') as string,
    });
  });

  test.each([
    ['by its probe, with the same exit code', judge([aCrashingPod('c1', { lastState: ended(137, { reason: 'Error' }) })])],
    ['long ago', judge([killed(MINUTE, 5, minutesAgo(361))])],
    ['not at all', judge([aPod('c1')])],
  ])('%s: another rule decides', (_, diagnosis) => expect(diagnosis).toBeUndefined());
});
