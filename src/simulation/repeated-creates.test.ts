import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/meta.ts';
import type { ApiRequest, WatchLine } from '../kube/client/transport.ts';
import { RepeatedCreates } from './repeated-creates.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const ALL_JOBS = '/apis/batch/v1/jobs';
const create: ApiRequest = { method: 'POST', path: JOBS, body: { metadata: { name: 'run-1' } } };
const answer = (version: string): unknown => ({ metadata: { name: 'run-1', resourceVersion: version } });
const list = (version: string): unknown => ({ items: [], metadata: { resourceVersion: version } });
const bookmark = (version: string): WatchLine => ({ type: 'BOOKMARK', object: { metadata: { resourceVersion: version } } as KubeObject });

function life(): RepeatedCreates {
  const writes = new RepeatedCreates();
  writes.accepted({ method: 'GET', path: ALL_JOBS }, list('10'));
  return writes;
}

describe('a process that creates what it has created', () => {
  const cases: readonly { name: string; reason: string; before: (writes: RepeatedCreates) => void; objects: boolean }[] = [
    { name: 'first time', reason: 'nothing is known of it', before: () => {}, objects: false },
    {
      name: 'again, unseen',
      reason: 'its watch is older than its own write',
      before: (w) => w.accepted(create, answer('12')),
      objects: true,
    },
    {
      name: 'again, seen',
      reason: 'the watch has passed the write, so it may have seen the object go',
      before: (w) => (w.accepted(create, answer('12')), w.arrived(ALL_JOBS, [bookmark('12')])),
      objects: false,
    },
    {
      name: 'again, after a new list',
      reason: 'a list tells as much as a watch',
      before: (w) => (w.accepted(create, answer('12')), w.accepted({ method: 'GET', path: ALL_JOBS }, list('15'))),
      objects: false,
    },
    {
      name: 'again, watch of its namespace',
      reason: 'a watch of its namespace is one that would have shown it',
      before: (w) => (w.accepted(create, answer('12')), w.arrived(JOBS, [bookmark('11')])),
      objects: true,
    },
    {
      name: 'again, seen by the watch of its namespace',
      reason: 'the watch has passed the write',
      before: (w) => (w.accepted(create, answer('12')), w.arrived(JOBS, [bookmark('12')])),
      objects: false,
    },
  ];
  test.each(cases)('$name: $reason', ({ before, objects }) => {
    const writes = life();
    before(writes);
    expect(writes.objection(create) !== undefined).toBe(objects);
  });

  test('a watch of another namespace tells nothing', () => {
    const writes = new RepeatedCreates();
    writes.arrived('/apis/batch/v1/namespaces/another/jobs', [bookmark('11')]);
    writes.accepted(create, answer('12'));
    expect(writes.objection(create)).toBeUndefined();
  });

  test('a kind whose name alone keeps it single is not judged', () => {
    const writes = new RepeatedCreates(['jobs']);
    writes.arrived(JOBS, [bookmark('11')]);
    writes.accepted(create, answer('12'));
    expect(writes.objection(create)).toBeUndefined();
  });

  test('a kind that is not watched is not judged', () => {
    const writes = new RepeatedCreates();
    writes.accepted(create, answer('12'));
    expect(writes.objection(create)).toBeUndefined();
  });
});
