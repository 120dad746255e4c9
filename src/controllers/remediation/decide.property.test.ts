import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analysisPhases } from '../../api/ai-analysis/phases.ts';
import { ANALYSIS_REASONS } from '../../api/ai-analysis/status.ts';
import { ASSESSMENT_REASONS } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { notificationPhases } from '../../api/notification-request/phases.ts';
import { isTerminal, mayMove, phaseNames } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { OUTCOMES } from '../../api/remediation-request/status.ts';
import { signalProcessingPhases } from '../../api/signal-processing/phases.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import { deepFreeze, HOUR, MINUTE } from '../../base/index.ts';
import type { Decision, Read } from '../../runtime/controller.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { decide } from './decide.ts';
import { notificationName } from './notification.ts';
import type { RemediationSeen } from './observe.ts';
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
  aRequest,
  assessed,
  at,
  executing,
  running,
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
      base: fc.constantFrom<RemediationStatus>({}, executing, running, verifying, assessed),
      overallPhase: maybe(fc.constantFrom(...phaseNames(remediationPhases))),
      outcome: maybe(fc.constantFrom(...OUTCOMES)),
      startTime: maybe(fc.constantFrom(ago(0), ago(HOUR), 'no time')),
      timeoutConfig: maybe(fc.constantFrom({}, { global: '1m', executing: 'x' }, { analyzing: '0s' })),
      resolvedAt: maybe(fc.constant(ago(0))),
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

const seen: fc.Arbitrary<RemediationSeen> = status.chain((given) => {
  const object = aRequest(given);
  return fc.record({
    object: fc.constant(object),
    processing: read(phased(phaseNames(signalProcessingPhases), aProcessing)),
    analysis: read(analysis),
    execution: read(phased(phaseNames(executionPhases), anExecution)),
    assessment: read(assessment),
    notification: read(
      phased(phaseNames(notificationPhases), (state, metadata) => aNotification(notificationName(object), state, metadata)),
    ),
    target: read(fc.constantFrom(aDeployment(), aDeployment({ replicas: 7 }), aDeployment({ replicas: 2 }, { uid: 'another' }))),
  });
});

const moment = fc.integer({ min: 0, max: 240 }).map((minutes) => at(minutes * MINUTE));
const phaseOf = ({ status: decided }: Decision) => (decided as RemediationStatus | undefined)?.overallPhase;

/** Whatever is seen, and whenever. */
const always = (holds: (seen: RemediationSeen, decision: Decision, now: number) => void): void =>
  fc.assert(
    fc.property(seen, moment, (observed, now) => holds(observed, decide(deepFreeze(observed), now, DEFAULT_SETTINGS), now)),
    { numRuns: 2_000 },
  );

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

  test('a run is created in Executing alone, and only while none is on record', () =>
    always(({ object }, decision) => {
      if (!decision.effects.some((effect) => effect.kind === 'Create' && effect.resource.kind === 'WorkflowExecution')) return;
      expect(object.status?.overallPhase).toBe('Executing');
      expect(object.status?.workflowExecutionRef?.uid).toBeUndefined();
      expect(phaseOf(decision)).toBe('Executing');
    }));

  test('a UID on record is never replaced', () =>
    always(({ object }, decision) => {
      const before = object.status?.workflowExecutionRef?.uid;
      if (before !== undefined && object.status?.overallPhase === 'Executing')
        expect((decision.status as RemediationStatus).workflowExecutionRef?.uid).toBe(before);
    }));

  test('deciding again on what was decided changes nothing but by a step', () =>
    always((observed, decision, now) => {
      const next = { ...observed, object: aRequest(decision.status as RemediationStatus) };
      const again = decide(deepFreeze(next), at(now - at(0)), DEFAULT_SETTINGS);
      if (phaseOf(again) === phaseOf(decision) && phaseOf(decision) === observed.object.status?.overallPhase)
        expect(again.status).toEqual(decision.status);
    }));
});
