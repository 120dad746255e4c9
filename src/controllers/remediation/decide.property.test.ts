import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analysisPhases } from '../../api/ai-analysis/phases.ts';
import { ANALYSIS_REASONS } from '../../api/ai-analysis/status.ts';
import { ASSESSMENT_REASONS } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { notificationPhases } from '../../api/notification-request/phases.ts';
import { isTerminal, mayMove, phaseNames } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { BLOCK_REASONS, OUTCOMES } from '../../api/remediation-request/status.ts';
import { signalProcessingPhases } from '../../api/signal-processing/phases.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import { deepFreeze, HOUR, MINUTE } from '../../base/index.ts';
import type { Decision, Read } from '../../runtime/reconcile/controller.ts';
import { CHILDREN } from '../narration/metrics/request-increments.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { approvalPhases } from '../../api/remediation-approval-request/phases.ts';
import { anEvidence } from './routing/testing/builders.ts';
import { decide } from './decide.ts';
import { requiredNotifications } from './notifications/required-notifications.ts';
import { onlyRequest, type RemediationSeen } from './observe.ts';
import type { RemediationStatus } from './status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  anAssessment,
  anExecution,
  aNotification,
  aProcessing,
  anApproval,
  analyzing,
  aNamespace,
  aRequest,
  at,
  awaiting,
  aWorkflow,
  executing,
  HEALTHY,
  healthWith,
  SOMEBODY_ELSES,
  UNREADABLE,
  value,
  verifying,
  WORKFLOW,
} from './testing/builders.ts';

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const read = <T>(object: fc.Arbitrary<T>): fc.Arbitrary<Read<T>> =>
  fc.oneof(fc.constant<Read<T>>(ABSENT), fc.constant<Read<T>>(UNREADABLE), object.map(value));
const owner = fc.constantFrom({}, SOMEBODY_ELSES, { uid: 'another' });
const score = maybe(fc.constantFrom(0, 0.5, 1));
const compact = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as T;

const status: fc.Arbitrary<RemediationStatus | undefined> = maybe(
  fc
    .record({
      base: fc.constantFrom<RemediationStatus>({}, analyzing, awaiting, executing, verifying),
      blockReason: maybe(fc.constantFrom(...BLOCK_REASONS)),
      blockedUntil: maybe(fc.constantFrom(ago(0), ago(-HOUR), 'no time')),
      completedAt: maybe(fc.constant(ago(0))),
      consecutiveFailureCount: maybe(fc.constantFrom(1, 3)),
      retentionExpiryTime: maybe(fc.constantFrom(ago(0), ago(-HOUR))),
      overallPhase: maybe(fc.constantFrom(...phaseNames(remediationPhases))),
      outcome: maybe(fc.constantFrom(...OUTCOMES)),
      startTime: maybe(fc.constantFrom(ago(0), ago(HOUR), 'no time')),
      timeoutConfig: maybe(fc.constantFrom({}, { global: '1m', executing: 'x' }, { analyzing: '0s' })),
      resolvedAt: maybe(fc.constantFrom(ago(0), ago(HOUR))),
    })
    .map(({ base, resolvedAt, ...rest }) => ({
      ...base,
      ...compact(rest),
      deduplication: { alerts: [compact({ name: 'A', instance: '1', lastSeenAt: ago(0), resolvedAt })] },
    })) as fc.Arbitrary<RemediationStatus>,
);

const analysis = fc
  .record({
    phase: fc.constantFrom(...phaseNames(analysisPhases)),
    reason: maybe(fc.constantFrom(...ANALYSIS_REASONS)),
    needsHumanReview: fc.boolean(),
    approvalRequired: fc.boolean(),
    selectedWorkflow: maybe(fc.constant(WORKFLOW)),
    owner,
  })
  .map(({ owner: metadata, ...change }) => anAnalysis(change, metadata));

const assessment = fc
  .record({
    phase: maybe(fc.constantFrom(...phaseNames(assessmentPhases))),
    assessmentReason: maybe(fc.constantFrom(...ASSESSMENT_REASONS)),
    validityDeadline: maybe(fc.constantFrom(ago(0), ago(-2 * HOUR), 'no time')),
    healthScore: score,
    alertScore: score,
    alertAssessed: fc.boolean(),
    owner,
  })
  .map(({ owner: metadata, healthScore, alertScore, alertAssessed, ...rest }) =>
    anAssessment(compact({ ...rest, components: compact({ healthScore, alertScore, alertAssessed }) }) as never, metadata),
  );

const phased = <P extends string, T>(phases: readonly P[], make: (status: { phase?: P }, metadata: object) => T): fc.Arbitrary<T> =>
  fc.tuple(maybe(fc.constantFrom(...phases)), owner).map(([phase, metadata]) => make(phase === undefined ? {} : { phase }, metadata));

const approval = fc
  .record({
    decision: fc.constantFrom(...phaseNames(approvalPhases)),
    decidedBy: maybe(fc.constant('alex')),
    decidedAt: maybe(fc.constant(ago(0))),
    owner,
  })
  .map(({ owner: metadata, ...decision }) => anApproval(compact(decision) as never, metadata));

const evidence = fc.constantFrom(
  undefined,
  anEvidence(),
  anEvidence({ scope: { kind: 'out', message: 'label it' } }),
  anEvidence({ scope: { kind: 'unreadable', reason: 'forbidden' } }),
);

