import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssessmentPhase } from '../../api/effectiveness-assessment/phases.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal, mayMove, phaseNames } from '../../api/phases.ts';
import { deepFreeze, MINUTE, SECOND } from '../../base/index.ts';
import { getCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { specHash } from '../target/index.ts';
import { decide } from './decide.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import type { AssessmentSeen } from './observe.ts';
import type { AssessmentStatus } from './status.ts';
import { ABSENT, aDeployment, anAssessment, aPod, at, firing, measured, NOT_ASKED, time, UNREADABLE } from './testing/builders.ts';

const settings = DEFAULT_SETTINGS;
const HASH = specHash(aDeployment());
const OTHER = `sha256:${'0'.repeat(64)}`;
const times = { prometheusCheckAfter: time(5 * MINUTE), alertManagerCheckAfter: time(5 * MINUTE), validityDeadline: time(30 * MINUTE) };
const stabilizing: AssessmentStatus = { phase: 'Stabilizing', ...times };
const assessing: AssessmentStatus = { phase: 'Assessing', ...times };
const target: AssessmentSeen['target'] = { kind: 'value', value: aDeployment() };
const wellPods: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a'), aPod('b')] };
const illPods: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a', { ready: false }), aPod('b', { ready: false })] };

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly status?: AssessmentStatus;
  readonly spec?: Partial<AssessmentSeen['object']['spec']>;
  readonly seen?: Partial<AssessmentSeen>;
  readonly atMs?: number;
  readonly want: AssessmentStatus;
  /** When it looks again; undefined when it is over. */
  readonly wakesMs?: number;
}

const waits: readonly Case[] = [
  {
    name: '[EM-018] new',
    reason: 'every assessment starts in Pending',
    want: { phase: 'Pending', observedGeneration: 1 },
    wakesMs: 15_000,
  },
  {
    name: '[EM-020, EM-035] pending',
    reason: 'the change has to settle first; the times are recorded',
    status: { phase: 'Pending' },
    want: stabilizing,
    wakesMs: 15_000,
  },
  {
    name: '[EM-021] pending, the window is over',
    reason: 'the monitor was down',
    status: { phase: 'Pending' },
    atMs: 6 * MINUTE,
    want: assessing,
    wakesMs: 6 * MINUTE + 15_000,
  },
  {
    name: '[EM-048] settling',
    reason: 'nothing is looked at before its time',
    status: stabilizing,
    seen: { target, pods: wellPods },
    atMs: 5 * MINUTE - 1,
    want: stabilizing,
    wakesMs: 5 * MINUTE,
  },
  {
    name: 'settled',
    reason: 'five minutes are over',
    status: stabilizing,
    atMs: 5 * MINUTE,
    want: assessing,
    wakesMs: 5 * MINUTE + 15_000,
  },
];

const ASYNC = { config: { stabilizationWindow: '5m', hashComputeDelay: '4m' } };
const asyncTimes = {
  prometheusCheckAfter: time(9 * MINUTE),
  alertManagerCheckAfter: time(9 * MINUTE),
  validityDeadline: time(39 * MINUTE),
};
const propagating: AssessmentStatus = { phase: 'WaitingForPropagation', ...asyncTimes };
const baseline = { components: { baselineSpecHash: HASH } };

