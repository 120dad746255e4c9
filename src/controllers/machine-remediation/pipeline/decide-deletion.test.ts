import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { instanceOfLabels } from '../../../api/remediation-request/signal-instance.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { decide } from './decide.ts';
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
  fresh,
  inWords,
  NOW,
  opened,
  READY,
  refTo,
  UNREADABLE,
  unseen,
  valueOf,
} from './testing/builders.ts';

/** Deleted after rr-1 was opened for it. */
const going = (more: PipelineStatus = {}, finalizers?: readonly string[]) =>
  aRequest(
    { phase: 'Ending', nodeName: 'node-1', remediationRequestRef: refTo('rr-1', 'uid-rr-1'), ...more },
    { metadata: { deletionTimestamp: at(0), ...(finalizers && { finalizers }) } },
  );

const recovered = (change: Partial<PipelineSeen> = {}): PipelineSeen =>
  aSight({ object: going(), machine: valueOf(aMachine('True')), node: valueOf(aNode(READY)), ...change });

/** The final decision: the conditions and Events are recorded before the finalizer is removed. */
function ending(change: Partial<PipelineSeen>): string {
  const seen = recovered(change);
  const first = decide(seen, NOW);
  const isSaid = JSON.stringify((first.status as PipelineStatus).message) === JSON.stringify(seen.object.status?.message);
  return inWords(isSaid ? first : decide({ ...seen, object: { ...seen.object, status: first.status as PipelineStatus } }, NOW));
}

/** How the gateway distinguishes our own signal from alerts. */
const OURS = instanceOfLabels(opened('rr-1').spec.signalLabels ?? {});

/** Of an alert about the Node that joined a request. */
const FIRING = [{ name: 'NodeDown', instance: 'i', lastSeenAt: at(0) }];

const closed = valueOf(closedBy('rr-1', READY));
const done = opened('rr-1', { overallPhase: 'Completed', outcome: 'Remediated' });
const followUncordonRequest = { ...going(), status: { ...going().status, reopeningRef: refTo('rr-2', 'uid-rr-2') } };

type RequestPhase = NonNullable<NonNullable<RemediationRequest['status']>['overallPhase']>;

interface Case {
  readonly name: string;
  readonly reason?: string;
  readonly seen: Partial<PipelineSeen>;
  readonly want: string;
}

