import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import { ago as before, anEvidence, anExecution, aRequest as another, all, failed } from '../routing/testing/builders.ts';
import type { RemediationStatus } from '../status.ts';
import { ABSENT, ago, aNotification, analyzing, aRequest, at, NOW, pending, RESOLVED, HEALTHY, value } from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';

const blocked = (blockReason: RemediationStatus['blockReason'] & string, more: RemediationStatus = {}): RemediationStatus => ({
  ...analyzing,
  overallPhase: 'Blocked',
  blockReason,
  blockMessage: 'held back',
  blockedStartTime: ago(0),
  ...more,
});
const stays = { overallPhase: 'Blocked' } as const;
const told = (name: string) => ({ messages: { [name]: value(aNotification(name)) } });
const sentTo = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, value(aNotification(name, { phase: 'Sent' }))]));
const evidence = (status: RemediationStatus, change: Parameters<typeof anEvidence>[0] = {}) => ({
  evidence: anEvidence({ request: aRequest(status), ...change }),
});
const until = { blockedUntil: toTime(at(HOUR)) };

const timed = (['ConsecutiveFailures', 'RecentlyRemediated', 'ExponentialBackoff'] as const).flatMap((reason): readonly DecisionCase[] => {
  const status = blocked(reason, until);
  const seen = { ...evidence(status), ...told(`nr-block-${reason.toLowerCase()}-rr`) };
  return [
    {
      name: `${reason}, one moment before its end`,
      reason: 'before its time nothing changes',
      status,
      seen,
      atMs: HOUR - 1,
      want: stays,
      wakesAtMs: HOUR,
    },
    {
      name: `[RR-031] ${reason}, at its end`,
      reason: 'the next signal may try; this one counts as no failure',
      status,
      seen,
      atMs: HOUR,
      want: { overallPhase: 'Failed', failurePhase: 'Blocked', blockedSeconds: 3600, consecutiveFailureCount: 0 },
    },
  ];
});

const busy = blocked('ResourceBusy', { blockingWorkflowExecution: 'we-other' });
const duplicate = blocked('DuplicateInProgress', { duplicateOf: 'rr-0' });
const unmanaged = blocked('UnmanagedResource');
const out = { kind: 'out', message: 'label it' } as const;

const byEvent: readonly DecisionCase[] = [
  {
    name: 'UnmanagedResource, still',
    reason: 'the notification is created once',
    status: unmanaged,
    seen: { ...evidence(unmanaged, { scope: out }), messages: { 'nr-block-unmanagedresource-rr': ABSENT } },
    want: stays,
    effects: ['Create NotificationRequest nr-block-unmanagedresource-rr'],
  },
  {
    name: '[RR-028, RR-116] UnmanagedResource, in scope now',
    reason: 'all checks run again; the time in Blocked is recorded',
    status: unmanaged,
    seen: evidence(unmanaged),
    atMs: 90 * SECOND,
    want: { overallPhase: 'Pending', blockedSeconds: 90 },
    says: 'its target is managed now: it starts again',
  },
  {
    name: '[RR-029, RR-117] DuplicateInProgress, the original over',
    reason: 'it starts over',
    status: duplicate,
    seen: evidence(duplicate, {
      others: all(another('rr-0', { overallPhase: 'Completed', outcome: 'Remediated', completedAt: before(0) })),
    }),
    want: { overallPhase: 'Pending' },
  },
  {
    name: 'DuplicateInProgress, the original at work',
    reason: 'it waits',
    status: duplicate,
    seen: {
      ...evidence(duplicate, { others: all(another('rr-0', { overallPhase: 'Executing' })) }),
      ...told('nr-block-duplicateinprogress-rr'),
    },
    want: stays,
  },
  {
    name: '[RR-030, RR-083, RR-118, RR-187] ResourceBusy, free now',
    reason: 'back to the plan, with a fresh clock',
    status: busy,
    seen: evidence(busy, { blockingExecution: value(anExecution('rr-0', { phase: 'Completed' })) }),
    atMs: 40 * MINUTE,
    want: { overallPhase: 'Analyzing', analyzingStartTime: ago(-40 * MINUTE), blockedSeconds: 2400 },
    says: 'WorkflowExecution we-other no longer works on its target: the plan for Deployment shop/checkout is checked again',
  },
  {
    name: 'ResourceBusy, still',
    reason: 'it waits',
    status: busy,
    seen: {
      ...evidence(busy, { blockingExecution: value(anExecution('rr-0', { phase: 'Running' })) }),
      ...told('nr-block-resourcebusy-rr'),
    },
    want: stays,
    wakesAtMs: 30 * SECOND,
  },
  {
    name: 'ResourceBusy, with no time set between two looks',
    reason: 'it is not looked at all the time',
    status: busy,
    seen: {
      ...evidence(busy, { blockingExecution: value(anExecution('rr-0', { phase: 'Running' })), routing: { requeueResourceBusyMs: 0 } }),
      ...told('nr-block-resourcebusy-rr'),
    },
    want: stays,
    wakesAtMs: 5 * SECOND,
  },
  ...(['Completed', 'Failed'] as const).map((overallPhase) => ({
    name: `DuplicateInProgress, the original ${overallPhase}, and results are inherited`,
    reason: 'what came of the original came of it',
    status: duplicate,
    seen: evidence(duplicate, {
      others: all(another('rr-0', { overallPhase, outcome: 'Inconclusive', completedAt: before(0) })),
      routing: { onDuplicateResolved: 'Inherit' },
    }),
    want: {
      overallPhase,
      completedAt: ago(0),
      ...(overallPhase === 'Completed' ? { outcome: 'Inconclusive' as const } : { failurePhase: 'Deduplicated' as const }),
    },
    says: `RemediationRequest rr-0, which it waited for, is ${overallPhase}`,
  })),
  {
    name: 'all alerts resolved',
    reason: 'what healed by itself is left alone',
    status: { ...busy, ...RESOLVED },
    seen: { ...evidence(busy), health: HEALTHY },
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
  },
  { name: 'nothing was read', reason: 'not known is not over', status: busy, seen: {}, atMs: 2 * HOUR, want: stays },
];

