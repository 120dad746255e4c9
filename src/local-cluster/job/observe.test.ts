import { describe, expect, test } from 'vitest';
import { Job, type Pod } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { aJob, aPod, at, timeAt } from '../testing/builders.ts';
import { observe } from './observe.ts';

const mine = aPod({
  metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'fix', uid: 'job-1', controller: true }] },
});
const value = <T>(object: T): Read<T> => ({ kind: 'value', value: object });
const ABSENT = { kind: 'absent' } as const;

/** A cache and a server that may disagree. */
function readerOf(job: Read<Job>, cached: Read<Pod>, served: Read<Pod>): Reader & { asked: number } {
  const reader = {
    asked: 0,
    get: ((resource: unknown) => (resource === Job ? job : cached)) as Reader['get'],
    list: () => ({ kind: 'unreadable' as const, reason: 'not listed' }),
    fetch: (() => {
      reader.asked++;
      return Promise.resolve(served as Read<KubeObject>);
    }) as Reader['fetch'],
    fetchList: () => Promise.resolve({ kind: 'unreadable' as const, reason: 'not listed' }),
  };
  return reader;
}

const KEY = { namespace: 'default', name: 'fix' };
const started = { startTime: timeAt(0) };

describe('what is seen of a Job', () => {
  test.each([
    { name: 'a new Job needs no live read', job: aJob(), cached: ABSENT, served: value(mine), seconds: 0, asked: 0, kind: 'absent' },
    {
      name: 'a pod that is there is believed',
      job: aJob({}, started),
      cached: value(mine),
      served: ABSENT,
      seconds: 0,
      asked: 0,
      kind: 'value',
    },
    {
      name: 'a pod of a started Job is gone on the server’s word only',
      job: aJob({}, started),
      cached: ABSENT,
      served: value(mine),
      seconds: 0,
      asked: 1,
      kind: 'value',
    },
    { name: 'the server confirms it', job: aJob({}, started), cached: ABSENT, served: ABSENT, seconds: 0, asked: 1, kind: 'absent' },
    {
      name: 'at its deadline the server is asked',
      job: aJob({ activeDeadlineSeconds: 9 }, started),
      cached: value(mine),
      served: ABSENT,
      seconds: 9,
      asked: 1,
      kind: 'absent',
    },
    {
      name: 'before it is not',
      job: aJob({ activeDeadlineSeconds: 9 }, started),
      cached: value(mine),
      served: ABSENT,
      seconds: 8,
      asked: 0,
      kind: 'value',
    },
    {
      name: 'a pod of another owner counts as unreadable',
      job: aJob(),
      cached: value(aPod({})),
      served: ABSENT,
      seconds: 0,
      asked: 0,
      kind: 'unreadable',
    },
  ] as const)('$name', async ({ job, cached, served, seconds, asked, kind }) => {
    const reader = readerOf(value(job), cached, served);
    expect((await observe(KEY, reader, at(seconds)))?.pod.kind).toBe(kind);
    expect(reader.asked).toBe(asked);
  });

  test('a Job that is gone is not seen', async () => {
    expect(await observe(KEY, readerOf(ABSENT, ABSENT, ABSENT), at(0))).toBeUndefined();
  });
});
