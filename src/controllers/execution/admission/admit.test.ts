import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../../base/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import { specHash, type SeenTarget } from '../../target/index.ts';
import { admit, mayRelease, type Admission } from './admit.ts';
import { ABSENT, anExecution, aRequest, aTarget, DIGEST, found, NOW, UNREADABLE, withTarget } from '../testing/builders.ts';

interface Case {
  readonly reason: string;
  readonly execution?: WorkflowExecution;
  readonly request: Read<RemediationRequest>;
  readonly want: Admission['kind'];
}

const withoutOwner: WorkflowExecution = { ...anExecution(), metadata: { ...anExecution().metadata, ownerReferences: [] } };
const ownedByAnother: WorkflowExecution = {
  ...anExecution(),
  metadata: {
    ...anExecution().metadata,
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'rr-1', uid: 'rr-uid', controller: true }],
  },
};
const managedByNobody: WorkflowExecution = {
  ...anExecution(),
  metadata: {
    ...anExecution().metadata,
    ownerReferences: (anExecution().metadata.ownerReferences ?? []).map((one) => ({ ...one, controller: false })),
  },
};

const cases: readonly Case[] = [
  { reason: 'executing, names it, agreed to the plan', request: found(aRequest()), want: 'Go' },
  { reason: 'not being able to look is no answer', request: UNREADABLE, want: 'Wait' },
  { reason: 'its status is not written yet', request: found({ ...aRequest(), status: {} }), want: 'Wait' },
  { reason: 'the request is on its way to Executing', request: found(aRequest({ overallPhase: 'Analyzing' })), want: 'Wait' },
  { reason: 'a block may be lifted', request: found(aRequest({ overallPhase: 'Blocked' })), want: 'Wait' },
  {
    reason: 'the hand-shake comes on the next pass of the orchestrator',
    request: found(aRequest({ workflowExecutionRef: { name: 'we-rr-1' } })),
    want: 'Wait',
  },
  { reason: 'the owner is gone', request: ABSENT, want: 'Refuse' },
  { reason: 'another request has the name of the owner', request: found(aRequest({}, 'another')), want: 'Refuse' },
  {
    reason: 'the request references another execution',
    request: found(aRequest({ workflowExecutionRef: { name: 'we-rr-1', uid: 'wfe-0' } })),
    want: 'Refuse',
  },
  { reason: 'another plan was agreed to', request: found(aRequest({ planDigest: `sha256:${'f'.repeat(64)}` })), want: 'Refuse' },
  {
    reason: 'no plan was agreed to',
    request: found({ ...aRequest(), status: { overallPhase: 'Executing', workflowExecutionRef: { uid: 'wfe-1' } } }),
    want: 'Refuse',
  },
  {
    reason: 'a plan without digest is no plan',
    execution: withoutDigest(),
    request: found({ ...aRequest(), status: { overallPhase: 'Executing', workflowExecutionRef: { uid: 'wfe-1' } } }),
    want: 'Refuse',
  },
  ...(
    [
      ['another workflow', { workflowRef: { ...anExecution().spec.workflowRef, executionBundle: 'evil:1' } }],
      ['another command', { workflowRef: { ...anExecution().spec.workflowRef, engineConfig: { command: ['sh', '-c', 'evil'] } } }],
      ['another account', { workflowRef: { ...anExecution().spec.workflowRef, serviceAccountName: 'cluster-admin' } }],
      ['another parameter', { parameters: { REVISION: '9' } }],
      ['another target', { targetResource: 'kube-system/Deployment/coredns' }],
      ['another object of that name', { targetUID: 'another' }],
      ['another cluster, and so another lock', { clusterID: 'elsewhere' }],
    ] as const
  ).map(([what, spec]) => ({
    reason: `under the digest of the plan stands ${what}`,
    execution: anExecution({ spec: { ...spec, planDigest: DIGEST } }),
    request: found(aRequest()),
    want: 'Refuse' as const,
  })),
  {
    reason: 'a request that is being deleted no longer wants its execution, however long the deletion takes',
    request: found({ ...aRequest(), metadata: { ...aRequest().metadata, deletionTimestamp: toTime(NOW) } }),
    want: 'Refuse',
  },
  {
    reason: 'an execution that is being deleted does not start',
    execution: { ...anExecution(), metadata: { ...anExecution().metadata, deletionTimestamp: toTime(NOW) } },
    request: found(aRequest()),
    want: 'Refuse',
  },
  { reason: 'the request has gone on without it', request: found(aRequest({ overallPhase: 'Verifying' })), want: 'Refuse' },
  ...(['Completed', 'Failed', 'TimedOut', 'Skipped', 'Cancelled'] as const).map((overallPhase) => ({
    reason: `the request has ended: ${overallPhase}`,
    request: found(aRequest({ overallPhase })),
    want: 'Refuse' as const,
  })),
  {
    reason: 'permission to create an execution is not permission to run workflows',
    execution: withoutOwner,
    request: found(aRequest()),
    want: 'Refuse',
  },
  { reason: 'an owner of another kind is none', execution: ownedByAnother, request: found(aRequest()), want: 'Refuse' },
  { reason: 'an owner that does not manage it is none', execution: managedByNobody, request: found(aRequest()), want: 'Refuse' },
];

