import { describe, expect, test } from 'vitest';
import { isTerminal, mayMove } from '../../../api/phases.ts';
import { pipelineRemediationPhases } from '../../../api/pipeline-remediation/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { MACHINE_FAULT, MACHINE_FAULT_LASTED } from '../../../api/remediation-request/signal-source.ts';
import { FIRST, requestName } from '../../../api/remediation-request/request-name.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from './decide.ts';
import { fingerprintOfNode, isOurs } from './draft-request.ts';
import type { PipelineSeen } from './observe.ts';
import type { PipelineStatus } from './status.ts';
import {
  ABSENT,
  aMachine,
  aNode,
  aRequest,
  aSight,
  at,
  byAlert,
  closedBy,
  inWords,
  NOW,
  opened,
  READY,
  refTo,
  UNREADABLE,
  unseen,
  valueOf,
} from './testing/builders.ts';

const PRINT = fingerprintOfNode('node-1', DEFAULT_SETTINGS);
const FIRST_NAME = requestName(PRINT, FIRST);
/** Without a UID where that is empty. */
const requested = (name = 'rr-1', uid = `uid-${name}`, more: PipelineStatus = {}) =>
  aRequest({ phase: 'Requested', nodeName: 'node-1', retryCount: 0, remediationRequestRef: refTo(name, uid || undefined), ...more });
const failed = (more: PipelineStatus = {}) =>
  aRequest({ phase: 'Failed', nodeName: 'node-1', retryCount: 0, remediationRequestRef: refTo('rr-1', 'uid-rr-1'), ...more });

const said = (reason: string) => ({ type: 'Ready', status: 'False', reason, message: '', lastTransitionTime: at(-MINUTE) }) as const;

const aWorkflow = (workflowId: string) => ({ workflowId, version: '1', executionBundle: 'x' });
/** rr-1 closed the Node and failed; then rr-2 came to its end. */
const drainedAgain = (second: NonNullable<RemediationRequest['status']>, creationTimestamp = at(0)): Partial<PipelineSeen> => ({
  object: failed({ nextAttemptTime: at(0) }),
  node: valueOf(closedBy('rr-1')),
  requests: valueOf([
    opened('rr-1', { overallPhase: 'Failed', selectedWorkflowRef: aWorkflow('drain') }),
    opened('rr-2', { overallPhase: 'Completed', selectedWorkflowRef: aWorkflow('drain'), ...second }, { metadata: { creationTimestamp } }),
  ]),
});

interface Case {
  readonly name: string;
  readonly reason?: string;
  readonly seen: Partial<PipelineSeen>;
  readonly want: string;
}

