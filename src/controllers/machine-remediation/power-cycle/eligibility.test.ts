import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Read } from '../../../kube/client/read.ts';
import { claimCondition } from '../../machine-health/requests/claim.ts';
import { withConditions } from '../../machine-health/conditions/cluster-api-conditions.ts';
import { aMachine, NOW } from '../../machine-health/testing/a-machine.ts';
import type { ObservedNode } from './observed.ts';
import { eligibilityOf } from './eligibility.ts';
import { aSilentNode, anUnhealthyMachine, aRequest } from './testing/builders.ts';

const found = (value: Machine): Read<Machine> => ({ kind: 'value', value });
const unhealthy = anUnhealthyMachine();
const SEEN = { generation: 1, now: NOW };
const CLAIM = { request: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediation' }, check: 'example' };
const askedOwner = (machine: Machine): Machine => {
  const owner = { type: 'OwnerRemediated', holds: false, reason: 'WaitingForRemediation', message: '' } as const;
  return { ...machine, status: withConditions(machine.status!, [owner], SEEN) };
};
const labelled = (label: string): ObservedNode => {
  const node = aSilentNode();
  return { kind: 'value', value: { ...node, metadata: { ...node.metadata, labels: { [label]: '' } } } };
};
const owner = { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', name: 'cp', uid: 'cp-0' };

describe('whether a Machine is eligible', () => {
  test.each([
    { reason: 'it reports that it fails', machine: found(unhealthy), want: 'eligible' },
    { reason: 'its Node is absent', machine: found(unhealthy), node: { kind: 'absent' } as const, want: 'eligible' },
    { reason: 'its Node is a worker', machine: found(unhealthy), node: { kind: 'value', value: aSilentNode() } as const, want: 'eligible' },
    { reason: 'it has no condition', machine: found(aMachine()), want: 'MachineHealthy' },
    {
      reason: 'it reports that it is healthy',
      machine: found(
        aMachine({
          status: { conditions: [{ type: 'HealthCheckSucceeded', status: 'True', lastTransitionTime: '2026-01-10T11:00:00Z' }] },
        }),
      ),
      want: 'MachineHealthy',
    },
    {
      reason: 'it cannot be read',
      machine: found(
        aMachine({
          status: { conditions: [{ type: 'HealthCheckSucceeded', status: 'Unknown', lastTransitionTime: '2026-01-10T11:00:00Z' }] },
        }),
      ),
      want: 'MachineHealthy',
    },
    {
      reason: 'this kind of request was asked for',
      machine: found({ ...unhealthy, status: withConditions(unhealthy.status!, [claimCondition(CLAIM, unhealthy)], SEEN) }),
      want: 'eligible',
    },
    {
      reason: 'another kind of request was asked for',
      machine: found({
        ...unhealthy,
        status: withConditions(
          unhealthy.status!,
          [claimCondition({ ...CLAIM, request: { ...CLAIM.request, kind: 'Other' } }, unhealthy)],
          SEEN,
        ),
      }),
      want: 'AskedElsewhere',
    },
    { reason: 'its owner was asked', machine: found(askedOwner(unhealthy)), want: 'AskedElsewhere' },
    { reason: 'it is not there', machine: { kind: 'absent' } as const, want: 'MachineMissing' },
    { reason: 'it cannot be read', machine: { kind: 'unreadable', reason: 'no' } as const, want: 'unreadable' },
    { reason: 'it is another Machine with the same name', machine: found(anUnhealthyMachine({ uid: 'm-1' })), want: 'MachineMissing' },
    {
      reason: 'it is being deleted',
      machine: found(anUnhealthyMachine({ deletionTimestamp: '2026-01-10T11:00:00Z' })),
      want: 'MachineDeleting',
    },
    { reason: 'it is paused', machine: found(anUnhealthyMachine({ annotations: { 'cluster.x-k8s.io/paused': '' } })), want: 'Paused' },
    {
      reason: 'it is to be skipped',
      machine: found(anUnhealthyMachine({ annotations: { 'cluster.x-k8s.io/skip-remediation': '' } })),
      want: 'Paused',
    },
    {
      reason: 'it is labelled as control plane',
      machine: found(anUnhealthyMachine({ labels: { 'cluster.x-k8s.io/control-plane': '' } })),
      want: 'ControlPlane',
    },
    {
      reason: 'a control plane owns it',
      machine: found(anUnhealthyMachine({ ownerReferences: [{ ...owner, kind: 'KubeadmControlPlane', controller: true }] })),
      want: 'ControlPlane',
    },
    {
      reason: 'a MachineSet owns it',
      machine: found(anUnhealthyMachine({ ownerReferences: [{ ...owner, kind: 'MachineSet', controller: true }] })),
      want: 'eligible',
    },
    {
      reason: 'its Node belongs to the control plane',
      machine: found(unhealthy),
      node: labelled('node-role.kubernetes.io/control-plane'),
      want: 'ControlPlane',
    },
    {
      reason: 'its Node has the former control plane label',
      machine: found(unhealthy),
      node: labelled('node-role.kubernetes.io/master'),
      want: 'ControlPlane',
    },
    { reason: 'its Node is in another cluster', machine: found(unhealthy), node: { kind: 'other-cluster' } as const, want: 'eligible' },
    {
      reason: 'its Node is in another cluster that cannot be reached',
      machine: found(unhealthy),
      node: { kind: 'other-cluster', unreadable: 'no answer' } as const,
      want: 'unreadable',
    },
    {
      reason: 'its Node cannot be read',
      machine: found(unhealthy),
      node: { kind: 'unreadable', reason: 'no' } as const,
      want: 'unreadable',
    },
  ])('$reason: $want', ({ machine, node, want }) => {
    const standing = eligibilityOf(aRequest(), machine, node);
    expect(standing.kind === 'ineligible' ? standing.reason : standing.kind).toBe(want);
  });

  test.each([
    { reason: 'the request has no owner', ownerReferences: [] },
    {
      reason: 'something else of that UID does',
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'worker-0', uid: 'm-0' }],
    },
    {
      reason: 'a Machine of another group does',
      ownerReferences: [{ apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine', name: 'worker-0', uid: 'm-0' }],
    },
  ])('not where $reason', ({ ownerReferences }) =>
    expect(eligibilityOf(aRequest({ metadata: { ownerReferences } }), found(unhealthy))).toMatchObject({
      kind: 'ineligible',
      reason: 'MachineMissing',
    }),
  );

  test('not while the request itself is paused', () =>
    expect(eligibilityOf(aRequest({ metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } }), found(unhealthy))).toMatchObject({
      reason: 'Paused',
    }));
});