const seen: fc.Arbitrary<RemediationSeen> = status.chain((given) => {
  const object = aRequest(given);
  const names = requiredNotifications(object, undefined, DEFAULT_SETTINGS).map(({ name }) => name);
  const message = (name: string) => read(phased(phaseNames(notificationPhases), (state, metadata) => aNotification(name, state, metadata)));
  const parts = fc.record({
    identityIsChecked: fc.boolean(),
    isAudited: fc.boolean(),
    health: fc.constantFrom(HEALTHY, healthWith(1)),
    nextAnalysis: read(analysis),
    approval: read(approval),
    namespace: read(fc.constantFrom(aNamespace(), aNamespace({ 'kubernaut.ai/dry-run': 'true' }))),
    workflow: read(fc.constantFrom(aWorkflow(), aWorkflow({ dryRun: true }))),
    overriding: read(fc.constant(aWorkflow())),
    messages: fc.record(Object.fromEntries(names.map((name) => [name, message(name)]))),
    processing: read(phased(phaseNames(signalProcessingPhases), aProcessing)),
    analysis: read(analysis),
    execution: read(phased(phaseNames(executionPhases), anExecution)),
    assessment: read(assessment),
    target: read(fc.constantFrom(aDeployment(), aDeployment({ replicas: 7 }), aDeployment({ replicas: 2 }, { uid: 'another' }))),
  });
  const siblings = { kind: 'value', value: [object] } as const;
  return fc.tuple(parts, evidence).map(([part, found]) => ({
    ...onlyRequest(object, DEFAULT_SETTINGS),
    siblings,
    ...part,
    ...(found && { evidence: { ...found, request: object } }),
  }));
});

const moment = fc.integer({ min: 0, max: 240 }).map((minutes) => at(minutes * MINUTE));
const phaseOf = ({ status: decided }: Decision) => (decided as RemediationStatus | undefined)?.overallPhase;

/** Whatever is seen, and whenever. */
const always = (holds: (seen: RemediationSeen, decision: Decision, now: number) => void): void =>
  fc.assert(
    fc.property(seen, moment, (observed, now) => holds(observed, decide(deepFreeze(observed), now), now)),
    { numRuns: 2_000 },
  );

const needsApproval = ({ object, analysis: source }: RemediationSeen): boolean =>
  object.status?.overallPhase === 'AwaitingApproval' || (source.kind === 'value' && source.value.status?.approvalRequired !== false);

const isApproved = ({ approval: answer, identityIsChecked }: RemediationSeen): boolean =>
  identityIsChecked && answer.kind === 'value' && answer.value.status?.decision === 'Approved';

describe('decide, whatever is seen', () => {
  test('moves along the table only, one step at a time', () =>
    always(({ object }, decision) => {
      const from = object.status?.overallPhase;
      const to = phaseOf(decision);
      if (from === undefined) expect(to).toBe('Pending');
      else if (from !== to && to !== undefined) expect(mayMove(remediationPhases, from, to)).toBe(true);
    }));

  test('looks again, in time, unless it is over', () =>
    always((_, decision, now) => {
      if (!isTerminal(remediationPhases, phaseOf(decision))) expect(decision.wakeAt).toBeDefined();
      if (decision.wakeAt !== undefined) expect(decision.wakeAt).toBeGreaterThan(now);
    }));

  test('an end says what happened and when', () =>
    always(({ object }, decision) => {
      const decided = decision.status as RemediationStatus;
      const hasEnded = isTerminal(remediationPhases, decided.overallPhase) && !isTerminal(remediationPhases, object.status?.overallPhase);
      if (!hasEnded) return;
      expect(decided.message).not.toBe('');
      expect(decided.completedAt).toBeDefined();
      expect(decided.conditions?.some(({ type }) => type === 'Ready')).toBe(true);
      expect(decided.overallPhase === 'Completed' ? decided.outcome : 'any').toBeDefined();
    }));

  test('no notification is created that the table does not allow', () =>
    always((_, decision) => {
      expect(decision.effects.filter((effect) => effect.kind === 'Event')).toEqual([]);
    }));

  test('[RR-206] a run is created before Executing alone, and never without the approval that is asked for', () =>
    always((observed, decision) => {
      if (!decision.effects.some((effect) => effect.kind === 'Create' && effect.resource.kind === 'WorkflowExecution')) return;
      expect(['Analyzing', 'AwaitingApproval']).toContain(observed.object.status?.overallPhase);
      if (needsApproval(observed)) expect(isApproved(observed)).toBe(true);
    }));

  test('Executing is entered with the UID of a run for exactly the recorded plan', () =>
    always(({ object, execution }, decision) => {
      if (object.status?.overallPhase === 'Executing' || phaseOf(decision) !== 'Executing') return;
      const decided = decision.status as RemediationStatus;
      expect(execution.kind === 'value' && execution.value.metadata.uid).toBe(decided.workflowExecutionRef?.uid);
      expect(execution.kind === 'value' && execution.value.spec.planDigest).toBe(decided.planDigest);
    }));

  test('[RR-002] its work is done by its children: it makes and removes nothing else', () =>
    always((_, decision) => {
      for (const effect of decision.effects)
        if ('resource' in effect) expect([...CHILDREN, 'RemediationRequest']).toContain(effect.resource.kind);
    }));

  test('a recorded UID is never replaced', () =>
    always(({ object }, decision) => {
      const before = object.status?.workflowExecutionRef?.uid;
      if (before !== undefined && object.status?.overallPhase === 'Executing')
        expect((decision.status as RemediationStatus).workflowExecutionRef?.uid).toBe(before);
    }));

  test('deciding again on what was decided changes nothing but by a step', () =>
    always((observed, decision, now) => {
      const next = { ...observed, object: aRequest(decision.status as RemediationStatus) };
      const again = decide(deepFreeze(next), at(now - at(0)));
      if (phaseOf(again) === phaseOf(decision) && phaseOf(decision) === observed.object.status?.overallPhase)
        expect(again.status).toEqual(decision.status);
    }));
});