/** Targets that others apply changes to. */
const propagation: readonly Case[] = [
  {
    name: '[EM-019] pending',
    reason: 'the change is on its way',
    status: { phase: 'Pending' },
    want: propagating,
    wakesMs: 15_000,
  },
  {
    name: 'pending, the change has arrived meanwhile',
    reason: 'the monitor was down: it settles already',
    status: { phase: 'Pending' },
    atMs: 4 * MINUTE,
    want: { phase: 'Stabilizing', ...asyncTimes },
    wakesMs: 4 * MINUTE + 15_000,
  },
  {
    name: 'pending, all of it is over',
    reason: 'the monitor was down for long',
    status: { phase: 'Pending' },
    atMs: 9 * MINUTE,
    want: { phase: 'Assessing', ...asyncTimes },
    wakesMs: 9 * MINUTE + 15_000,
  },
  {
    name: '[EM-023, EM-213, EM-214] propagating, a millisecond early',
    reason: 'nothing is hashed before it has arrived; it sleeps for the rest of the delay',
    status: propagating,
    seen: { target },
    atMs: 4 * MINUTE - 1,
    want: propagating,
    wakesMs: 4 * MINUTE,
  },
  {
    name: '[EM-023, EM-181] propagated',
    reason: 'drift is measured from what has arrived',
    status: propagating,
    seen: { target },
    atMs: 4 * MINUTE,
    want: { phase: 'Stabilizing', ...asyncTimes, ...baseline },
    wakesMs: 4 * MINUTE + 15_000,
  },
  {
    name: 'propagated, the target unreadable',
    reason: 'it settles all the same',
    status: propagating,
    atMs: 4 * MINUTE,
    want: { phase: 'Stabilizing', ...asyncTimes },
    wakesMs: 4 * MINUTE + 15_000,
  },
  {
    name: 'propagated, the target absent',
    reason: 'it may be on its way; nothing is judged yet',
    status: propagating,
    seen: { target: ABSENT },
    atMs: 4 * MINUTE,
    want: { phase: 'Stabilizing', ...asyncTimes },
    wakesMs: 4 * MINUTE + 15_000,
  },
  {
    name: 'settling without a baseline',
    reason: 'it is taken as soon as it can be',
    status: { phase: 'Stabilizing', ...asyncTimes },
    seen: { target },
    atMs: 5 * MINUTE,
    want: { phase: 'Stabilizing', ...baseline },
    wakesMs: 9 * MINUTE,
  },
  {
    name: 'settling without a baseline, the target unreadable',
    reason: 'it is tried again',
    status: { phase: 'Stabilizing', ...asyncTimes },
    atMs: 5 * MINUTE,
    want: { phase: 'Stabilizing', ...asyncTimes },
    wakesMs: 5 * MINUTE + 15_000,
  },
  {
    name: 'settling with a baseline',
    reason: 'it is taken once',
    status: { phase: 'Stabilizing', ...asyncTimes, components: { baselineSpecHash: OTHER } },
    seen: { target },
    atMs: 5 * MINUTE,
    want: { phase: 'Stabilizing', components: { baselineSpecHash: OTHER } },
    wakesMs: 9 * MINUTE,
  },
  {
    name: '[EM-025] settling, a millisecond early',
    reason: 'the window begins when the change has arrived',
    status: { phase: 'Stabilizing', ...asyncTimes, ...baseline },
    atMs: 9 * MINUTE - 1,
    want: { phase: 'Stabilizing', ...asyncTimes },
    wakesMs: 9 * MINUTE,
  },
  {
    name: '[EM-025] settled',
    reason: 'the window is over',
    status: { phase: 'Stabilizing', ...asyncTimes, ...baseline },
    atMs: 9 * MINUTE,
    want: { phase: 'Assessing', ...asyncTimes, ...baseline },
    wakesMs: 9 * MINUTE + 15_000,
  },
  {
    name: '[EM-181] assessing, as it was when the change had arrived',
    reason: 'what the workflow left is not the measure',
    status: { phase: 'Assessing', ...asyncTimes, ...baseline },
    spec: { ...ASYNC, appliedSpecHash: OTHER },
    seen: { target, pods: wellPods },
    atMs: 9 * MINUTE,
    want: { phase: 'Completed', assessmentReason: 'Full' },
  },
  {
    name: '[EM-178] assessing, changed since the change had arrived',
    reason: 'another client made that change',
    status: { phase: 'Assessing', ...asyncTimes, components: { baselineSpecHash: OTHER } },
    spec: { ...ASYNC, appliedSpecHash: HASH },
    seen: { target, pods: wellPods },
    atMs: 9 * MINUTE,
    want: { phase: 'Completed', assessmentReason: 'SpecDrift' },
  },
];

