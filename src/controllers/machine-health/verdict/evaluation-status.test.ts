import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { evaluationStatusOf } from './evaluation-status.ts';
import { aMachine, NOW } from '../testing/a-machine.ts';
import { claimCondition } from '../requests/claim.ts';
import { withConditions } from '../conditions/cluster-api-conditions.ts';
import type { Definitions } from '../other-controllers/managing-controller.ts';

const PAUSED = 'cluster.x-k8s.io/paused';
const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;

interface Change {
  readonly metadata?: Partial<MachineHealthCheck['metadata']>;
  readonly role?: string;
  readonly says?: 'True' | 'False';
  /** Its status, where that is more than what it says of a pause. */
  readonly status?: object;
  readonly spec?: object;
}

const condition = (type: string, status: 'True' | 'False') => ({
  type,
  status,
  reason: 'R',
  message: '',
  lastTransitionTime: '2026-01-10T11:00:00Z',
});
const check = (name: string, { metadata = {}, role = 'worker', says, status, spec = {} }: Change = {}): MachineHealthCheck => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { ...aMachine().metadata, labels: {}, ...metadata, name },
  spec: { selector: { matchLabels: { role } }, ...spec },
  ...(says && { status: { conditions: [condition('Paused', says)] } }),
  ...(status && { status }),
});
/** What we cannot carry out; another controller may. */
const INVALID = {
  spec: { remediationTemplate: { apiVersion: 'x/v1', kind: 'CycleTemplate', name: 'cycle', namespace: 'elsewhere' } },
};
const paused = (name: string, change: Change = {}): MachineHealthCheck =>
  check(name, { ...change, metadata: { annotations: { [PAUSED]: '' }, ...change.metadata } });

const UP = [condition('InfrastructureReady', 'True'), condition('ControlPlaneInitialized', 'True')];
const cluster = (isPaused: boolean, conditions: readonly object[] = UP): Read<KubeObject> => ({
  kind: 'value',
  value: {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { ...aMachine().metadata, name: 'eu-2' },
    spec: { paused: isPaused },
    status: { conditions },
  } as KubeObject,
});

interface World {
  readonly checks?: readonly MachineHealthCheck[] | typeof UNREADABLE;
  readonly cluster?: Read<KubeObject>;
  /** The check that the Machine says has asked for it. */
  readonly by?: string;
  readonly definitions?: Definitions;
}