const cases: readonly Case[] = [
  { name: 'nothing was opened', seen: { object: going({}) }, want: 'Ending Ending, lets it go' },
  { name: 'it has no status yet', seen: { object: unseen(going()) }, want: 'Ending Ending, lets it go' },
  ...(['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Blocked'] as const).map((overallPhase) => ({
    name: `what was opened is ${overallPhase}`,
    reason: 'it is cancelled the way people cancel, and waited for',
    seen: { requests: valueOf([opened('rr-1', { overallPhase })]) },
    want: 'Ending Cancelling, cancels',
  })),
  {
    name: 'it was asked to end already',
    seen: {
      requests: valueOf([
        opened('rr-1', { overallPhase: 'AwaitingApproval' }, { metadata: { annotations: { [ANNOTATIONS.cancel]: 'x' } } }),
      ]),
    },
    want: 'Ending Cancelling',
  },
  {
    name: 'what was opened is Executing',
    reason: 'a run that is stopped blocks the Node, so that nothing could open it again',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Executing' })]) },
    want: 'Ending Ending',
  },
  {
    name: 'what was opened is Executing, and has closed the Node',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Executing' })]), node: closed },
    want: 'Ending Ending',
  },
  ...(['Completed', 'Failed', 'TimedOut', 'Skipped', 'Cancelled'] as const).map((overallPhase) => ({
    name: `what was opened is ${overallPhase}`,
    seen: { requests: valueOf([opened('rr-1', { overallPhase })]) },
    want: 'Ending Ending, lets it go',
  })),
  {
    name: 'what was opened is there, and its UID not recorded yet',
    reason: 'it was created just before',
    seen: { object: going({ remediationRequestRef: refTo('rr-1') }), requests: valueOf([opened('rr-1', { overallPhase: 'Pending' })]) },
    want: 'Ending Cancelling, cancels',
  },
  {
    name: 'what was opened is there, and has no status yet',
    seen: { requests: valueOf([fresh('rr-1')]) },
    want: 'Ending Cancelling, cancels',
  },
  {
    name: 'another has the name of what was opened',
    reason: 'it is not the one',
    seen: {
      object: going({ remediationRequestRef: refTo('rr-1', 'uid-old') }),
      requests: valueOf([opened('rr-1', { overallPhase: 'Pending' })]),
    },
    want: 'Ending Ending, lets it go',
  },
  { name: 'what was opened was deleted', seen: { requests: valueOf([]) }, want: 'Ending Ending, lets it go' },
  {
    name: 'it is being verified',
    reason: 'nothing runs any more, and the verdict is worth having',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Verifying' })]) },
    want: 'Ending Ending, lets it go',
  },
  {
    name: 'it is being verified, and closed the Node',
    reason: 'the Node is opened when that is over',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Verifying' })]), node: closed },
    want: 'Ending Ending',
  },
  {
    name: 'what was waited for belongs to another source',
    reason: 'it is not ours to cancel',
    seen: { requests: valueOf([byAlert('rr-1', { overallPhase: 'Executing' })]) },
    want: 'Ending Ending, lets it go',
  },
  ...(['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Blocked', 'Verifying'] as const).map((overallPhase) => ({
    name: `an alert joined it, and fires, and it is ${overallPhase}`,
    reason: 'it is theirs too',
    seen: { requests: valueOf([opened('rr-1', { overallPhase, deduplication: { alerts: FIRING } })]) },
    want: 'Ending Ending, lets it go',
  })),
  {
    name: 'an alert joined it, and fires, and it is Executing',
    reason: 'its run may close the Node at any moment, and no other controller would report it',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Executing', deduplication: { alerts: FIRING } })]) },
    want: 'Ending Ending',
  },
  {
    name: 'an alert joined it, and fires, and its run has closed the Node',
    reason: 'it is at work for them, and they may not open the Node',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Verifying', deduplication: { alerts: FIRING } })]), node: closed },
    want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
  },
  {
    name: 'an alert joined it that has the name of our signal, and fires',
    reason: 'templates may name the signal as an alert is named',
    seen: {
      requests: valueOf([
        opened('rr-1', {
          overallPhase: 'Analyzing',
          deduplication: {
            alerts: [
              { name: 'MachineUnhealthy', instance: OURS, lastSeenAt: at(0) },
              { name: 'MachineUnhealthy', instance: '0a1b', lastSeenAt: at(0) },
            ],
          },
        }),
      ]),
    },
    want: 'Ending Ending, lets it go',
  },
  {
    name: 'an alert joined it, and is resolved',
    seen: {
      requests: valueOf([
        opened('rr-1', {
          overallPhase: 'Analyzing',
          deduplication: {
            alerts: [
              { name: 'NodeDown', instance: 'i', lastSeenAt: at(0), resolvedAt: at(0) },
              { name: 'MachineUnhealthy', instance: OURS, lastSeenAt: at(0) },
            ],
          },
        }),
      ]),
    },
    want: 'Ending Cancelling, cancels',
  },
  { name: 'requests cannot be read', seen: { requests: UNREADABLE }, want: 'Ending Ending' },
  { name: 'the Node cannot be read', reason: 'it may be closed', seen: { node: UNREADABLE }, want: 'Ending Ending' },
  {
    name: 'the Node is closed, and well',
    seen: { requests: valueOf([done]), node: closed },
    want: 'Ending Reopening, opens MachineRecovered',
  },
  {
    name: 'the Node is gone',
    seen: { object: going({ cordonedBy: 'rr-1' }), requests: valueOf([done]), node: ABSENT },
    want: 'Ending Ending, lets it go',
  },
  {
    name: 'an operator closed the Node',
    seen: { requests: valueOf([done]), node: valueOf(aNode(READY, { spec: { unschedulable: true } })) },
    want: 'Ending Ending, lets it go',
  },
  {
    name: 'the Node was closed for an alert',
    reason: 'the owner of the alert opens it, and must learn that it is closed',
    seen: {
      object: going({ remediationRequestRef: refTo('rr-a', 'uid-rr-a') }),
      requests: valueOf([byAlert('rr-a', { overallPhase: 'Completed', outcome: 'Inconclusive' })]),
      node: valueOf(closedBy('rr-a', READY)),
    },
    want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
  },
  ...[
    { name: 'not well', change: { node: valueOf(closedBy('rr-1')) } },
    { name: 'of a Machine that fails again', change: { node: closed, machine: valueOf(aMachine('False')) } },
    { name: 'of a Machine that is gone', change: { node: closed, machine: ABSENT } },
    {
      name: 'of a Machine that is being deleted',
      change: { node: closed, machine: valueOf(aMachine('True', { deletionTimestamp: at(0) })) },
    },
  ].map(({ name, change }) => ({
    name: `the Node is closed, but ${name}`,
    reason: 'it stays so, and not silently',
    seen: { requests: valueOf([done]), ...change },
    want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
  })),
  {
    name: 'the Node is closed, but of a Machine that cannot be read',
    reason: 'unreadable is never absent: it may be healthy, and no other controller would open the Node',
    seen: { requests: valueOf([done]), node: closed, machine: UNREADABLE },
    want: 'Ending Ending',
  },
  {
    name: 'the Node is closed, but to be left alone for a while',
    reason: 'so every remediation ends that was verified too early',
    seen: {
      requests: valueOf([opened('rr-1', { overallPhase: 'Completed', outcome: 'Inconclusive', nextAllowedExecution: at(HOUR) })]),
      node: closed,
    },
    want: 'Ending Ending',
  },
  {
    name: 'the Node is closed, and was to be left alone until now',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Failed', nextAllowedExecution: at(0) })]), node: closed },
    want: 'Ending Reopening, opens MachineRecovered',
  },
  {
    name: 'the Node is closed, but to be left alone until an operator checks it',
    seen: { requests: valueOf([opened('rr-1', { overallPhase: 'Failed', nextAllowedExecution: at(HOUR + SECOND) })]), node: closed },
    want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
  },
  {
    name: 'the Node is closed, and an alert is active on it',
    seen: { requests: valueOf([done, byAlert('rr-a', { overallPhase: 'Analyzing' })]), node: closed },
    want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
  },
  {
    name: 'the Node is being opened',
    seen: { object: followUncordonRequest, requests: valueOf([done, opened('rr-2', { overallPhase: 'AwaitingApproval' })]), node: closed },
    want: 'Ending Reopening',
  },
  ...[
    { name: 'fails again', machine: valueOf(aMachine('False')) },
    { name: 'is being deleted', machine: valueOf(aMachine('True', { deletionTimestamp: at(0) })) },
    { name: 'is gone', machine: ABSENT },
  ].flatMap(({ name, machine }): readonly Case[] => {
    const during = (overallPhase: RequestPhase, more: object = {}) => ({
      object: followUncordonRequest,
      requests: valueOf([done, opened('rr-2', { overallPhase, ...more })]),
      node: closed,
      machine,
    });
    return [
      {
        name: `the Node is being opened, and its Machine ${name}`,
        reason: 'it stays closed',
        seen: during('AwaitingApproval'),
        want: 'Ending Cancelling, cancels',
      },
      {
        name: `the Node is just opened, and its Machine ${name}`,
        reason: 'that is not stopped half-way',
        seen: during('Executing'),
        want: 'Ending Ending',
      },
      {
        name: `the Node is being opened for an alert too, and its Machine ${name}`,
        seen: during('Analyzing', { deduplication: { alerts: FIRING } }),
        want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
      },
      {
        name: `the Node is just opened for an alert too, and its Machine ${name}`,
        reason: 'whether it stays closed is not known before that is over',
        seen: during('Executing', { deduplication: { alerts: FIRING } }),
        want: 'Ending Ending',
      },
    ];
  }),
  {
    name: 'the Node is being opened, and its Machine cannot be read',
    seen: {
      object: followUncordonRequest,
      requests: valueOf([done, opened('rr-2', { overallPhase: 'AwaitingApproval' })]),
      node: closed,
      machine: UNREADABLE,
    },
    want: 'Ending Reopening',
  },
  {
    name: 'the Node is open',
    reason: 'whether that lasts is for its own verification',
    seen: { object: followUncordonRequest, requests: valueOf([done, opened('rr-2', { overallPhase: 'Verifying' })]) },
    want: 'Ending Ending, lets it go',
  },
  {
    name: 'the Node was to be opened, which was not approved',
    reason: 'it is tried once',
    seen: { object: followUncordonRequest, requests: valueOf([done, opened('rr-2', { overallPhase: 'Failed' })]), node: closed },
    want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
  },
  {
    name: 'the Node was to be opened, and the request for it was deleted',
    seen: { object: followUncordonRequest, requests: valueOf([done]), node: closed },
    want: 'Ending Ending, warns of NodeLeftCordoned, lets it go',
  },
  {
    name: 'the Node is to be opened, and that did not get there',
    seen: { object: going({ reopeningRef: refTo('rr-2') }), requests: valueOf([done]), node: closed },
    want: 'Ending Reopening, opens MachineRecovered',
  },
];