const full = { phase: 'Completed', assessmentReason: 'Full' } as const;

const looks: readonly Case[] = [
  {
    name: '[EM-027, EM-039, EM-072, EM-073, EM-175] all is known',
    reason: 'nothing waits for the deadline; what is not configured is not missing',
    seen: { target, pods: wellPods },
    want: {
      ...full,
      message: '2 of 2 pods ready',
      completedAt: time(6 * MINUTE),
      components: {
        healthAssessed: true,
        healthScore: 1,
        alertAssessed: true,
        metricsAssessed: true,
        hashComputed: true,
        postRemediationSpecHash: HASH,
        currentSpecHash: HASH,
      },
    },
  },
  {
    name: 'all is known, and the target is unhealthy',
    reason: 'a bad result is a result',
    seen: { target, pods: illPods },
    want: { ...full, message: '0 of 2 pods ready', components: { healthScore: 0 } },
  },
  {
    name: '[EM-073, EM-133] a target without pods',
    reason: 'health says nothing about it',
    spec: { remediationTarget: { kind: 'Service', name: 'checkout', namespace: 'shop' } },
    seen: { target, pods: undefined },
    want: { ...full, message: 'the target has no pods of its own', components: { healthAssessed: true } },
  },
  {
    name: 'scaled to zero on purpose',
    reason: 'the workflow meant it',
    spec: { scalesToZero: true },
    seen: { target: { kind: 'value', value: aDeployment(0) }, pods: { kind: 'value', value: [] } },
    want: { ...full, message: 'scaled to zero, as the workflow intended' },
  },
  {
    name: 'no number of replicas',
    reason: 'Kubernetes takes it for one',
    seen: { target: { kind: 'value', value: { ...aDeployment(), spec: { selector: {} } } }, pods: { kind: 'value', value: [aPod('a')] } },
    want: { ...full, message: '1 of 1 pods ready' },
  },
  {
    name: 'a DaemonSet',
    reason: 'how many it wants stands in its status',
    seen: {
      target: {
        kind: 'value',
        value: { ...aDeployment(), kind: 'DaemonSet', status: { desiredNumberScheduled: 3 } } as unknown as ReturnType<typeof aDeployment>,
      },
      pods: wellPods,
    },
    want: { ...full, message: '2 of 3 pods ready' },
  },
  {
    name: '[EM-075, EM-179] as the workflow left it',
    reason: 'no drift',
    spec: { appliedSpecHash: HASH, preRemediationSpecHash: OTHER },
    seen: { target, pods: wellPods },
    want: full,
  },
  {
    name: '[EM-074] changed since the workflow ran',
    reason: 'what is seen would be the work of others',
    spec: { appliedSpecHash: OTHER },
    seen: { target, pods: wellPods },
    want: { phase: 'Completed', assessmentReason: 'SpecDrift', components: { healthScore: 1 } },
  },
  {
    name: 'changed since the workflow ran, the pods unreadable',
    reason: 'it is over at once all the same',
    spec: { appliedSpecHash: OTHER },
    seen: { target, pods: UNREADABLE },
    want: { phase: 'Completed', assessmentReason: 'SpecDrift' },
  },
  {
    name: '[EM-182] changed since the first look',
    reason: 'the guard stands until the end',
    status: { ...assessing, components: { hashComputed: true, postRemediationSpecHash: OTHER } },
    seen: { target, pods: wellPods },
    want: { phase: 'Completed', assessmentReason: 'SpecDrift', components: { currentSpecHash: HASH } },
  },
  {
    name: '[EM-040, EM-043, EM-079, EM-124] the target is gone',
    reason: 'a deleted workload silences its own alert and must not count as a success',
    seen: { target: ABSENT, pods: UNREADABLE },
    want: { phase: 'Failed', assessmentReason: 'Unrecoverable', components: { healthAssessed: true, healthScore: 0 } },
  },
  {
    name: 'the target unreadable',
    reason: 'not known is not absent',
    seen: { target: UNREADABLE, pods: UNREADABLE },
    want: assessing,
    wakesMs: 6 * MINUTE + 15_000,
  },
  {
    name: '[EM-137] the pods unreadable',
    reason: 'what is known stays, what is not is tried again',
    seen: { target, pods: UNREADABLE },
    want: { ...assessing, components: { hashComputed: true, postRemediationSpecHash: HASH, currentSpecHash: HASH } },
    wakesMs: 6 * MINUTE + 15_000,
  },
  {
    name: 'the pods unreadable, shortly before the deadline',
    reason: 'no look comes later than the deadline',
    seen: { target, pods: UNREADABLE },
    atMs: 30 * MINUTE - 5 * SECOND,
    want: assessing,
    wakesMs: 30 * MINUTE,
  },
];

