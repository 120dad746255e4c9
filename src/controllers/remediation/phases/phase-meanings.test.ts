import { describe, expect, test } from 'vitest';
import { analysisPhases } from '../../../api/ai-analysis/phases.ts';
import { assessmentPhases } from '../../../api/effectiveness-assessment/phases.ts';
import { isTerminal, phaseNames, type Phases } from '../../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../../api/remediation-request/phases.ts';
import { BLOCK_REASONS } from '../../../api/remediation-request/status.ts';
import { signalProcessingPhases } from '../../../api/signal-processing/phases.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import { HOUR, MINUTE, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import { reevaluateBlock } from '../routing/index.ts';
import { all, anEarlyEvidence, anEvidence, anExecution as theirRun, aRequest as another, failed } from '../routing/testing/builders.ts';
import type { RemediationStatus } from '../status.ts';
import { frozen } from '../testing/change-evidence.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  anApproval,
  anAssessment,
  anExecution,
  aNotification,
  aProcessing,
  APPROVED,
  aRequest,
  at,
  awaiting,
  effectText,
  executing,
  NOW,
  pending,
  processing,
  SOMEBODY_ELSES,
  UNREADABLE,
  value,
  verifying,
} from '../testing/builders.ts';

const decided = (status: RemediationStatus, seen: Partial<RemediationSeen>, now: Instant = NOW) => {
  const object = aRequest(status);
  const decision = decide(
    {
      ...onlyRequest(object, DEFAULT_SETTINGS),
      siblings: { kind: 'value', value: [object] },
      identityIsChecked: true,
      isAudited: true,
      ...seen,
    },
    now,
  );
  return { ...decision, status: decision.status as RemediationStatus, does: decision.effects.map(effectText) };
};
const phaseAfter = (status: RemediationStatus, seen: Partial<RemediationSeen>, now: Instant = NOW): RemediationPhase | undefined =>
  decided(status, seen, now).status.overallPhase;

/** The phases of a child in which it is at work. */
const atWork = <P extends string>(phases: Phases<P>): readonly P[] => phaseNames(phases).filter((phase) => !isTerminal(phases, phase));
const active = (phase: RemediationPhase): void => expect(isTerminal(remediationPhases, phase)).toBe(false);

/** The clusters in which each of the four checks before the analysis objects. */
const OBJECTIONS = {
  UnmanagedResource: { scope: { kind: 'out', message: 'label it' } },
  ConsecutiveFailures: { others: all(...[30, 20, 10].map((minutes) => failed(`f${minutes}`, minutes * MINUTE))) },
  DuplicateInProgress: { others: all(another('older', { overallPhase: 'Analyzing' }, { metadata: { creationTimestamp: ago(2 * HOUR) } })) },
  ExponentialBackoff: { others: all(failed('hold', HOUR, { nextAllowedExecution: toTime(at(MINUTE)) })) },
} as const;
const REASONS = Object.keys(OBJECTIONS) as (keyof typeof OBJECTIONS)[];
const objecting = (reason: keyof typeof OBJECTIONS) => anEarlyEvidence({ request: aRequest(pending), ...OBJECTIONS[reason] });

describe('Pending', () => {
  test('[RR-034] is not an end: with every check passed it continues', () => {
    active('Pending');
    expect(decided(pending, { processing: ABSENT, evidence: anEarlyEvidence() }).does).toEqual(['Create SignalProcessing sp-rr']);
  });

  test.each(REASONS)('[RR-034, RR-067] has its checks still to pass: %s holds it back, and nothing is created', (reason) => {
    const { status, does } = decided(pending, { processing: ABSENT, evidence: objecting(reason) });
    expect(status).toMatchObject({ overallPhase: 'Blocked', blockReason: reason });
    expect(does).toEqual([]);
  });

  test.each(REASONS)('[RR-067] is left for Processing only with a SignalProcessing, which only passed checks create: %s', (reason) => {
    const evidence = objecting(reason);
    for (const processingSeen of [ABSENT, UNREADABLE] as const)
      expect(phaseAfter(pending, { processing: processingSeen, evidence })).not.toBe('Processing');
    // The checks passed, then a crash, then an objection: the child that was created is recorded, with its UID.
    expect(decided(pending, { processing: value(aProcessing()), evidence }).status).toMatchObject({
      overallPhase: 'Processing',
      signalProcessingRef: { uid: 'sp-rr-uid' },
    });
  });

  test('[RR-067] a SignalProcessing that is lost in Processing is made again', () =>
    expect(decided(processing, { processing: ABSENT })).toMatchObject({
      status: { overallPhase: 'Processing' },
      does: ['Create SignalProcessing sp-rr'],
    }));

  test("[RR-067] where a foreign object has the child's name, Processing is passed through only to fail, and nothing is created", () => {
    const theirs = { processing: value(aProcessing({ phase: 'Completed' }, SOMEBODY_ELSES)) };
    expect(decided(pending, theirs)).toMatchObject({ status: { overallPhase: 'Processing' }, does: [] });
    expect(decided(processing, theirs)).toMatchObject({ status: { overallPhase: 'Failed', failurePhase: 'SignalProcessing' }, does: [] });
  });
});

