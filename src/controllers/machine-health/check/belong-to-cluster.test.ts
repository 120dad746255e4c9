import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../api/builtin/index.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { MINUTE } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { ago, aHealthCheck } from '../testing/a-machine.ts';
import { belongToCluster, observeCluster } from './belong-to-cluster.ts';

const LABEL = 'cluster.x-k8s.io/cluster-name';
const OWN = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'prod', uid: 'c-1' };
const OTHER = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'prod', uid: 'd-1' };

const aCluster = (change: Partial<Cluster['metadata']> = {}): Cluster => ({
  apiVersion: OWN.apiVersion,
  kind: 'Cluster',
  metadata: { name: 'prod', namespace: 'machine-api', uid: 'c-1', resourceVersion: '7', creationTimestamp: ago(MINUTE), ...change },
});

function aReportedCheck(
  metadata: Partial<MachineHealthCheck['metadata']> = {},
  clusterName: string | undefined = 'prod',
): MachineHealthCheck {
  const check = aHealthCheck(clusterName === undefined ? {} : { clusterName });
  return { ...check, metadata: { ...check.metadata, ...metadata }, status: { observedGeneration: 1 } };
}

const value = (cluster: Cluster): Read<Cluster> => ({ kind: 'value', value: cluster });
const ABSENT: Read<Cluster> = { kind: 'absent' };

function readerOf(cached: Read<Cluster>, live: Read<Cluster> = cached) {
  let reads = 0;
  const reader = { get: () => cached, fetch: () => Promise.resolve((reads++, live)) } as unknown as Pick<Reader, 'get' | 'fetch'>;
  return { reader, reads: () => reads };
}

const MARKED = { labels: { [LABEL]: 'prod' }, ownerReferences: [OWN] };

describe('a check that names a Cluster (ruling 125)', () => {
  test('is to belong to it, by a live read', async () => {
    const { reader, reads } = readerOf(value(aCluster()));
    expect(await observeCluster(aReportedCheck(), reader)).toEqual(aCluster());
    expect(reads()).toBe(1);
  });

  test.each<readonly [string, MachineHealthCheck, ReturnType<typeof readerOf>, number]>([
    ['that belongs to it already', aReportedCheck(MARKED), readerOf(value(aCluster())), 0],
    ['that is being deleted', aReportedCheck({ deletionTimestamp: ago(0) }), readerOf(value(aCluster())), 0],
    ['whose Cluster does not exist', aReportedCheck(), readerOf(ABSENT), 0],
    ['whose Cluster cannot be read', aReportedCheck(), readerOf({ kind: 'unreadable', reason: 'no' }), 0],
    ['whose Cluster is being deleted', aReportedCheck(), readerOf(value(aCluster({ deletionTimestamp: ago(0) }))), 0],
    ['whose Cluster is gone, which the cache does not show yet', aReportedCheck(), readerOf(value(aCluster()), ABSENT), 1],
    [
      'that belongs to the Cluster that took the place of the cached one',
      aReportedCheck(MARKED),
      readerOf(value(aCluster({ uid: 'c-0' })), value(aCluster())),
      1,
    ],
  ])('is left as it is: one %s', async (_, check, { reader, reads }, count) => {
    expect(await observeCluster(check, reader)).toBeUndefined();
    expect(reads()).toBe(count);
  });

  test('names none: nothing is read', async () => {
    const { reader, reads } = readerOf(value(aCluster()));
    const { clusterName: _, ...spec } = aReportedCheck().spec;
    expect(await observeCluster({ ...aReportedCheck(), spec } as MachineHealthCheck, reader)).toBeUndefined();
    expect(reads()).toBe(0);
  });
});

describe('label and owner reference', () => {
  const operations = (metadata: Partial<MachineHealthCheck['metadata']>) =>
    belongToCluster(aReportedCheck(metadata), aCluster()).map((effect) => (effect.kind === 'Patch' ? effect.operations : []))[0];

  test('are written under the version that was seen', () => {
    expect(belongToCluster(aReportedCheck(), aCluster())).toMatchObject([
      { kind: 'Patch', key: { namespace: 'machine-api', name: 'example' }, uid: 'c-0', resourceVersion: '1' },
    ]);
  });

  test('are added to those of others', () => {
    expect(operations({ labels: { team: 'a' }, ownerReferences: [OTHER] })).toEqual([
      { op: 'add', path: '/metadata/labels', value: { team: 'a', [LABEL]: 'prod' } },
      { op: 'add', path: '/metadata/ownerReferences', value: [OTHER, OWN] },
    ]);
  });

  test('replace those of an earlier Cluster of the name, in whatever version they were written', () => {
    const earlier = { ...OWN, apiVersion: 'cluster.x-k8s.io/v1beta1', uid: 'c-0' };
    expect(operations({ labels: { [LABEL]: 'prod' }, ownerReferences: [earlier, OTHER] })).toEqual([
      { op: 'add', path: '/metadata/ownerReferences', value: [OTHER, OWN] },
    ]);
  });

  test('wait until the check has reported', () => {
    const { status: _, ...fresh } = aReportedCheck();
    expect(belongToCluster(fresh, aCluster())).toEqual([]);
    expect(belongToCluster(aReportedCheck(), undefined)).toEqual([]);
  });
});