const beginnings: readonly Case[] = [
  {
    name: 'a new request',
    reason: 'its life begins as its table says',
    seen: { object: { ...aRequest(), status: {} } },
    want: 'Pending Accepted',
  },
  { name: 'one that has no status at all', seen: { object: unseen(aRequest()) }, want: 'Pending Accepted' },
  {
    name: 'one without the finalizer',
    reason: 'nothing is started that a deletion could orphan',
    seen: { object: aRequest({ phase: 'Pending' }, { metadata: { finalizers: ['other'] } }) },
    want: 'Pending, keeps it',
  },
  { name: '[MH-110] one that may begin', seen: {}, want: 'Requested Requested, opens MachineUnhealthy' },
  {
    name: 'an alert was faster',
    reason: 'never two remediations for one Node',
    seen: { requests: valueOf([byAlert('rr-a', { overallPhase: 'Analyzing' })]) },
    want: 'Requested Joined',
  },
  {
    name: 'an alert was there, and ended',
    seen: { requests: valueOf([byAlert('rr-a', { overallPhase: 'Completed', outcome: 'Remediated' })]) },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'the Node is to be left alone for a while',
    seen: { requests: valueOf([byAlert('rr-a', { overallPhase: 'Failed', nextAllowedExecution: at(SECOND) })]) },
    want: 'Pending HeldBack',
  },
  {
    name: 'the Node was to be left alone until now',
    seen: { requests: valueOf([byAlert('rr-a', { overallPhase: 'Failed', nextAllowedExecution: at(0) })]) },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'requests cannot be read',
    reason: 'unreadable is never absent',
    seen: { requests: UNREADABLE },
    want: 'Pending RequestsUnreadable, warns of RequestsUnreadable',
  },
  {
    name: 'the next is not due',
    seen: { object: failed({ nextAttemptTime: at(SECOND), conditions: [said('DidNotHelp')] }) },
    want: 'Failed DidNotHelp',
  },
  {
    name: 'the next is not due, and what spoke against it does no more',
    seen: { object: failed({ nextAttemptTime: at(SECOND), conditions: [said('Paused')] }) },
    want: 'Failed WaitingForNextAttempt',
  },
  {
    name: '[MH-111] the next is due: it goes on for as long as the request exists',
    seen: { object: failed({ nextAttemptTime: at(0) }), requests: valueOf([opened('rr-1', { overallPhase: 'Failed' })]) },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'it seemed to have helped, and the Machine still fails',
    seen: {
      object: aRequest({ phase: 'Succeeded', nextAttemptTime: at(0) }),
      requests: valueOf([opened('rr-1', { overallPhase: 'Completed', outcome: 'Remediated' })]),
    },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'the Node was drained for it already',
    reason: 'a drain more would not help, and the next request would only hold the signal back',
    seen: {
      object: failed({ nextAttemptTime: at(0) }),
      node: valueOf(closedBy('rr-1')),
      requests: valueOf([opened('rr-1', { overallPhase: 'Completed', outcome: 'Inconclusive' })]),
    },
    want: 'Failed Drained, warns of Drained',
  },
  {
    name: 'the Node was closed by one that failed, and drained by the next',
    reason: 'who finds it closed leaves no record of its own',
    seen: drainedAgain({ verifyingStartTime: at(0), outcome: 'Inconclusive' }),
    want: 'Failed Drained, warns of Drained',
  },
  {
    name: 'the Node was closed by one that failed, and the next ran nothing',
    seen: drainedAgain({ outcome: 'DryRun' }),
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'the Node was closed by one that failed, and another workflow ran next',
    seen: drainedAgain({ verifyingStartTime: at(0), selectedWorkflowRef: aWorkflow('another') }),
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'the Node was closed by one that failed, and drained and opened again before that',
    seen: drainedAgain({ verifyingStartTime: at(0), outcome: 'Remediated' }, at(-2 * HOUR)),
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'the Node was drained for an alert',
    reason: 'a drain more would not help here either',
    seen: {
      object: failed({ nextAttemptTime: at(0), remediationRequestRef: refTo('rr-a', 'uid-rr-a') }),
      node: valueOf(closedBy('rr-a')),
      requests: valueOf([byAlert('rr-a', { overallPhase: 'Completed', outcome: 'Inconclusive' })]),
    },
    want: 'Failed Drained, warns of Drained',
  },
  {
    name: 'the run that was to drain it failed',
    reason: 'it did not come to its end',
    seen: {
      object: failed({ nextAttemptTime: at(0) }),
      node: valueOf(closedBy('rr-1')),
      requests: valueOf([opened('rr-1', { overallPhase: 'Failed' })]),
    },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
];

const objections: readonly Case[] = [
  { name: 'no Machine', seen: { machine: ABSENT }, want: 'NoMachine' },
  { name: 'another Machine of the same name', seen: { machine: valueOf(aMachine('False', { uid: 'other' })) }, want: 'NoMachine' },
  { name: 'a Machine that cannot be read', seen: { machine: UNREADABLE }, want: 'MachineUnreadable' },
  {
    name: 'a Machine that is being deleted',
    seen: { machine: valueOf(aMachine('False', { deletionTimestamp: at(0) })) },
    want: 'MachineDeleting',
  },
  {
    name: 'a Machine that is paused',
    seen: { machine: valueOf(aMachine('False', { annotations: { 'cluster.x-k8s.io/paused': '' } })) },
    want: 'Paused',
  },
  {
    name: 'a Machine that is to be left alone',
    seen: { machine: valueOf(aMachine('False', { annotations: { 'cluster.x-k8s.io/skip-remediation': '' } })) },
    want: 'Paused',
  },
  { name: 'a Machine that is well', seen: { machine: valueOf(aMachine('True')) }, want: 'NotUnhealthy' },
  { name: 'a Machine whose health is unknown', seen: { machine: valueOf(aMachine('Unknown')) }, want: 'NotUnhealthy' },
  {
    name: 'a Machine that says nothing',
    seen: { machine: valueOf({ ...aMachine('False'), status: { nodeRef: { name: 'node-1' } } }) },
    want: 'NotUnhealthy',
  },
  {
    name: 'a Machine of the control plane',
    seen: { machine: valueOf(aMachine('False', { labels: { 'cluster.x-k8s.io/control-plane': '' } })) },
    want: 'ControlPlane',
  },
  { name: 'a Machine of another cluster', seen: { elsewhere: 'its Node is in cluster eu-2' }, want: 'AnotherCluster' },
  { name: 'a Machine without a Node', seen: { machine: valueOf(aMachine('False', {}, { nodeRef: {} })), node: ABSENT }, want: 'NoNode' },
  { name: 'a Node that is gone', seen: { node: ABSENT }, want: 'NoNode' },
  { name: 'a Node that cannot be read', seen: { node: UNREADABLE }, want: 'NodeUnreadable' },
  {
    name: 'a Node of the control plane, by its taint',
    seen: {
      node: valueOf(aNode(undefined, { spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] } })),
    },
    want: 'ControlPlane',
  },
  {
    name: 'a Node without the label that lets Sickbay manage it',
    seen: { node: valueOf(aNode(undefined, { metadata: { labels: {} } })) },
    want: 'Unmanaged',
  },
  {
    name: 'a Node that is labelled as not managed by Sickbay',
    seen: { node: valueOf(aNode(undefined, { metadata: { labels: { 'kubernaut.ai/managed': 'false' } } })) },
    want: 'Unmanaged',
  },
];

