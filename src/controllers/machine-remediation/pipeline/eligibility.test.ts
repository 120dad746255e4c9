import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Condition } from '../../../api/meta.ts';
import { findEligibleNode } from './eligibility.ts';
import type { PipelineSeen } from './observe.ts';
import { ABSENT, aMachine, aNode, aRequest, aSight, at, UNREADABLE, unseen, valueOf } from './testing/builders.ts';

const owner = (uid: string, kind = 'Machine') => ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind, name: 'worker-1', uid });
const ownedBy = (...ownerReferences: readonly ReturnType<typeof owner>[]) => aRequest(undefined, { metadata: { ownerReferences } });

/** An unhealthy Machine with one more condition. */
const saying = (more: Pick<Condition, 'type' | 'reason' | 'message'>): Machine => {
  const unhealthy = aMachine('False');
  const conditions = [...(unhealthy.status?.conditions ?? []), { ...more, status: 'False' as const, lastTransitionTime: at(0) }];
  return { ...unhealthy, status: { ...unhealthy.status, conditions } };
};
const asked = (kind: string): Machine =>
  saying({
    type: 'ExternallyRemediated',
    reason: 'WaitingForRemediation',
    message: `remediation was requested from ${kind} worker-1 (remediation.sickbay.dev/v1alpha1) by MachineHealthCheck workers`,
  });

const NO_OWNER =
  'no Machine worker-1 owns this request, so that nothing is done: each request of a MachineHealthCheck is owned by its Machine';

const objections: readonly { name: string; seen: Partial<PipelineSeen>; reason: string; message: string }[] = [
  { name: 'it has no owner', seen: { object: ownedBy() }, reason: 'NoMachine', message: NO_OWNER },
  {
    name: 'nothing is said about owners',
    seen: { object: { ...aRequest(), metadata: { name: 'worker-1', uid: 'u', resourceVersion: '1', creationTimestamp: at(0) } } },
    reason: 'NoMachine',
    message: NO_OWNER,
  },
  { name: 'something else owns it', seen: { object: ownedBy(owner('uid-machine', 'MachineSet')) }, reason: 'NoMachine', message: NO_OWNER },
  { name: 'the Machine is gone', seen: { machine: ABSENT }, reason: 'NoMachine', message: NO_OWNER },
  {
    name: 'the Machine cannot be read',
    seen: { machine: UNREADABLE },
    reason: 'MachineUnreadable',
    message: 'Machine worker-1 cannot be read: forbidden',
  },
  {
    name: 'no check would report that the Machine recovered',
    seen: { renewal: { kind: 'held', reason: 'Paused', why: 'Cluster eu-2 is paused' } },
    reason: 'Paused',
    message: 'Cluster eu-2 is paused',
  },
  {
    name: 'no check covers the Machine any more',
    seen: { renewal: { kind: 'held', reason: 'NotJudged', why: 'no MachineHealthCheck selects it' } },
    reason: 'NotJudged',
    message: 'no MachineHealthCheck selects it',
  },
  {
    name: 'it is unknown whether a check covers the Machine',
    seen: { renewal: { kind: 'unreadable', why: 'whether Cluster eu-2 is paused cannot be read' } },
    reason: 'MachineUnreadable',
    message: 'whether Cluster eu-2 is paused cannot be read',
  },
  {
    name: 'another remediator was asked, and this request came too late',
    seen: { machine: valueOf(asked('PowerCycleRemediation')) },
    reason: 'AskedElsewhere',
    message: 'remediation of Machine worker-1 was requested from a PowerCycleRemediation',
  },
  {
    name: 'the owner of the Machine was asked',
    seen: { machine: valueOf(saying({ type: 'OwnerRemediated', reason: 'WaitingForRemediation', message: '' })) },
    reason: 'AskedElsewhere',
    message: 'remediation of Machine worker-1 was requested from its owner',
  },
  {
    name: 'the Machine is of the control plane',
    seen: { machine: valueOf(aMachine('False', { labels: { 'cluster.x-k8s.io/control-plane': '' } })) },
    reason: 'ControlPlane',
    message: 'Machine worker-1 belongs to the control plane, which is never remediated without an explicit rule: repair it by hand',
  },
  {
    name: 'the Node is of the control plane',
    seen: {
      node: valueOf(aNode(undefined, { spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] } })),
    },
    reason: 'ControlPlane',
    message: 'Node node-1 belongs to the control plane, which is never remediated without an explicit rule: repair it by hand',
  },
  ...[{}, undefined].map((nodeRef) => ({
    name: `the Machine names no Node (${nodeRef ? 'empty' : 'no'} reference)`,
    seen: {
      machine: valueOf({ ...aMachine('False'), status: { ...aMachine('False').status, nodeRef } as Machine['status'] & {} }),
      node: ABSENT,
    },
    reason: 'NoNode',
    message: 'Machine worker-1 has no Node that can be remediated: replace the Machine',
  })),
  {
    name: 'the Node is gone',
    seen: { node: ABSENT },
    reason: 'NoNode',
    message: 'Node node-1 no longer exists, so that there is nothing to remediate: replace Machine worker-1',
  },
  {
    name: 'the Node that work began on is gone, and the Machine has another',
    seen: { object: aRequest({ phase: 'Failed', nodeName: 'node-0' }), node: ABSENT },
    reason: 'NoNode',
    message: 'Node node-0 no longer exists, so that there is nothing to remediate: replace Machine worker-1',
  },
  {
    name: 'the Node is not managed',
    seen: { node: valueOf(aNode(undefined, { metadata: { labels: {} } })) },
    reason: 'Unmanaged',
    message: 'Node node-1 is not managed: label it kubernaut.ai/managed=true to have it remediated',
  },
];

describe('clear', () => {
  test.each(objections)('objects when $name, and says what to do', ({ seen, reason, message }) =>
    expect(findEligibleNode(aSight(seen))).toEqual({ reason, message }),
  );

  const free: readonly { name: string; seen: Partial<PipelineSeen> }[] = [
    { name: 'an unhealthy Machine whose Node may be remediated', seen: {} },
    { name: 'a request that has other owners too', seen: { object: ownedBy(owner('uid-set', 'MachineSet'), owner('uid-machine')) } },
    { name: 'a Machine for which this kind of request was asked', seen: { machine: valueOf(asked('PipelineRemediation')) } },
    {
      name: 'a request with nothing recorded in its status',
      seen: { object: unseen(aRequest()) },
    },
  ];
  test.each(free)('has nothing against $name', ({ seen }) => expect(findEligibleNode(aSight(seen))).toMatchObject({ node: aNode() }));
});