describe('a phase that waits for its child', () => {
  test.each([undefined, ...atWork(signalProcessingPhases)])('[RR-035] Processing lasts while its SignalProcessing is %s', (phase) => {
    active('Processing');
    expect(phaseAfter(processing, { processing: value(aProcessing(phase && { phase })) })).toBe('Processing');
  });

  test.each(atWork(analysisPhases))('[RR-036] Analyzing lasts while its AIAnalysis is %s', (phase) => {
    active('Analyzing');
    expect(phaseAfter(analyzing, { analysis: value(anAnalysis({ phase })), target: value(aDeployment()), ...free })).toBe('Analyzing');
  });

  test.each([0, MINUTE, 15 * MINUTE - SECOND])('[RR-037] AwaitingApproval lasts until a person decides: undecided after %d ms', (ms) => {
    active('AwaitingApproval');
    const analysis = value(anAnalysis({ approvalRequired: true }));
    const seen = { ...free, analysis, target: value(aDeployment()), messages: told('nr-approval-rr') };
    const { status, does } = decided(awaiting, { ...seen, approval: value(anApproval()) }, at(ms));
    expect([status.overallPhase, does]).toEqual(['AwaitingApproval', []]);
    expect(phaseAfter(awaiting, { ...seen, approval: value(anApproval(APPROVED)), execution: value(anExecution()) }, at(ms))).toBe(
      'Executing',
    );
    expect(phaseAfter(awaiting, { ...seen, approval: value(anApproval({ ...APPROVED, decision: 'Rejected' })) }, at(ms))).toBe('Failed');
  });

  test('[RR-037] AwaitingApproval is entered only with a RemediationApprovalRequest, and does not outlive it', () => {
    const analysis = value(anAnalysis({ approvalRequired: true }));
    const seen = { ...free, analysis, target: value(aDeployment()) };
    const before = decided(analyzing, { ...seen, approval: ABSENT });
    expect([before.status.overallPhase, before.does]).toEqual(['Analyzing', ['Create RemediationApprovalRequest rar-rr']]);
    expect(phaseAfter(analyzing, { ...seen, approval: UNREADABLE })).toBe('Analyzing');
    expect(phaseAfter(analyzing, { ...seen, approval: value(anApproval()) })).toBe('AwaitingApproval');
    expect(phaseAfter(awaiting, { ...seen, approval: ABSENT })).toBe('Failed');
  });

  test.each([undefined, ...atWork(executionPhases)])('[RR-038] Executing lasts while its WorkflowExecution is %s', (phase) => {
    active('Executing');
    expect(phaseAfter(executing, { execution: value(anExecution(phase && { phase })) })).toBe('Executing');
  });

  test.each([undefined, ...atWork(assessmentPhases)])('[RR-039] Verifying lasts while its EffectivenessAssessment is %s', (phase) => {
    active('Verifying');
    expect(phaseAfter(verifying, { assessment: value(anAssessment(phase && { phase })) })).toBe('Verifying');
  });

  /** Everything that would let a plan through. */
  const free = { execution: ABSENT, namespace: ABSENT, workflow: ABSENT, approval: ABSENT, evidence: anEvidence() } as const;

  test('and ends with it', () => {
    expect(phaseAfter(processing, { processing: value(aProcessing({ phase: 'Completed' })), analysis: value(anAnalysis()) })).toBe(
      'Analyzing',
    );
    expect(phaseAfter(analyzing, { analysis: value(anAnalysis({ phase: 'Failed' })), ...free })).toBe('Failed');
    expect(phaseAfter(executing, { execution: value(anExecution({ phase: 'Failed' })) })).toBe('Failed');
    expect(phaseAfter(verifying, { assessment: value(anAssessment({ phase: 'Failed' })) })).toBe('Completed');
  });
});