const requestedOnes: readonly Case[] = [
  {
    name: 'it is at work',
    seen: { object: requested(), requests: valueOf([opened('rr-1', { overallPhase: 'Executing' })]) },
    want: 'Requested Requested',
  },
  {
    name: 'it is blocked',
    seen: { object: requested(), requests: valueOf([opened('rr-1', { overallPhase: 'Blocked', blockReason: 'ResourceBusy' })]) },
    want: 'Requested Requested',
  },
  {
    name: 'it is at work, and the Machine is well',
    reason: 'the health check that made the request withdraws it',
    seen: { object: requested(), machine: valueOf(aMachine('True')), requests: valueOf([opened('rr-1', { overallPhase: 'Executing' })]) },
    want: 'Requested Requested',
  },
  {
    name: 'it is recorded, and does not exist yet',
    seen: { object: requested(FIRST_NAME, '') },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'it is recorded, does not exist yet, and the Node was to be left alone in the meantime',
    reason: 'it is not put off any longer than that',
    seen: { object: requested(FIRST_NAME, '', { nextAttemptTime: at(HOUR) }) },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'none is recorded',
    seen: { object: aRequest({ phase: 'Requested' }) },
    want: 'Requested Requested, opens MachineUnhealthy',
  },
  {
    name: 'it is recorded, does not exist yet, and the Machine is healthy',
    seen: { object: requested(FIRST_NAME, ''), machine: valueOf(aMachine('True')) },
    want: 'Requested NotUnhealthy, warns of NotUnhealthy',
  },
  {
    name: 'it is recorded, does not exist yet, and an alert was faster',
    seen: { object: requested('rr-other', ''), requests: valueOf([byAlert('rr-a', { overallPhase: 'Pending' })]) },
    want: 'Requested Joined',
  },
  {
    name: 'it existed, and was deleted',
    seen: { object: requested(), requests: valueOf([]) },
    want: 'Failed DidNotHelp, warns of DidNotHelp',
  },
  {
    name: 'another has its name',
    seen: { object: requested('rr-1', 'uid-old'), requests: valueOf([opened('rr-1', { overallPhase: 'Executing' })]) },
    want: 'Failed DidNotHelp, warns of DidNotHelp',
  },
  {
    name: 'requests cannot be read',
    seen: { object: requested(), requests: UNREADABLE },
    want: 'Requested RequestsUnreadable, warns of RequestsUnreadable',
  },
  {
    name: 'it helped',
    seen: { object: requested(), requests: valueOf([opened('rr-1', { overallPhase: 'Completed', outcome: 'Remediated' })]) },
    want: 'Succeeded Succeeded',
  },
  ...(['Failed', 'TimedOut', 'Skipped', 'Cancelled'] as const).map((overallPhase) => ({
    name: `it ended ${overallPhase}`,
    seen: { object: requested(), requests: valueOf([opened('rr-1', { overallPhase })]) },
    want: 'Failed DidNotHelp, warns of DidNotHelp',
  })),
  ...(['Inconclusive', 'NoActionRequired', 'ManualReviewRequired', 'DryRun'] as const).map((outcome) => ({
    name: `it ended ${outcome}`,
    seen: { object: requested(), requests: valueOf([opened('rr-1', { overallPhase: 'Completed', outcome })]) },
    want: 'Failed DidNotHelp, warns of DidNotHelp',
  })),
];

