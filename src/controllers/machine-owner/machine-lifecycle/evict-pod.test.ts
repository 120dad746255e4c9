import { describe, expect, test } from 'vitest';
import { Pod } from '../../../api/builtin/index.ts';
import { PlatformError, silent, type ErrorCode, type Logger } from '../../../base/index.ts';
import type { KubeClient } from '../../../kube/client/client.ts';
import { ApiError } from '../../../kube/client/errors.ts';
import { createEvictPod, evictEffect } from './evict-pod.ts';
import { aPod } from '../testing/builders.ts';

const pod = aPod('web-1');
const order = evictEffect(pod) as Extract<ReturnType<typeof evictEffect>, { kind: 'Call' }>;
const FAILURE = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', message: 'denied by a webhook' } as const;
const signal = new AbortController().signal;

function evictOn(subresource: KubeClient['subresource'], log: Logger = silent): Promise<void> {
  return createEvictPod({ client: { subresource } as KubeClient, log })({ ...order, subject: pod }, signal);
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

  test.each([
    [403, 'Forbidden'],
    [400, 'BadRequest'],
    [405, 'MethodNotAllowed'],
    [410, 'Gone'],
    [422, 'Invalid'],
    [408, 'Timeout'],
  ])('that is denied with %i is logged, and does not block the next pod: %s', async (code, reason) => {
    const told: unknown[] = [];
    const log: Logger = { ...silent, warn: (message, fields) => void told.push([message, fields]) };
    await expect(evictOn(() => Promise.reject(new ApiError({ ...FAILURE, code, reason })), log)).resolves.toBeUndefined();
    const message = 'the eviction of a pod is denied: remove the cause, or its Node is deleted with the pod after drainTimeout';
    expect(told).toEqual([[message, { pod: 'shop/web-1', why: 'denied by a webhook' }]]);
  });

  test.each<readonly [string, Error]>([
    ['an account that is not known', new ApiError({ ...FAILURE, code: 401, reason: 'Unauthorized' })],
    ['a server in trouble', new ApiError({ ...FAILURE, code: 503, reason: 'ServiceUnavailable' })],
    ['no answer', new PlatformError('Unavailable', 'denied by a webhook')],
    ['an unexpected error', new Error('denied by a webhook')],
  ])('that ends with %s has failed', async (_, error) => {
    await expect(evictOn(() => Promise.reject(error))).rejects.toThrow(error);
  });
});