describe('Blocked', () => {
  test.each(BLOCK_REASONS)('[RR-040] is not an end: %s holds the request, and the status names it', (blockReason) => {
    active('Blocked');
    const status: RemediationStatus = {
      ...analyzing,
      overallPhase: 'Blocked',
      blockReason,
      blockedStartTime: ago(0),
      blockedUntil: toTime(at(HOUR)),
      duplicateOf: 'older',
      blockingWorkflowExecution: 'we-other',
      changeWindow: { kind: 'ChangeFreeze', name: 'year-end' },
    };
    const evidence = anEvidence({
      request: aRequest(status),
      changes: frozen(at(0)),
      scope: { kind: 'out', message: 'label it' },
      others: OBJECTIONS.DuplicateInProgress.others,
      blockingExecution: value(theirRun('other', { phase: 'Running' })),
    });
    expect(reevaluateBlock(evidence, at(SECOND)).kind).toBe('stay');
    expect(decided(status, { evidence }, at(SECOND)).status).toMatchObject({ overallPhase: 'Blocked', blockReason });
  });

  test.each(REASONS)('[RR-040] is entered with its reason: %s', (reason) =>
    expect(decided(pending, { processing: ABSENT, evidence: objecting(reason) }).status.blockReason).toBe(reason),
  );
});

/** What each phase that can run out of time sees until it does, and its own limit; the whole has an hour. */
const TIMED: readonly [RemediationStatus, Partial<RemediationSeen>, number][] = [
  [pending, { processing: ABSENT, evidence: objecting('UnmanagedResource') }, HOUR],
  [processing, { processing: value(aProcessing({ phase: 'Enriching' })) }, 5 * MINUTE],
  [analyzing, { analysis: value(anAnalysis({ phase: 'Investigating' })) }, 10 * MINUTE],
  [executing, { execution: value(anExecution({ phase: 'Running' })) }, 30 * MINUTE],
];
const told = (name: string) => ({ [name]: value(aNotification(name, { phase: 'Sent' })) });

describe('TimedOut', () => {
  test.each(TIMED)('[RR-043] follows $overallPhase when its time has passed, and not before', (status, seen, limitMs) => {
    expect(phaseAfter(status, seen, at(limitMs - SECOND))).not.toBe('TimedOut');
    expect(decided(status, seen, at(limitMs)).status).toMatchObject({ overallPhase: 'TimedOut', timeoutPhase: status.overallPhase });
  });

  test.each(TIMED)('[RR-043, RR-182] follows $overallPhase when an hour has passed in all', (status, seen) => {
    const late = { ...status, startTime: ago(HOUR - SECOND) };
    expect(phaseAfter(late, seen)).not.toBe('TimedOut');
    expect(decided(late, seen, at(SECOND)).status).toMatchObject({
      overallPhase: 'TimedOut',
      message: expect.stringContaining('did not finish within 1h0m0s') as string,
    });
  });

  test('[RR-182] the hour runs from Pending, and stands still in Blocked and Verifying', () => {
    const enriching = { processing: value(aProcessing({ phase: 'Enriching' })) };
    const blocked = { ...processing, startTime: ago(90 * MINUTE), blockedSeconds: 30 * 60 + 1 };
    expect(phaseAfter(blocked, enriching)).toBe('Processing');
    expect(phaseAfter(blocked, enriching, at(SECOND))).toBe('TimedOut');
    expect(phaseAfter({ ...verifying, startTime: ago(3 * HOUR) }, { assessment: value(anAssessment({ phase: 'Stabilizing' })) })).toBe(
      'Verifying',
    );
  });
});

const SKIPS = ['ResourceBusy', 'RecentlyRemediated', 'ExhaustedRetries', 'PreviousExecutionFailed'] as const;

describe('Skipped', () => {
  const skipped = (reason: (typeof SKIPS)[number]) =>
    value(anExecution({ phase: 'Skipped', skipDetails: { reason, message: `skipped for ${reason}`, skippedAt: ago(0) } }));

  test.each(SKIPS)('[RR-044, RR-099] follows an execution that was skipped for %s', (reason) =>
    expect(decided(executing, { execution: skipped(reason) }).status).toMatchObject({
      overallPhase: 'Skipped',
      skipReason: reason,
      skipMessage: `skipped for ${reason}`,
      message: `skipped for ${reason}`,
    }),
  );

  test.each(['ExhaustedRetries', 'PreviousExecutionFailed'] as const)('[RR-099] %s waits for a person, a day at most', (reason) =>
    expect(decided(executing, { execution: skipped(reason) }).status).toMatchObject({
      requiresManualReview: true,
      nextAllowedExecution: toTime(at(24 * HOUR)),
    }),
  );

  test.each(['ResourceBusy', 'RecentlyRemediated'] as const)('[RR-099] %s requires no manual review', (reason) => {
    const { status } = decided(executing, { execution: skipped(reason) });
    expect([status.requiresManualReview, status.nextAllowedExecution]).toEqual([undefined, undefined]);
  });
});