describe('Blocked', () => {
  test.each([...timed, ...byEvent])('$name: $reason', (row) => expectDecision(row));

  test('what the block was about does not outlive it', () => {
    const seen = { ...onlyRequest(aRequest(busy), DEFAULT_SETTINGS), ...evidence(busy, { blockingExecution: ABSENT }) };
    const { status } = decide(seen, NOW);
    for (const field of ['blockReason', 'blockMessage', 'blockedUntil', 'blockedStartTime', 'blockingWorkflowExecution'])
      expect(status).not.toHaveProperty(field);
  });

  test('[RR-054] time spent in Blocked adds up over several blocks', () => {
    const status = blocked('UnmanagedResource', { blockedSeconds: 100 });
    const { status: left } = decide({ ...onlyRequest(aRequest(status), DEFAULT_SETTINGS), ...evidence(status) }, at(50 * SECOND));
    expect(left).toMatchObject({ overallPhase: 'Pending', blockedSeconds: 150 });
  });

  test('[CO-019] duplicateCount is kept while duplicates wait', () => {
    const object = aRequest(pending);
    const waiting = another('rr-9', { overallPhase: 'Blocked', duplicateOf: 'rr' });
    const seen = (siblings: RemediationSeen['siblings']) => decide({ ...onlyRequest(object, DEFAULT_SETTINGS), siblings }, NOW).status;
    expect(seen(all(object, waiting))).toMatchObject({ duplicateCount: 1, duplicateRefs: ['rr-9'] });
    expect(seen(all(object))).not.toHaveProperty('duplicateCount');
  });
});

