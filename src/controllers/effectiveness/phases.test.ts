import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSESSMENT_REASONS } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases, type AssessmentPhase } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal, mayMove, phaseNames } from '../../api/phases.ts';
import { deepFreeze, MINUTE } from '../../base/index.ts';
import { assessmentConfig } from '../remediation/verification/assessment-delays.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { decide } from './decide.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import type { AssessmentSeen } from './observe.ts';
import type { AssessmentStatus } from './status.ts';
import { ABSENT, aDeployment, anAssessment, aPod, at, firing, measured, NEVER_RAN, NOT_ASKED, UNREADABLE } from './testing/builders.ts';

const phases = phaseNames(assessmentPhases) as readonly AssessmentPhase[];
const SEED = 4;

/** Whatever can be seen of an assessment in a phase. */
const seenIn = (phase: AssessmentPhase | undefined): fc.Arbitrary<AssessmentSeen> =>
  fc.record({
    object: fc
      .record({ hashComputeDelay: fc.constantFrom(undefined, '0s', '4m'), alertCheckDelay: fc.constantFrom(undefined, '7m') })
      .map((delays) => Object.fromEntries(Object.entries(delays).filter(([, delay]) => delay !== undefined)))
      .map((delays) => anAssessment(phase && { phase }, { config: { stabilizationWindow: '5m', ...delays } })),
    settings: fc.constant(DEFAULT_SETTINGS),
    target: fc.constantFrom<AssessmentSeen['target']>(ABSENT, UNREADABLE, { kind: 'value', value: aDeployment() }),
    pods: fc.constantFrom<AssessmentSeen['pods']>(UNREADABLE, undefined, { kind: 'value', value: [aPod('a'), aPod('b')] }),
    alerts: fc.constantFrom<AssessmentSeen['alerts']>({ kind: 'off' }, UNREADABLE, { kind: 'value', value: [] }, firing()),
    metrics: fc.constantFrom<AssessmentSeen['metrics']>({ kind: 'off' }, UNREADABLE, measured(2, 1)),
    execution: fc.constantFrom<AssessmentSeen['execution']>(NOT_READ, NEVER_RAN),
  });
const minutes = fc.integer({ min: 0, max: 60 });

/** Holds a property against every decision about an assessment in one of these phases. */
function always(from: readonly (AssessmentPhase | undefined)[], holds: (after: AssessmentStatus, seen: AssessmentSeen) => void): void {
  const seen = fc.constantFrom(...from).chain(seenIn);
  fc.assert(
    fc.property(seen, minutes, (observed, minute) => {
      holds(decide(deepFreeze(observed), at(minute * MINUTE)).status as AssessmentStatus, observed);
    }),
    { seed: SEED, numRuns: 500 },
  );
}

describe('the phases of an assessment', () => {
  /** As the diagram draws them. */
  const ARROWS: Readonly<Record<AssessmentPhase, readonly AssessmentPhase[]>> = {
    Pending: ['WaitingForPropagation', 'Stabilizing', 'Assessing', 'Failed'],
    WaitingForPropagation: ['Stabilizing', 'Failed'],
    Stabilizing: ['Assessing', 'Failed'],
    Assessing: ['Completed', 'Failed'],
    Completed: [],
    Failed: [],
  };
  test.each(phases)('[EM-029] from %s lead the arrows of the diagram, and no other', (from) =>
    expect(phases.filter((to) => mayMove(assessmentPhases, from, to)).toSorted()).toEqual(ARROWS[from].toSorted()),
  );

  test('[EM-032] Pending is left by the first look, whatever it sees', () =>
    always(['Pending'], ({ phase }) => expect(phase).not.toBe('Pending')));

  test('[EM-033] WaitingForPropagation is for targets that others apply changes to', () =>
    always([undefined, 'Pending'], ({ phase }, { object }) => {
      if ((object.spec.config.hashComputeDelay ?? '0s') === '0s') expect(phase).not.toBe('WaitingForPropagation');
    }));

  const base = aDeployment();
  const gitOps = { ...base, metadata: { ...base.metadata, labels: { 'argocd.argoproj.io/instance': 'shop' } } };
  const builtIn = { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' };
  const operated = { kind: 'Postgres', name: 'orders', namespace: 'shop', apiVersion: 'acid.zalan.do/v1' };
  test.each([
    ['GitOps syncs it', builtIn, gitOps, 'WaitingForPropagation'],
    ['an operator reconciles it', operated, undefined, 'WaitingForPropagation'],
    ['both', operated, gitOps, 'WaitingForPropagation'],
    ['neither', builtIn, undefined, 'Stabilizing'],
  ])(
    '[EM-034] the assessment waits for a change that takes a while to arrive, whichever controller applies it: %s',
    (_, remediationTarget, object, phase) => {
      const config = assessmentConfig(remediationTarget, { object }, DEFAULT_SETTINGS);
      const assessment = anAssessment({ phase: 'Pending' }, { config, remediationTarget });
      expect(
        decide({ ...NOT_ASKED, object: assessment, settings: DEFAULT_SETTINGS, target: UNREADABLE, pods: UNREADABLE }, at(0)).status,
      ).toMatchObject({
        phase,
      });
    },
  );

  test('[EM-038] nothing is scored before Assessing', () =>
    always([undefined, 'Pending', 'WaitingForPropagation', 'Stabilizing'], ({ components = {} }) =>
      expect(Object.keys(components).filter((name) => name !== 'baselineSpecHash')).toEqual([]),
    ));
});

describe('the end of an assessment', () => {
  const REASONS = ['NoExecution', 'Partial', 'Full', 'SpecDrift', 'Expired', 'MetricsTimedOut', 'AlertDecayTimeout', 'Unrecoverable'];

  test('[EM-069] has one of eight reasons, spelled as listed', () => expect(ASSESSMENT_REASONS.toSorted()).toEqual(REASONS.toSorted()));

  test('[EM-068] always has a reason', () =>
    always(phases, ({ phase, assessmentReason }, { object }) => {
      if (isTerminal(assessmentPhases, object.status?.phase)) return;
      if (isTerminal(assessmentPhases, phase)) expect(REASONS).toContain(assessmentReason);
      else expect(assessmentReason).toBeUndefined();
    }));

  test('[EM-143] knows of the alert that it fires, that it does not, or nothing', () =>
    always(phases, ({ components }) => expect([undefined, 0, 1]).toContain(components?.alertScore)));
});

test('[EM-003, EM-235] an assessment that is looked at changes nothing but itself', () => {
  const seen = fc.constantFrom(undefined, ...phases).chain(seenIn);
  fc.assert(
    fc.property(seen, minutes, (observed, minute) => void expect(decide(observed, at(minute * MINUTE)).effects).toEqual([])),
    { seed: SEED, numRuns: 500 },
  );
});
