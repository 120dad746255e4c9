import { describe, expect, test } from 'vitest';
import { Pod } from '../../api/builtin/index.ts';
import { PlatformError, silent, type ErrorCode } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client.ts';
import { createEvictPod, evict } from './evict-pod.ts';
import { aPod } from './testing/builders.ts';

const pod = aPod('web-1');
const order = evict(pod) as Extract<ReturnType<typeof evict>, { kind: 'Call' }>;
const signal = new AbortController().signal;

function evictOn(subresource: KubeClient['subresource']): Promise<void> {
  return createEvictPod({ client: { subresource } as KubeClient, log: silent })({ ...order, subject: pod }, signal);
}

describe('an eviction', () => {
  test('is of exactly that pod', async () => {
    const asked: unknown[] = [];
    await evictOn((resource, key, write) => Promise.resolve(void asked.push({ resource, key, write })));
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace: 'shop', name: 'web-1' },
      deleteOptions: { preconditions: { uid: 'uid-web-1' } },
    };
    expect(asked).toEqual([{ resource: Pod, key: { namespace: 'shop', name: 'web-1' }, write: { name: 'eviction', body } }]);
  });

  test.each<readonly [ErrorCode, string]>([
    ['TooManyRequests', 'its budget says not now'],
    ['NotFound', 'it has gone'],
    ['Conflict', 'another has its name'],
    ['Internal', 'it has several budgets'],
  ])('that is answered with %s is tried again later: %s', async (code) => {
    await expect(evictOn(() => Promise.reject(new PlatformError(code, 'no')))).resolves.toBeUndefined();
  });

  test.each<ErrorCode>(['Forbidden', 'Unavailable'])('that is answered with %s has failed', async (code) => {
    await expect(evictOn(() => Promise.reject(new PlatformError(code, 'no')))).rejects.toThrow('no');
  });
});