describe('[RR-032] the failure that reaches the threshold', () => {
  const failure: RemediationStatus = {
    ...analyzing,
    overallPhase: 'Failed',
    failurePhase: 'AIAnalysis',
    failureReason: 'pods cannot be read',
    message: 'pods cannot be read',
    completedAt: ago(0),
    consecutiveFailureCount: 3,
    notificationRequestRefs: [{ name: 'nr-manual-review-rr', uid: 'u' }],
  };

  test('holds its signal back at once, for an hour from its failure', () =>
    expectDecision({
      name: '',
      reason: '',
      status: failure,
      atMs: MINUTE,
      want: {
        overallPhase: 'Blocked',
        blockReason: 'ConsecutiveFailures',
        blockedUntil: toTime(at(HOUR)),
        completedAt: ago(0),
        failurePhase: 'AIAnalysis',
      },
      says: '3 remediations of KubePodCrashLooping failed in a row, the last: pods cannot be read',
    }));

  test.each([
    ['the second in a row', { consecutiveFailureCount: 2 }],
    ['one for its block alone', { failurePhase: 'Blocked', notificationRequestRefs: [{ name: 'nr-escalation-rr', uid: 'u' }] }],
    ['one that ran out of time', { overallPhase: 'TimedOut' as const, notificationRequestRefs: [{ name: 'timeout-rr', uid: 'u' }] }],
    ['one that was held back already', { blockReason: 'ConsecutiveFailures' as const }],
  ])('%s does not', (_, change) =>
    expectDecision({
      name: '',
      reason: '',
      status: { ...failure, ...change },
      seen: { execution: ABSENT },
      want: { overallPhase: 'Failed', ...change },
      wakes: false,
    }),
  );

  const held: RemediationStatus = {
    ...failure,
    overallPhase: 'Blocked',
    blockReason: 'ConsecutiveFailures',
    blockedStartTime: ago(0),
    ...until,
  };

  test.each<[string, RemediationStatus]>([
    ['the failure that reaches the threshold', failure],
    ['a request that comes after it', pending],
  ])('[CO-115] %s is notified as an escalation that says how long nothing is tried', (_, status) => {
    const settings = { ...DEFAULT_SETTINGS, routing: { ...DEFAULT_SETTINGS.routing, consecutiveFailureCooldownMs: HOUR } };
    const evidenceOf = (request: RemediationStatus) =>
      anEvidence({ request: aRequest(request), others: all(...[30, 20, 10].map((minutes) => failed(`f${minutes}`, minutes * MINUTE))) });
    const observed = (request: RemediationStatus) => ({
      ...onlyRequest(aRequest(request), settings),
      siblings: { kind: 'value' as const, value: [aRequest(request)] },
      isAudited: true,
      processing: ABSENT,
      execution: ABSENT,
      evidence: evidenceOf(request),
    });
    const heldBack = decide({ ...observed(status), messages: sentTo('nr-manual-review-rr') }, NOW).status as RemediationStatus;
    expect(heldBack).toMatchObject({ overallPhase: 'Blocked', blockReason: 'ConsecutiveFailures', blockedUntil: toTime(at(HOUR)) });
    const messages = { ...sentTo('nr-manual-review-rr'), 'nr-block-consecutivefailures-rr': ABSENT };
    expect(decide({ ...observed(heldBack), messages }, NOW).effects).toMatchObject([
      {
        kind: 'Create',
        object: {
          metadata: { name: 'nr-block-consecutivefailures-rr' },
          spec: {
            type: 'Escalation',
            priority: 'High',
            subject: 'Blocked (ConsecutiveFailures): KubePodCrashLooping on Deployment shop/checkout',
            body: expect.stringMatching(new RegExp(`in a row.*one is tried for 1h0m0s, until ${toTime(at(HOUR))}`)) as string,
          },
        },
      },
    ]);
  });

  test('a notification is required for its end and of the cooldown, once each', () =>
    expectDecision({
      name: '',
      reason: '',
      status: { ...held, notificationRequestRefs: [] },
      seen: { ...evidence(held), messages: { 'nr-manual-review-rr': ABSENT, 'nr-block-consecutivefailures-rr': ABSENT } },
      want: stays,
      effects: ['Create NotificationRequest nr-manual-review-rr', 'Create NotificationRequest nr-block-consecutivefailures-rr'],
    }));

  test('is kept where its alerts resolve in the meantime', () =>
    expectDecision({
      name: '',
      reason: '',
      status: { ...held, ...RESOLVED },
      seen: { ...evidence(held), health: HEALTHY },
      want: { ...stays, failurePhase: 'AIAnalysis' },
    }));

  test('the notification is recorded while it is Blocked', () =>
    expectDecision({
      name: '',
      reason: '',
      status: { ...held, notificationRequestRefs: [] },
      seen: { ...evidence(held), messages: sentTo('nr-manual-review-rr', 'nr-block-consecutivefailures-rr') },
      want: { ...stays, notificationStatus: 'Sent' },
    }));

  test('a mere block writes nothing for its messages', () => {
    const status = blocked('ConsecutiveFailures', until);
    const seen = { ...evidence(status), messages: sentTo('nr-block-consecutivefailures-rr') };
    const left = decide({ ...onlyRequest(aRequest(status), DEFAULT_SETTINGS), ...seen }, NOW).status;
    expect(left).not.toHaveProperty('notificationRequestRefs');
  });

  test('is that failure again when the cooldown is over, and nothing else about its end changes', () =>
    expectDecision({
      name: '',
      reason: '',
      status: held,
      seen: evidence(held),
      atMs: HOUR,
      want: {
        overallPhase: 'Failed',
        failurePhase: 'AIAnalysis',
        completedAt: ago(0),
        consecutiveFailureCount: 3,
        blockReason: 'ConsecutiveFailures',
        conditions: [{ type: 'Ready', status: 'False', reason: 'Failed' } as never],
      },
      says: 'pods cannot be read; the cooldown after its failure has ended',
    }));
});