const deadlines: readonly Case[] = [
  {
    name: '[EM-071, EM-110] something is known',
    reason: 'what is known stands',
    status: { ...assessing, components: { hashComputed: true, alertAssessed: true, metricsAssessed: true } },
    want: { phase: 'Completed', assessmentReason: 'Partial', components: { hashComputed: true } },
  },
  {
    name: '[EM-031, EM-076] nothing is known',
    reason: 'that nothing else is configured is no finding',
    status: { ...assessing, components: { alertAssessed: true, metricsAssessed: true } },
    want: { phase: 'Completed', assessmentReason: 'Expired' },
  },
  {
    name: '[EM-113] all could be known now',
    reason: 'nothing is looked at after the deadline',
    seen: { target, pods: wellPods },
    want: { phase: 'Completed', assessmentReason: 'Expired' },
  },
];

function judgeCase({ status, spec, seen, atMs = 0, want, wakesMs }: Case): void {
  const observed: AssessmentSeen = {
    ...NOT_ASKED,
    object: anAssessment(status, spec),
    settings,
    target: UNREADABLE,
    pods: UNREADABLE,
    ...seen,
  };
  const decision = decide(observed, at(atMs));
  expect(decision.status).toMatchObject(want);
  expect(decision.effects).toEqual([]);
  expect(decision.wakeAt).toBe(wakesMs === undefined ? undefined : at(wakesMs));
}