const titled = (cases: readonly Case[]) => cases.map((one) => ({ ...one, title: [one.name, one.reason].filter(Boolean).join(': ') }));
const wordsOf = (seen: Partial<PipelineSeen>) => inWords(decide(aSight(seen), NOW));
const statusOf = (seen: Partial<PipelineSeen>) => decide(aSight(seen), NOW).status as PipelineStatus;

describe('a PipelineRemediation', () => {
  test.each(titled([...beginnings, ...requestedOnes]))('$title', ({ seen, want }) => expect(wordsOf(seen)).toBe(want));

  test.each(objections)('is not acted upon, and says why: $name', ({ seen, want }) => {
    for (const phase of ['Pending', 'Failed', 'Succeeded'] as const)
      expect(wordsOf({ object: aRequest({ phase }), ...seen })).toBe(`${phase} ${want}, warns of ${want}`);
    expect(statusOf(seen).message).not.toBe('');
  });

  test('reports the same thing once', () => {
    const first = decide(aSight({ node: ABSENT }), NOW);
    const again = decide(aSight({ object: aRequest(first.status as PipelineStatus), node: ABSENT }), NOW);
    expect(again.effects).toEqual([]);
    expect(again.status).toEqual(first.status);
  });

  test('follows its phase table, and always checks again', () => {
    for (const { name, seen } of [...beginnings, ...requestedOnes, ...objections]) {
      const { object } = aSight(seen);
      const { status, wakeAt } = decide(aSight(seen), NOW);
      const [from, to] = [object.status?.phase, (status as PipelineStatus).phase];
      const isLegal =
        from === to || to === undefined || (from === undefined ? to === 'Pending' : mayMove(pipelineRemediationPhases, from, to));
      expect([name, isLegal, isTerminal(pipelineRemediationPhases, to)]).toEqual([name, true, false]);
      expect([name, (wakeAt ?? 0) > NOW]).toEqual([name, true]);
    }
  });
});