function machine(by: string | undefined): Machine {
  const plain = aMachine({ spec: { clusterName: 'eu-2' } });
  if (by === undefined) return plain;
  const claim = { check: by, request: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediation' } };
  return { ...plain, status: withConditions(plain.status ?? {}, [claimCondition(claim, plain)], { generation: 1, now: NOW }) };
}

function renewal({ checks = [], cluster: found = { kind: 'absent', isKindUnknown: true }, by, definitions = 'sickbay' }: World) {
  const all = 'kind' in checks ? [] : checks;
  const reader = {
    fetch: async ({ kind }: { readonly kind: string }, { name }: ObjectKey) => {
      if (kind === 'Cluster') return found;
      if ('kind' in checks) return checks;
      const value = all.find(({ metadata }) => metadata.name === name);
      return value ? { kind: 'value', value } : { kind: 'absent' };
    },
    fetchList: async () => ('kind' in checks ? checks : { kind: 'value', value: all }),
  } as unknown as Reader;
  return evaluationStatusOf(machine(by), reader, definitions);
}

const GOING = { deletionTimestamp: '2026-01-10T11:00:00Z' };
const OURS_THERE = { labels: { 'cluster.x-k8s.io/watch-filter': 'sickbay' }, annotations: { [PAUSED]: '' } };

describe('the health report of a Machine', () => {
  test.each<readonly [string, World]>([
    ['nothing is paused', { checks: [check('a')], cluster: cluster(false) }],
    ['one of two checks is not paused', { checks: [paused('a'), check('b')] }],
    ['the check that asked is not paused', { checks: [check('a'), paused('b')], by: 'a' }],
    ['its check says that no pause is left', { checks: [check('a', { says: 'False' })] }],
    [
      'its check says that it can be carried out',
      { checks: [check('a', { status: { conditions: [condition('ConfigurationValid', 'True')] } })] },
    ],
    ['the check that asked is not about it any more and another is', { checks: [check('a', { role: 'other' }), check('b')], by: 'a' }],
    ['its check looks after its record before it goes', { checks: [check('a', { metadata: GOING, status: { remediations: [{}] } })] }],
    ['what we cannot carry out is carried out by Cluster API', { checks: [check('a', INVALID)], definitions: 'cluster-api' }],
    [
      'the annotation only keeps Cluster API off our check, which says so',
      { checks: [check('a', { metadata: OURS_THERE, says: 'True' })], by: 'a', definitions: 'cluster-api' },
    ],
  ])('is renewed where %s', async (_, world) => expect(await renewal(world)).toEqual({ kind: 'renewed' }));

  test.each<readonly [string, World, string]>([
    ['its Cluster is paused', { checks: [check('a')], cluster: cluster(true) }, 'Cluster eu-2 is paused'],
    ['the only check is paused', { checks: [paused('a'), check('b', { role: 'other' })] }, 'MachineHealthCheck a is paused'],
    ['the check that asked is paused, another is not', { checks: [check('a'), paused('b')], by: 'b' }, 'MachineHealthCheck b is paused'],
    ['the check that asked is gone, the other paused', { checks: [paused('b')], by: 'a' }, 'MachineHealthCheck b is paused'],
    ['its check has not looked since its pause', { checks: [check('a', { says: 'True' })], by: 'a' }, 'MachineHealthCheck a is paused'],
    [
      'the pause is meant for Cluster API, whose check it is',
      { checks: [paused('a')], definitions: 'cluster-api' },
      'MachineHealthCheck a is paused',
    ],
    [
      'its Cluster is paused and our check there',
      { checks: [check('a', { metadata: OURS_THERE })], cluster: cluster(true), definitions: 'cluster-api' },
      'Cluster eu-2 is paused',
    ],
  ])('is not renewed where %s', async (_, world, who) =>
    expect(await renewal(world)).toEqual({
      kind: 'held',
      reason: 'Paused',
      why: `${who}: the health of the Machine is not evaluated, so no remediation starts`,
    }),
  );

  const isAt = (type: string) => cluster(false, [...UP.filter((one) => one.type !== type), condition(type, 'False')]);
  const INVALID_NOW = 'MachineHealthCheck a has an invalid spec: see its condition ConfigurationValid';
  const NO_CHECK = 'no MachineHealthCheck selects it';
  test.each<readonly [string, World, string]>([
    ['there is no check', {}, NO_CHECK],
    ['its Cluster is gone (ruling 123)', { checks: [check('a')], cluster: { kind: 'absent' } }, 'Cluster eu-2 does not exist'],
    ['no check selects it', { checks: [check('a', { role: 'other' })] }, NO_CHECK],
    ['the check that made the request no longer selects it', { checks: [check('a', { role: 'other' })], by: 'a' }, NO_CHECK],
    ["our check is deleted beside Cluster API's definitions", { by: 'a', definitions: 'cluster-api' }, NO_CHECK],
    ['its check cannot be carried out', { checks: [check('a', INVALID)] }, INVALID_NOW],
    ['the check that asked cannot be carried out', { checks: [check('a', INVALID), check('b')], by: 'a' }, INVALID_NOW],
    [
      'its check has not evaluated it since its remediation',
      { checks: [check('a', { status: { conditions: [condition('ConfigurationValid', 'False')] } })] },
      INVALID_NOW,
    ],
    ['its check is about to go', { checks: [check('a', { metadata: GOING })] }, 'MachineHealthCheck a is being deleted'],
    [
      'its cluster is not ready',
      { checks: [check('a')], cluster: isAt('InfrastructureReady') },
      'the infrastructure of eu-2 is not ready yet',
    ],
    [
      'its control plane is not up',
      { checks: [check('a')], cluster: isAt('ControlPlaneInitialized') },
      'the control plane of eu-2 is not up yet',
    ],
  ])('is not judged where %s', async (_, world, what) =>
    expect(await renewal(world)).toEqual({
      kind: 'held',
      reason: 'NotJudged',
      why: `${what}: the health of the Machine is not evaluated, so no remediation starts`,
    }),
  );

  test('is not renewed by our check where one of Cluster API is about the Machine too, and paused', async () =>
    expect(await renewal({ checks: [check('a', { metadata: OURS_THERE }), paused('b')], definitions: 'cluster-api' })).toMatchObject({
      kind: 'held',
      why: expect.stringContaining('MachineHealthCheck b is paused') as string,
    }));

  test.each<readonly [string, World, string]>([
    ['the Cluster', { cluster: UNREADABLE }, 'whether Cluster eu-2 is paused cannot be read: forbidden'],
    ['the check that asked', { checks: UNREADABLE, by: 'a' }, 'whether its MachineHealthCheck is paused cannot be read: forbidden'],
    ['all checks', { checks: UNREADABLE }, 'whether its MachineHealthCheck is paused cannot be read: forbidden'],
  ])('is not known to be where %s cannot be read', async (_, world, why) =>
    expect(await renewal(world)).toEqual({ kind: 'unreadable', why }),
  );
});
