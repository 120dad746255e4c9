import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analysisPhases } from '../../../api/ai-analysis/phases.ts';
import { assessmentPhases } from '../../../api/effectiveness-assessment/phases.ts';
import { isTerminal, phaseNames } from '../../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { signalProcessingPhases } from '../../../api/signal-processing/phases.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import { HOUR } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import { anEvidence } from '../routing/testing/builders.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  anApproval,
  anAssessment,
  anExecution,
  aProcessing,
  aRequest,
  at,
  awaiting,
  effectText,
  executing,
  NOW,
  pending,
  processing,
  TARGET,
  value,
  verifying,
} from '../testing/builders.ts';

const blocked: RemediationStatus = { ...pending, overallPhase: 'Blocked', blockReason: 'ResourceBusy', blockedStartTime: ago(0) };
const ACTIVE: readonly RemediationStatus[] = [pending, processing, analyzing, awaiting, executing, verifying, blocked];
const ENDED = remediationPhases.terminal.map((overallPhase): RemediationStatus => ({
  overallPhase,
  completedAt: ago(0),
  message: 'so it ended',
}));

const annotated = (status: RemediationStatus, annotations: Readonly<Record<string, string>>): RemediationRequest => {
  const request = aRequest(status);
  return { ...request, metadata: { ...request.metadata, annotations } };
};

/** Everything is there, and every stage has come to its end: without the wish each phase would go on. */
const everything: Partial<RemediationSeen> = {
  processing: value(aProcessing({ phase: 'Completed' })),
  analysis: value(anAnalysis()),
  approval: value(anApproval()),
  execution: value(anExecution({ phase: 'Completed' })),
  assessment: value(anAssessment({ phase: 'Completed' })),
  target: value(aDeployment()),
  namespace: ABSENT,
  workflow: ABSENT,
  evidence: anEvidence({ request: aRequest(blocked), blockingExecution: ABSENT }),
};

const decided = (object: RemediationRequest, now = NOW) =>
  decide({ ...onlyRequest(object, DEFAULT_SETTINGS), siblings: { kind: 'value', value: [object] }, ...everything }, now);

describe('a request that an operator cancels', () => {
  test('covers every phase that is not an end', () =>
    expect(new Set(ACTIVE.map(({ overallPhase }) => overallPhase))).toEqual(
      new Set(phaseNames(remediationPhases).filter((phase) => !isTerminal(remediationPhases, phase))),
    ));

  test.each(ACTIVE)('[RR-046, RR-059] is Cancelled in $overallPhase, with the reason and who gave it', (status) => {
    const wish = { [ANNOTATIONS.cancel]: 'the release is on hold', [ANNOTATIONS.cancelBy]: 'alex@example.com' };
    const { status: now, effects } = decided(annotated(status, wish));
    expect(now).toMatchObject({
      overallPhase: 'Cancelled',
      completedAt: ago(0),
      cancellation: { by: 'alex@example.com', reason: 'the release is on hold', requestedAt: ago(0) },
      message: expect.stringContaining('alex@example.com cancelled it: the release is on hold') as string,
    });
    // Ruling 126: its approval request, undecided here, is closed in the same step.
    expect(effects.map(effectText)).toEqual(['PatchStatus RemediationApprovalRequest']);
  });

  test.each(ACTIVE)('[RR-046] is Cancelled without a reason too: $overallPhase', (status) => {
    const { status: now } = decided(annotated(status, { [ANNOTATIONS.cancel]: '' }));
    expect(now).toMatchObject({
      overallPhase: 'Cancelled',
      message: expect.stringMatching(/^an unknown user cancelled it(\.|$)/) as string,
    });
    expect((now as RemediationStatus).cancellation).not.toHaveProperty('reason');
  });

  test.each(ACTIVE)('[RR-046] is Cancelled although time has run out, in $overallPhase', (status) =>
    expect(decided(annotated(status, { [ANNOTATIONS.cancel]: 'stop' }), at(30 * HOUR)).status).toMatchObject({ overallPhase: 'Cancelled' }),
  );

  test.each(ACTIVE.filter(({ overallPhase }) => overallPhase !== 'Executing'))('says nothing of a run in $overallPhase', (status) =>
    expect((decided(annotated(status, { [ANNOTATIONS.cancel]: 'stop' })).status as RemediationStatus).message).not.toContain('running'),
  );

  test.each([
    ['Deployment shop/checkout', executing],
    ['Deployment shop/cart', { ...executing, remediationTarget: { ...TARGET, name: 'cart' } }],
  ])('says in Executing that the run is stopped, and where to look: %s', (target, status) =>
    expect(decided(annotated(status, { [ANNOTATIONS.cancel]: 'stop' })).status).toMatchObject({
      message: `an unknown user cancelled it: stop. Its run is stopped: check ${target}`,
    }),
  );

  test.each(ENDED)('[RR-046] stays as it ended: $overallPhase', (status) =>
    expect(decided(annotated(status, { [ANNOTATIONS.cancel]: 'too late' })).status).toMatchObject(status),
  );

  test.each([...ACTIVE])('is not cancelled by who would have done it alone: $overallPhase', (status) =>
    expect(decided(annotated(status, { [ANNOTATIONS.cancelBy]: 'alex' })).status).not.toMatchObject({ overallPhase: 'Cancelled' }),
  );
});