describe('what is recorded in status', () => {
  test('first the name, with the Node; then the UID', () => {
    const first = statusOf({});
    expect(first).toMatchObject({ nodeName: 'node-1', retryCount: 0, remediationRequestRef: refTo(FIRST_NAME) });
    const there = opened(FIRST_NAME, { overallPhase: 'Processing', message: 'finding out' });
    const next = statusOf({ object: aRequest(first), requests: valueOf([there]) });
    expect(next.remediationRequestRef).toEqual(refTo(FIRST_NAME, `uid-${FIRST_NAME}`));
    expect(next.message).toBe(`${FIRST_NAME} is Processing: finding out`);
  });

  test('a request that was lost on its way is created under the same name, and counts once', () => {
    const before = statusOf({ object: failed({ nextAttemptTime: at(0), retryCount: 3 }) });
    expect(before.retryCount).toBe(4);
    const again = decide(aSight({ object: aRequest(before) }), NOW);
    expect((again.status as PipelineStatus).retryCount).toBe(4);
    expect(again.effects).toMatchObject([{ kind: 'Create', object: { metadata: { name: FIRST_NAME } } }]);
  });

  test.each([
    { retryCount: 0, waits: MINUTE },
    { retryCount: 1, waits: 2 * MINUTE },
    { retryCount: 5, waits: 32 * MINUTE },
    { retryCount: 6, waits: HOUR },
    { retryCount: 40, waits: HOUR },
  ])('after $retryCount retries the next is $waits ms after the end', ({ retryCount, waits }) => {
    const requests = valueOf([opened('rr-1', { overallPhase: 'Failed', completedAt: at(-30 * SECOND) })]);
    const status = statusOf({ object: requested('rr-1', 'uid-rr-1', { retryCount }), requests });
    expect(status.nextAttemptTime).toBe(at(waits - 30 * SECOND));
  });

  test.each([
    { retryCount: undefined, phase: 'Pending', want: 0 },
    { retryCount: 3, phase: 'Failed', want: 4 },
    { retryCount: 3, phase: 'Succeeded', want: 4 },
  ] as const)('one that is opened when it was $phase after $retryCount retries counts as retry $want', ({ retryCount, phase, want }) =>
    expect(statusOf({ object: aRequest({ phase, ...(retryCount !== undefined && { retryCount }) }) }).retryCount).toBe(want),
  );

  test.each([
    { name: 'when the next is due', ended: 0, wakes: MINUTE },
    { name: 'in a minute where the next is due just now', ended: -MINUTE, wakes: MINUTE },
    { name: 'in a minute where the next is overdue', ended: -HOUR, wakes: MINUTE },
    { name: 'as early as the next is due', ended: -SECOND, wakes: MINUTE - SECOND },
  ])('after it finished it checks again $name', ({ ended, wakes }) => {
    const requests = valueOf([opened('rr-1', { overallPhase: 'Failed', completedAt: at(ended) })]);
    expect(decide(aSight({ object: requested(), requests }), NOW).wakeAt).toBe(NOW + wakes);
  });

  test('a finished request keeps in its status what it was about', () =>
    expect(statusOf({ object: requested(), requests: valueOf([opened('rr-1', { overallPhase: 'Failed' })]) })).toMatchObject({
      nodeName: 'node-1',
      retryCount: 0,
      remediationRequestRef: refTo('rr-1', 'uid-rr-1'),
    }));

  test('one that is joined, with its UID', () => {
    const requests = valueOf([byAlert('rr-a', { overallPhase: 'Analyzing' })]);
    expect(statusOf({ requests }).remediationRequestRef).toEqual(refTo('rr-a', 'uid-rr-a'));
  });

  test('until when the Node must not be remediated, and it is checked then', () => {
    const requests = valueOf([byAlert('rr-a', { overallPhase: 'Failed', nextAllowedExecution: at(2 * HOUR) })]);
    const { status, wakeAt } = decide(aSight({ requests }), NOW);
    expect([(status as PipelineStatus).nextAttemptTime, wakeAt]).toEqual([at(2 * HOUR), NOW + 2 * HOUR]);
  });

  test('where the pipeline asks for more time, it has it', () => {
    const requests = valueOf([
      opened('rr-1', {
        overallPhase: 'Completed',
        outcome: 'ManualReviewRequired',
        completedAt: at(0),
        nextAllowedExecution: at(24 * HOUR),
      }),
    ]);
    expect(statusOf({ object: requested(), requests })).toMatchObject({ nextAttemptTime: at(24 * HOUR), outcome: 'ManualReviewRequired' });
  });

  test('a Node that was drained: which request uncordons it when it is healthy', () => {
    const requests = (by: typeof opened | typeof byAlert) => valueOf([by('rr-1', { overallPhase: 'Completed' })]);
    const said = (by: typeof opened | typeof byAlert) =>
      statusOf({ object: failed({ nextAttemptTime: at(0) }), node: valueOf(closedBy('rr-1')), requests: requests(by) }).message;
    expect(said(opened)).toContain('When it is healthy, the Node is uncordoned again');
    expect(said(byAlert)).toContain('When it is healthy, uncordon the Node: kubectl uncordon node-1');
  });

  test('an outcome is that of the last one', () => {
    const object = requested('rr-1', 'uid-rr-1', { outcome: 'Inconclusive' });
    expect(statusOf({ object, requests: valueOf([opened('rr-1', { overallPhase: 'TimedOut' })]) }).outcome).toBeUndefined();
  });

  test('which request cordoned the Node, for as long as it is cordoned', () => {
    const requests = valueOf([opened('rr-1', { overallPhase: 'Verifying' })]);
    expect(statusOf({ object: requested(), requests, node: valueOf(closedBy('rr-1')) }).cordonedBy).toBe('rr-1');
    const object = requested('rr-1', 'uid-rr-1', { cordonedBy: 'rr-0' });
    expect(statusOf({ object, requests, node: valueOf(closedBy('rr-0')) }).cordonedBy, 'kept when the request is gone').toBe('rr-0');
    expect(statusOf({ object, requests, node: UNREADABLE }).cordonedBy, 'not known is not open').toBe('rr-0');
    expect(statusOf({ object, requests, node: valueOf(aNode()) }).cordonedBy).toBeUndefined();
    expect(statusOf({ object, requests, node: ABSENT }).cordonedBy).toBeUndefined();
  });

  test.each([
    ['an operator', aNode(undefined, { spec: { unschedulable: true } })],
    ['another workflow', closedBy('rr-1', undefined, 'uncordon-node')],
    ['a request from another source', closedBy('rr-a')],
  ])('a Node that %s closed is not ours to open', (_, node) => {
    const requests = valueOf([opened('rr-1', { overallPhase: 'Verifying' }), byAlert('rr-a', { overallPhase: 'Completed' })]);
    expect(statusOf({ object: requested(), requests, node: valueOf(node) }).cordonedBy).toBeUndefined();
  });
});