const titled = cases.map((one) => ({ ...one, title: [one.name, one.reason].filter(Boolean).join(': ') }));

describe('a PipelineRemediation that was deleted', () => {
  test.each(titled)('$title', ({ seen, want }) => expect(ending(seen)).toBe(want));

  test('[MH-111] is not deleted by us, in no case', () => {
    for (const { seen } of cases) expect(decide(recovered(seen), NOW).effects.filter(({ kind }) => kind === 'Delete')).toEqual([]);
  });

  test('checks again in every case, and never returns to an earlier phase', () => {
    for (const { name, seen } of cases) {
      const { status, wakeAt } = decide(recovered(seen), NOW);
      expect([name, (status as PipelineStatus).phase, (wakeAt ?? 0) > NOW]).toEqual([name, 'Ending', true]);
    }
  });

  test.each([
    [30 * SECOND, 30 * SECOND],
    [HOUR, MINUTE],
  ])('a Node that must not be remediated for %i ms is checked again after %i', (held, looks) => {
    const requests = valueOf([opened('rr-1', { overallPhase: 'Failed', nextAllowedExecution: at(held) })]);
    expect(decide(recovered({ requests, node: closed }), NOW).wakeAt).toBe(NOW + looks);
  });

  test('what is not ours to keep is left to others', () =>
    expect(decide(recovered({ object: going({}, ['other']) }), NOW)).toEqual({ effects: [] }));

  test('a cancellation is signed with our own name, and keeps what else is said', () => {
    const request = opened('rr-1', { overallPhase: 'Analyzing' }, { metadata: { annotations: { note: 'x' } } });
    const [effect] = decide(recovered({ requests: valueOf([request]) }), NOW).effects.filter(({ kind }) => kind === 'Patch');
    expect(effect).toMatchObject({
      uid: 'uid-rr-1',
      resourceVersion: '7',
      operations: [
        {
          op: 'add',
          path: '/metadata/annotations',
          value: {
            note: 'x',
            [ANNOTATIONS.cancel]: 'PipelineRemediation machines/worker-1 was deleted',
            [ANNOTATIONS.cancelBy]: 'system:serviceaccount:sickbay-system:sickbay',
          },
        },
      ],
    });
  });

  test('a Node that is not to be uncordoned after all: the cancellation gives the reason', () => {
    const requests = valueOf([done, opened('rr-2', { overallPhase: 'AwaitingApproval' })]);
    const seen = recovered({ object: followUncordonRequest, requests, node: closed, machine: valueOf(aMachine('False')) });
    const [effect] = decide(seen, NOW).effects.filter(({ kind }) => kind === 'Patch');
    expect(effect).toMatchObject({
      key: { name: 'rr-2' },
      operations: [{ value: { [ANNOTATIONS.cancel]: 'Machine worker-1 fails its health check' } }],
    });
  });

  test('the request that opens the Node is recorded in status: first the name, then the UID', () => {
    const first = decide(recovered({ requests: valueOf([done]), node: closed }), NOW).status as PipelineStatus;
    const name = first.reopeningRef?.name ?? '';
    expect([name, first.reopeningRef]).toEqual([expect.stringMatching(/./), refTo(name)]);
    const requests = valueOf([done, opened(name)]);
    const next = decide(recovered({ object: going(first), requests, node: closed }), NOW).status as PipelineStatus;
    expect(next.reopeningRef).toEqual(refTo(name, `uid-${name}`));
  });

  test('a Node that stays closed is named, with what to do', () => {
    const status = decide(recovered({ object: followUncordonRequest, requests: valueOf([done]), node: closed }), NOW)
      .status as PipelineStatus;
    expect(status.message).toBe('Node node-1 stays cordoned: rr-2 did not uncordon it. To uncordon it: kubectl uncordon node-1');
  });
});