describe('Cancelled', () => {
  const anyOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
  const whatever = fc.record({
    status: anyOf(ACTIVE),
    processing: anyOf(phaseNames(signalProcessingPhases)),
    analysis: anyOf(phaseNames(analysisPhases)),
    execution: anyOf(phaseNames(executionPhases)),
    assessment: anyOf(phaseNames(assessmentPhases)),
    decision: anyOf(['', 'Approved', 'Rejected', 'Expired'] as const),
    atMs: anyOf([0, HOUR, 30 * HOUR]),
  });

  test('[RR-045] is reached by an operator alone: whatever the stages come to, and however late', () => {
    const reached = new Set<RemediationPhase | undefined>();
    fc.assert(
      fc.property(whatever, ({ status, atMs, decision, ...phases }) => {
        const object = aRequest(status);
        const seen: RemediationSeen = {
          ...onlyRequest(object, DEFAULT_SETTINGS),
          ...everything,
          identityIsChecked: true,
          processing: value(aProcessing({ phase: phases.processing })),
          analysis: value(anAnalysis({ phase: phases.analysis })),
          approval: value(anApproval({ decision, decidedBy: 'alex', decidedAt: ago(0) })),
          execution: value(anExecution({ phase: phases.execution })),
          assessment: value(anAssessment({ phase: phases.assessment })),
        };
        const to = (decide(seen, at(atMs)).status as RemediationStatus).overallPhase;
        reached.add(to);
        expect(to).not.toBe('Cancelled');
      }),
      { numRuns: 500, seed: 45 },
    );
    expect([...reached]).toEqual(expect.arrayContaining(['Analyzing', 'Executing', 'Completed', 'Failed', 'TimedOut', 'Skipped']));
  });

  test('[RR-045] is an end: nothing follows but its approval request is closed and people are notified', () => {
    const object = aRequest({ overallPhase: 'Cancelled', completedAt: ago(0) });
    const seen = { ...onlyRequest(object, DEFAULT_SETTINGS), ...everything, messages: { 'nr-completion-rr': ABSENT } };
    for (const ms of [0, HOUR, 30 * HOUR]) {
      const { status, effects } = decide(seen, at(ms));
      expect(status).toEqual(object.status);
      const closes = ms === 0 ? ['PatchStatus RemediationApprovalRequest'] : [];
      expect(effects.map(effectText)).toEqual([...closes, 'Create NotificationRequest nr-completion-rr']);
    }
  });
});