describe('the RemediationRequest', () => {
  const draftOf = (seen: Partial<PipelineSeen>) => {
    const [effect] = decide(aSight(seen), NOW).effects.filter(({ kind }) => kind === 'Create');
    return effect?.kind === 'Create' ? (effect.object as RemediationRequest) : undefined;
  };

  test('is about the Node, under the name and the fingerprint that an alert would lead to', () => {
    expect(draftOf({})).toMatchObject({
      metadata: { namespace: 'sickbay-system', name: FIRST_NAME },
      spec: {
        signalFingerprint: PRINT,
        signalName: 'MachineUnhealthy',
        severity: 'high',
        signalSource: 'machine-health',
        targetResource: { kind: 'Node', name: 'node-1', apiVersion: 'v1' },
        firingTime: at(-MINUTE),
        receivedTime: at(0),
        signalLabels: { node: 'node-1', machine: 'machines/worker-1' },
      },
    });
    expect(draftOf({})?.spec).not.toHaveProperty('dryRun');
  });

  test('has the fields of the template', () => {
    const spec = {
      signalName: 'RackDown',
      severity: 'critical',
      signalLabels: { rack: '4' },
      signalAnnotations: { owner: 'hardware' },
      dryRun: true,
    } as const;
    expect(draftOf({ object: aRequest(undefined, { spec }) })?.spec).toMatchObject(spec);
  });

  test('names the cluster where it has a name', () => {
    const settings = { ...DEFAULT_SETTINGS, clusterID: 'eu-1' };
    expect(draftOf({ settings })?.spec).toMatchObject({ clusterID: 'eu-1', signalFingerprint: fingerprintOfNode('node-1', settings) });
  });

  test('reports what the check observes when the Node shows nothing of it, and otherwise that the fault is not new', () => {
    expect(draftOf({ node: valueOf(aNode(READY)) })?.spec.signalAnnotations).toEqual({ [MACHINE_FAULT]: 'it is unhealthy' });
    expect(draftOf({})?.spec.signalAnnotations).toEqual({ [MACHINE_FAULT_LASTED]: 'true' });
  });

  test('is distinguished from those of other sources', () => {
    const draft = draftOf({});
    if (!draft) throw new Error('nothing was opened');
    expect(isOurs(draft, aRequest())).toBe(true);
    expect(isOurs(draft, aRequest(undefined, { metadata: { uid: 'another' } }))).toBe(false);
    expect(isOurs(byAlert('rr-a'), aRequest())).toBe(false);
    for (const providerData of ['', '[]', '{', '{"pipelineRemediation":"uid-worker-1"}'])
      expect(isOurs(opened('rr-1', {}, { spec: { providerData } }), aRequest())).toBe(false);
  });
});