describe('an end', () => {
  test.each([
    ['TimedOut', 'RR-043', 'timeout-rr'],
    ['Skipped', 'RR-044', 'nr-completion-rr'],
  ] as const)('%s is one [%s]: whatever its children come to, nothing follows', (overallPhase, _, notice) => {
    expect(isTerminal(remediationPhases, overallPhase)).toBe(true);
    const status: RemediationStatus = { ...executing, overallPhase, completedAt: ago(0) };
    const seen: Partial<RemediationSeen> = {
      processing: value(aProcessing({ phase: 'Completed' })),
      analysis: value(anAnalysis()),
      approval: value(anApproval(APPROVED)),
      execution: value(anExecution({ phase: 'Completed' })),
      assessment: value(anAssessment({ phase: 'Completed' })),
      evidence: anEvidence(),
      messages: told(notice),
    };
    for (const ms of [0, HOUR, 48 * HOUR]) {
      const { status: after, does } = decided(status, seen, at(ms));
      expect([after.overallPhase, does]).toEqual([overallPhase, []]);
    }
  });
});

describe('where the checks run', () => {
  const everything = anEvidence({
    scope: { kind: 'out', message: 'label it' },
    others: OBJECTIONS.ConsecutiveFailures.others,
    planned: { executions: all(theirRun('other', { phase: 'Running' })) },
  });
  const planned = { target: value(aDeployment()), namespace: ABSENT, workflow: ABSENT, execution: ABSENT, evidence: everything } as const;

  test.each<[string, RemediationStatus, Partial<RemediationSeen>]>([
    ['on leaving Pending', pending, { processing: ABSENT, evidence: everything }],
    ['on leaving Analyzing for Executing', analyzing, { ...planned, analysis: value(anAnalysis()) }],
    [
      'after an approval, by ruling 6',
      awaiting,
      { ...planned, analysis: value(anAnalysis({ approvalRequired: true })), approval: value(anApproval(APPROVED)) },
    ],
  ])('[RR-120] %s', (_, status, seen) => expect(decided(status, seen).status).toMatchObject({ overallPhase: 'Blocked' }));

  test.each<[string, RemediationStatus, Partial<RemediationSeen>, RemediationPhase]>([
    ['Processing, at work', processing, { processing: value(aProcessing({ phase: 'Enriching' })) }, 'Processing'],
    [
      'Processing, done',
      processing,
      { processing: value(aProcessing({ phase: 'Completed' })), analysis: value(anAnalysis()) },
      'Analyzing',
    ],
    ['Analyzing, at work', analyzing, { analysis: value(anAnalysis({ phase: 'Investigating' })) }, 'Analyzing'],
    ['Executing, at work', executing, { execution: value(anExecution({ phase: 'Running' })) }, 'Executing'],
    [
      'Executing, done',
      executing,
      { execution: value(anExecution({ phase: 'Completed' })), assessment: value(anAssessment()) },
      'Verifying',
    ],
    ['Verifying', verifying, { assessment: value(anAssessment({ phase: 'Stabilizing' })) }, 'Verifying'],
  ])('[RR-120] and nowhere else: %s', (_, status, seen, want) => expect(phaseAfter(status, { ...seen, evidence: everything })).toBe(want));
});

describe('Completed', () => {
  const completed: RemediationStatus = { ...verifying, overallPhase: 'Completed', outcome: 'Remediated', completedAt: ago(0) };
  test('[RR-041] is an end: whatever its children come to, phase and outcome stay', () => {
    expect(isTerminal(remediationPhases, 'Completed')).toBe(true);
    for (const phase of phaseNames(executionPhases)) {
      const { status } = decided(completed, { execution: value(anExecution({ phase })), assessment: value(anAssessment()) });
      expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'Remediated' });
    }
  });
});

describe('Failed', () => {
  const FAILURES: Readonly<Record<string, readonly [RemediationStatus, Partial<RemediationSeen>]>> = {
    enrichment: [processing, { processing: value(aProcessing({ phase: 'Failed' })) }],
    analysis: [analyzing, { analysis: value(anAnalysis({ phase: 'Failed' })) }],
    approval: [awaiting, { approval: ABSENT, analysis: value(anAnalysis()) }],
    execution: [executing, { execution: value(anExecution({ phase: 'Failed' })) }],
  };

  test.each(Object.entries(FAILURES))('[RR-042] is an end that a failure of the %s leads to', (_, [status, seen]) => {
    expect(isTerminal(remediationPhases, 'Failed')).toBe(true);
    expect(phaseAfter(status, seen)).toBe('Failed');
  });
});