describe('an assessment', () => {
  test.each(waits)('$name: $reason', (row) => judgeCase(row));
  test.each(propagation)('of what others apply, $name: $reason', (row) => judgeCase({ spec: ASYNC, ...row }));

  test.each(['Pending', 'WaitingForPropagation', 'Stabilizing', 'Assessing'] as const)(
    '[EM-022, EM-024, EM-026, EM-028, EM-041] %s: a target that can never be read ends it at once, with the reason',
    (phase) => {
      const object = anAssessment({ phase }, { remediationTarget: { kind: 'Deployment', name: 'checkout' } });
      const { status, wakeAt } = decide({ ...NOT_ASKED, object, settings, target: UNREADABLE, pods: UNREADABLE }, at(MINUTE));
      expect(status).toMatchObject({ phase: 'Failed', assessmentReason: 'Unrecoverable' });
      expect((status as AssessmentStatus).message).toContain('Deployment/checkout names no namespace');
      expect(wakeAt).toBeUndefined();
    },
  );

  for (const row of looks) test(`assessing, ${row.name}: ${row.reason}`, () => judgeCase({ status: assessing, atMs: 6 * MINUTE, ...row }));
  test.each(deadlines)('at the deadline, $name: $reason', (row) => judgeCase({ status: assessing, atMs: 30 * MINUTE, ...row }));

  test.each(['Completed', 'Failed'] as const)('[EM-030] %s is the end: nothing changes any more', (phase) => {
    const status: AssessmentStatus = { phase, assessmentReason: 'Full', components: { healthScore: 1 } };
    const object = anAssessment(status);
    expect(decide({ ...NOT_ASKED, object, settings, target: ABSENT, pods: illPods }, at(6 * MINUTE))).toEqual({ status, effects: [] });
  });

  test('[EM-017] what is not configured is assessed without a score, and a missing score is absent', () => {
    const seen = { ...NOT_ASKED, object: anAssessment(assessing), settings, target, pods: wellPods };
    const { components } = decide(seen, at(6 * MINUTE)).status as AssessmentStatus;
    expect(components).toMatchObject({ alertAssessed: true, metricsAssessed: true });
    expect(components).not.toHaveProperty('alertScore');
    expect(components).not.toHaveProperty('metricsScore');
  });

  const conditionsOf = (more: Partial<AssessmentSeen>, spec: Partial<AssessmentSeen['object']['spec']> = {}) => {
    const seen = { ...NOT_ASKED, object: anAssessment(assessing, spec), settings, target, pods: wellPods, ...more };
    return (decide(seen, at(6 * MINUTE)).status as AssessmentStatus).conditions;
  };

  test('[EM-273, EM-275] the end is told in conditions', () => {
    const well = conditionsOf({});
    expect(getCondition(well, 'Ready')).toMatchObject({ status: 'True', reason: 'Full', message: '2 of 2 pods ready' });
    expect(getCondition(well, 'AssessmentComplete')).toMatchObject({ status: 'True', reason: 'Full' });
    expect(getCondition(well, 'SpecIntegrity')).toMatchObject({ status: 'True', reason: 'SpecUnchanged' });
    const drifted = conditionsOf({}, { appliedSpecHash: OTHER });
    expect(getCondition(drifted, 'SpecIntegrity')).toMatchObject({ status: 'False', reason: 'SpecDrifted' });
    const gone = conditionsOf({ target: ABSENT });
    expect(getCondition(gone, 'Ready')).toMatchObject({ status: 'False', reason: 'Unrecoverable' });
    expect(getCondition(gone, 'SpecIntegrity')).toBeUndefined();
  });
});

describe('decide, whatever is seen', () => {
  const fcAsked = {
    alerts: fc.constantFrom<AssessmentSeen['alerts']>({ kind: 'off' }, UNREADABLE, { kind: 'value', value: [] }, firing()),
    metrics: fc.constantFrom<AssessmentSeen['metrics']>({ kind: 'off' }, UNREADABLE, { kind: 'value', value: [] }, measured(2, 1)),
    execution: fc.constant(NOT_READ),
  };
  const seen: fc.Arbitrary<AssessmentSeen> = fc.record({
    object: fc
      .option(fc.constantFrom(...phaseNames(assessmentPhases)), { nil: undefined })
      .chain((phase) => fc.constantFrom(phase && { phase }, phase && { phase, ...times }))
      .map((status) => anAssessment(status)),
    ...fcAsked,
    settings: fc.constant(settings),
    target: fc.constantFrom<AssessmentSeen['target']>(ABSENT, UNREADABLE, target, { kind: 'value', value: aDeployment(7) }),
    pods: fc.constantFrom<AssessmentSeen['pods']>(UNREADABLE, undefined, wellPods, illPods, { kind: 'value', value: [] }),
  });
  const phaseOf = ({ status }: Decision): AssessmentPhase | undefined => (status as AssessmentStatus).phase;

  test('[EM-029] moves along the table, and looks again in time unless it is over', () =>
    fc.assert(
      fc.property(seen, fc.integer({ min: 0, max: 60 }), (observed, minutes) => {
        const now = at(minutes * MINUTE);
        const decision = decide(deepFreeze(observed), now);
        const from = observed.object.status?.phase;
        const to = phaseOf(decision);
        if (from === undefined) expect(to).toBe('Pending');
        else if (to !== undefined && from !== to) expect(mayMove(assessmentPhases, from, to)).toBe(true);
        expect(decision.wakeAt !== undefined).toBe(!isTerminal(assessmentPhases, to));
        if (decision.wakeAt !== undefined) expect(decision.wakeAt).toBeGreaterThan(now);
      }),
    ));
});
