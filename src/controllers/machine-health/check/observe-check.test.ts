import { describe, expect, test } from 'vitest';
import { Cluster } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { decideCheck } from './decide-check.ts';
import { HealthEvaluator } from '../verdict/health-evaluator.ts';
import { observeCheck } from './observe-check.ts';
import { FullListTimes } from '../requests/full-list-times.ts';
import { ago, aHealthCheck, aMachine, NOW } from '../testing/a-machine.ts';

const failed = { type: 'HealthCheckSucceeded', status: 'False' as const, reason: 'said', message: '', lastTransitionTime: ago(SECOND) };
/** It fails whatever is seen of its cluster. */
const MACHINE = aMachine({
  metadata: { annotations: { [ANNOTATIONS.remediateMachine]: '' } },
  spec: { clusterName: 'prod' },
  status: { conditions: [failed] },
});
const cluster = (paused: boolean): Read<Cluster> => ({
  kind: 'value',
  value: { metadata: { name: 'prod', namespace: 'machine-api' }, spec: { paused } } as Cluster,
});

/** What a check over that Machine decides where the Cluster reads so. */
async function deciding(read: Read<Cluster>, check = aHealthCheck({ clusterName: 'prod' })) {
  const kept: Readonly<Record<string, Read<KubeObject>>> = {
    [MachineHealthCheck.kind]: { kind: 'value', value: check },
    [Machine.kind]: { kind: 'value', value: MACHINE },
    [Cluster.kind]: read,
  };
  const reader: Reader = {
    get: <T extends KubeObject>({ kind }: Resource<T>) => (kept[kind] ?? { kind: 'absent' }) as Read<T>,
    list: <T extends KubeObject>({ kind }: Resource<T>) => {
      const one = kept[kind] ?? { kind: 'absent' };
      if (one.kind === 'unreadable') return one;
      return { kind: 'value', value: (one.kind === 'value' ? [one.value] : []) as unknown as readonly T[] };
    },
    fetch: () => Promise.resolve({ kind: 'absent' }),
    fetchList: () => Promise.resolve({ kind: 'value', value: [] }),
  };
  const how = { evaluator: new HealthEvaluator(), now: NOW, annotationRemediates: true, fullLists: new FullListTimes() };
  const seen = await observeCheck({ namespace: 'machine-api', name: 'example' }, reader, how);
  return decideCheck(seen!, NOW);
}

const NO_SUCH_KIND = { kind: 'absent', isKindUnknown: true } as const;

describe('whether its cluster is paused', () => {
  test.each<{ readonly reason: string; readonly read: Read<Cluster>; readonly asks: boolean; readonly says: string }>([
    { reason: 'it is not', read: cluster(false), asks: true, says: 'RemediationAllowed' },
    { reason: 'there is none that could be', read: NO_SUCH_KIND, asks: true, says: 'RemediationAllowed' },
    { reason: 'it does not exist (ruling 123)', read: { kind: 'absent' }, asks: false, says: 'Cluster prod does not exist' },
    { reason: 'it is', read: cluster(true), asks: false, says: 'Cluster prod is paused' },
    {
      reason: 'that cannot be read',
      read: { kind: 'unreadable', reason: 'forbidden' },
      asks: false,
      says: 'whether Cluster prod is paused cannot be read: forbidden',
    },
  ])('$reason: remediation is requested $asks', async ({ read, asks, says }) => {
    const { effects, status } = await deciding(read);
    expect(effects.filter(({ kind }) => kind === 'PatchStatus')).toHaveLength(asks ? 1 : 0);
    expect(JSON.stringify(status)).toContain(says);
  });

  test.each<readonly [string, Read<Cluster>, number]>([
    ['is not', cluster(false), 1],
    ['is', cluster(true), 0],
    ['may be', { kind: 'unreadable', reason: 'forbidden' }, 0],
    ['does not exist', { kind: 'absent' }, 0],
  ])('it %s: so it is for a check that names none, which keeps its record', async (_, read, asked) => {
    const entry = { machine: 'worker-0', uid: 'm-0', since: ago(MINUTE) };
    const { effects, status } = await deciding(read, { ...aHealthCheck(), status: { remediations: [entry] } });
    expect(effects.filter(({ kind }) => kind === 'PatchStatus')).toHaveLength(asked);
    expect(status).toMatchObject({ remediations: [entry], expectedMachines: 1, currentHealthy: 0 });
  });

  test('the check is evaluated again soon where that cannot be read', async () => {
    expect((await deciding({ kind: 'unreadable', reason: 'forbidden' })).wakeAt).toBe(NOW + MINUTE / 2);
  });
});