function withoutDigest(): WorkflowExecution {
  const { planDigest: _, ...spec } = anExecution().spec;
  return { ...anExecution(), spec };
}

describe('admission', () => {
  test.each(cases)('$want: $reason', ({ execution = anExecution(), request, want }) => {
    expect(admit(execution, request).kind).toBe(want);
  });

  test.each<{ name: string; execution?: WorkflowExecution; request: Read<RemediationRequest>; says: string }>([
    { name: 'cannot be read', request: UNREADABLE, says: 'RemediationRequest rr-1 cannot be read: forbidden' },
    {
      name: 'is not that far',
      request: found(aRequest({ overallPhase: 'Analyzing' })),
      says: 'RemediationRequest rr-1 is not executing yet',
    },
    {
      name: 'has not named it',
      request: found(aRequest({ workflowExecutionRef: undefined } as never)),
      says: 'RemediationRequest rr-1 does not reference this execution yet',
    },
    { name: 'is gone', request: ABSENT, says: 'its RemediationRequest rr-1 is gone' },
    { name: 'never was', execution: withoutOwner, request: ABSENT, says: 'no RemediationRequest owns it' },
    {
      name: 'is on its way out',
      request: found({ ...aRequest(), metadata: { ...aRequest().metadata, deletionTimestamp: toTime(NOW) } }),
      says: 'its RemediationRequest rr-1 is being deleted',
    },
    {
      name: 'has ended',
      request: found(aRequest({ overallPhase: 'Cancelled' })),
      says: 'its RemediationRequest rr-1 has ended: Cancelled',
    },
    {
      name: 'has gone on',
      request: found(aRequest({ overallPhase: 'Verifying' })),
      says: 'its RemediationRequest rr-1 has moved on to Verifying',
    },
    {
      name: 'names another',
      request: found(aRequest({ workflowExecutionRef: { name: 'we-rr-1', uid: 'wfe-0' } })),
      says: 'its RemediationRequest rr-1 references another execution',
    },
    {
      name: 'decided on another plan',
      request: found(aRequest({ planDigest: 'sha256:0' })),
      says: 'it is not the plan that RemediationRequest rr-1 decided on',
    },
    {
      name: 'has an execution that is on its way out',
      execution: anExecution({ metadata: { deletionTimestamp: toTime(NOW) } }),
      request: found(aRequest()),
      says: 'it is being deleted',
    },
  ])('tells people of a request that $name', ({ execution = anExecution(), request, says }) => {
    const admission = admit(execution, request);
    expect('reason' in admission ? admission.reason : 'message' in admission && admission.message).toContain(says);
  });

  test('the digest that the execution states must be the one that was agreed to, too', () =>
    expect(admit(anExecution({ spec: { planDigest: 'sha256:0' } }), found(aRequest())).kind).toBe('Refuse'));

  test('an execution waits for a request that has no status yet', () => {
    const { status: _, ...unseen } = aRequest();
    expect(admit(anExecution(), found(unseen as RemediationRequest)).kind).toBe('Wait');
  });
});

describe('before a run is released', () => {
  const target = (read: ReturnType<typeof aTarget>): Read<SeenTarget> =>
    found({ uid: read.metadata.uid, specHash: specHash(read) } as never);

  test.each<{ name: string; request: Read<RemediationRequest>; target: Read<SeenTarget>; want: Admission['kind'] }>([
    { name: 'a plan for no target in particular needs none', request: found(aRequest()), target: UNREADABLE, want: 'Go' },
    { name: 'a target that cannot be read is waited for', request: found(withTarget()), target: UNREADABLE, want: 'Wait' },
    { name: 'a target that is gone is left alone', request: found(withTarget()), target: ABSENT, want: 'Refuse' },
    {
      name: 'a request that has ended is not asked about its target',
      request: found({ ...withTarget(), status: { ...withTarget().status, overallPhase: 'Cancelled' } } as RemediationRequest),
      target: UNREADABLE,
      want: 'Refuse',
    },
  ])('$name', ({ request, target: seen, want }) => expect(mayRelease(anExecution(), request, seen).kind).toBe(want));

  test('who was asked last has the last word', () => {
    expect(mayRelease(anExecution(), UNREADABLE, target(aTarget())).kind).toBe('Wait');
    const { status: _, ...unseen } = aRequest();
    expect(mayRelease(anExecution(), found(unseen as RemediationRequest), UNREADABLE).kind).toBe('Wait');
  });
});
