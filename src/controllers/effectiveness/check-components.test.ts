import { describe, expect, test } from 'vitest';
import type { Condition } from '../../api/meta.ts';
import { MINUTE, SECOND } from '../../base/index.ts';
import { getCondition } from '../../kube/objects/conditions.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { specHash } from '../target/index.ts';
import { decide } from './decide.ts';
import type { AssessmentSeen } from './observe.ts';
import type { Measured } from './scorers/metrics.ts';
import type { AssessmentStatus, Components } from './status.ts';
import {
  ABSENT,
  aDeployment,
  ALERT,
  anAssessment,
  aNode,
  aPod,
  at,
  firing,
  measured,
  NEVER_RAN,
  nodeCondition,
  NOT_ASKED,
  SILENT,
  time,
  UNREADABLE,
} from './testing/builders.ts';

const HASH = specHash(aDeployment());
const OFF = { kind: 'off' } as const;
const DOWN = { kind: 'unreadable', reason: 'it cannot be asked: no answer within 10 s' } as const;
const target: AssessmentSeen['target'] = { kind: 'value', value: aDeployment() };
const well: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a'), aPod('b')] };
const half: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a'), aPod('b', { ready: false })] };
const unhealthyPods: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a', { ready: false }), aPod('b', { ready: false })] };
const times = { prometheusCheckAfter: time(5 * MINUTE), alertManagerCheckAfter: time(5 * MINUTE), validityDeadline: time(30 * MINUTE) };
const decaying = (sinceMs: number): Condition => ({
  type: 'AlertDecayDetected',
  status: 'True',
  reason: 'AlertDecaying',
  message: '',
  lastTransitionTime: time(sinceMs),
});

interface Case {
  readonly name: string;
  readonly status?: AssessmentStatus;
  readonly spec?: Partial<AssessmentSeen['object']['spec']>;
  readonly seen?: Partial<AssessmentSeen>;
  readonly atMs?: number;
  readonly want: AssessmentStatus;
  /** Components that must not be there. */
  readonly without?: readonly (keyof Components)[];
  readonly wakesMs?: number;
}

function judge({ status, spec, seen, atMs = 6 * MINUTE, want, without = [], wakesMs }: Case): AssessmentStatus {
  const object = anAssessment({ phase: 'Assessing', ...times, ...status }, spec);
  const observed: AssessmentSeen = { ...NOT_ASKED, object, settings: DEFAULT_SETTINGS, target, pods: well, ...seen };
  const decision = decide(observed, at(atMs));
  const decided = decision.status as AssessmentStatus;
  expect(decided).toMatchObject(want);
  for (const component of without) expect(decided.components).not.toHaveProperty(component);
  expect(decision.wakeAt).toBe(wakesMs === undefined ? undefined : at(wakesMs));
  return decided;
}

const full = { phase: 'Completed', assessmentReason: 'Full' } as const;
const known = { healthAssessed: true, healthScore: 1, hashComputed: true } as const;
const goesOn = { phase: 'Assessing' } as const;

const alerts: readonly Case[] = [
  {
    name: '[EM-138, EM-037] gone',
    seen: { alerts: SILENT },
    want: { ...full, message: `2 of 2 pods ready; ${ALERT} no longer fires`, components: { alertAssessed: true, alertScore: 1 } },
  },
  {
    name: '[EM-002, EM-139, EM-149] firing, the target unhealthy',
    seen: { alerts: firing(), pods: unhealthyPods },
    want: { ...full, message: `0 of 2 pods ready; ${ALERT} still fires (1)`, components: { alertScore: 0, healthScore: 0 } },
  },
  {
    name: '[EM-119] no Alertmanager is configured',
    seen: { alerts: OFF },
    want: { ...full, components: { alertAssessed: true } },
    without: ['alertScore'],
  },
  {
    name: '[EM-140, EM-142] not to be reached: asked again',
    seen: { alerts: DOWN },
    want: { ...goesOn, components: { healthScore: 1, metricsAssessed: true } },
    without: ['alertAssessed', 'alertScore'],
    wakesMs: 6 * MINUTE + 30 * SECOND,
  },
  {
    name: '[EM-142] reached at last',
    status: {
      message: '2 of 2 pods ready',
      components: { healthAssessed: true, healthScore: 1, hashComputed: true, metricsAssessed: true },
    },
    seen: { alerts: SILENT },
    want: { ...full, components: { alertScore: 1, healthScore: 1 } },
  },
  {
    name: 'resolved while no pod is ready: no evidence of a fix (ruling 129)',
    seen: { alerts: SILENT, pods: unhealthyPods },
    want: {
      ...full,
      message: `0 of 2 pods ready; ${ALERT} no longer fires, which says nothing while the target is unhealthy`,
      components: { alertAssessed: true, healthScore: 0 },
    },
    without: ['alertScore'],
  },
  {
    name: '[EM-138] resolved while some pods are ready',
    seen: { alerts: SILENT, pods: half },
    want: { ...full, components: { alertScore: 1, healthScore: 0.5 } },
  },
  {
    name: '[EM-146] a millisecond before it may be looked at',
    status: { alertManagerCheckAfter: time(8 * MINUTE) },
    seen: { alerts: SILENT },
    atMs: 8 * MINUTE - 1,
    want: { ...goesOn, components: { healthScore: 1 } },
    without: ['alertAssessed'],
    wakesMs: 8 * MINUTE,
  },
  {
    name: '[EM-146] at the very time',
    status: { alertManagerCheckAfter: time(8 * MINUTE) },
    seen: { alerts: SILENT },
    atMs: 8 * MINUTE,
    want: { ...full, components: { alertScore: 1 } },
  },
  {
    name: '[EM-150] firing, and the target has no pods to be well by',
    seen: { alerts: firing(), pods: undefined },
    want: { ...full, components: { alertScore: 0, healthAssessed: true } },
  },
  {
    name: '[EM-121] firing, the pods unreadable: whether the alert decays is unknown',
    seen: { alerts: firing(), pods: UNREADABLE },
    want: { ...goesOn, components: { hashComputed: true, metricsAssessed: true } },
    without: ['alertAssessed', 'alertDecayRetries'],
    wakesMs: 6 * MINUTE + 15 * SECOND,
  },
  {
    name: '[EM-123] assessed: not looked at again',
    status: { components: { alertAssessed: true, alertScore: 1, hashComputed: true } },
    seen: { alerts: firing(), pods: unhealthyPods },
    want: { ...full, components: { alertScore: 1, healthScore: 0 } },
  },
];

const decay: readonly Case[] = [
  {
    name: '[EM-148, EM-151, EM-152, EM-156] firing, the target well',
    seen: { alerts: firing() },
    want: { ...goesOn, components: { alertDecayRetries: 1, healthScore: 1 } },
    without: ['alertAssessed', 'alertScore'],
    wakesMs: 6 * MINUTE + 30 * SECOND,
  },
  {
    name: '[EM-148] firing, the target well in part',
    seen: { alerts: firing(), pods: half },
    want: { ...goesOn, components: { alertDecayRetries: 1, healthScore: 0.5 } },
    wakesMs: 6 * MINUTE + 30 * SECOND,
  },
  {
    name: '[EM-151, EM-156] looked at again',
    status: {
      components: { alertDecayRetries: 1, healthAssessed: true, healthScore: 1, hashComputed: true },
      conditions: [decaying(6 * MINUTE)],
    },
    seen: { alerts: firing() },
    atMs: 6 * MINUTE + 30 * SECOND,
    want: { ...goesOn, components: { alertDecayRetries: 2 } },
    wakesMs: 7 * MINUTE,
  },
  {
    name: 'looked at for another reason: not counted',
    status: {
      components: { alertDecayRetries: 2, healthAssessed: true, healthScore: 1, hashComputed: true },
      conditions: [decaying(6 * MINUTE)],
    },
    seen: { alerts: firing() },
    atMs: 6 * MINUTE + 45 * SECOND,
    want: { ...goesOn, components: { alertDecayRetries: 2 } },
    wakesMs: 7 * MINUTE + 15 * SECOND,
  },
  {
    name: '[EM-153] cleared',
    status: {
      components: { alertDecayRetries: 3, healthAssessed: true, healthScore: 1, hashComputed: true },
      conditions: [decaying(6 * MINUTE)],
    },
    seen: { alerts: SILENT },
    atMs: 8 * MINUTE,
    want: { ...full, components: { alertScore: 1, alertDecayRetries: 3 } },
  },
  {
    name: '[EM-155] the target becomes unhealthy',
    status: {
      components: { alertDecayRetries: 3, healthAssessed: true, healthScore: 1, hashComputed: true },
      conditions: [decaying(6 * MINUTE)],
    },
    seen: { alerts: firing(), pods: unhealthyPods },
    atMs: 8 * MINUTE,
    want: { ...full, components: { alertScore: 0, healthScore: 0 } },
  },
  {
    name: 'the pods unreadable meanwhile: nothing is concluded',
    status: {
      components: { alertDecayRetries: 3, healthAssessed: true, healthScore: 1, hashComputed: true },
      conditions: [decaying(6 * MINUTE)],
    },
    seen: { alerts: firing(), pods: UNREADABLE },
    atMs: 8 * MINUTE,
    want: { ...goesOn, components: { healthScore: 1, alertDecayRetries: 3 } },
    without: ['alertAssessed'],
    wakesMs: 8 * MINUTE + 15 * SECOND,
  },
  {
    name: '[EM-112] shortly before the deadline: no look is later than that',
    seen: { alerts: firing() },
    atMs: 30 * MINUTE - SECOND,
    want: goesOn,
    wakesMs: 30 * MINUTE,
  },
  {
    name: '[EM-078, EM-154] at the deadline',
    status: {
      components: { alertDecayRetries: 3, healthAssessed: true, healthScore: 1, hashComputed: true },
      conditions: [decaying(6 * MINUTE)],
    },
    seen: { alerts: UNREADABLE, target: UNREADABLE, pods: UNREADABLE },
    atMs: 30 * MINUTE,
    want: {
      phase: 'Completed',
      assessmentReason: 'AlertDecayTimeout',
      components: { alertAssessed: true, alertScore: 0, healthScore: 1 },
    },
  },
];

const nodeTarget = (since: number, status: 'True' | 'False' = 'True', more = {}): AssessmentSeen['target'] => ({
  kind: 'value',
  value: aNode([nodeCondition('Ready', status, since)], more),
});

/** Alertmanager is asked; the target is a Node, which has no pods of its own. */
const nodes: readonly Case[] = [
  {
    name: '[EM-133] Ready for the stabilization window',
    seen: { target: nodeTarget(MINUTE), pods: undefined },
    want: { ...full, message: 'Ready and without pressure', components: { healthAssessed: true, healthScore: 1 } },
  },
  {
    name: '[EM-133] Ready for a shorter time: judged when the window is over',
    seen: { target: nodeTarget(MINUTE + SECOND), pods: undefined },
    want: goesOn,
    without: ['healthAssessed', 'healthScore'],
    wakesMs: 6 * MINUTE + SECOND,
  },
  {
    name: '[EM-133] Ready in the last minutes before the deadline only',
    seen: { target: nodeTarget(25 * MINUTE), pods: undefined },
    atMs: 26 * MINUTE,
    want: { ...full, components: { healthScore: 0 } },
  },
  {
    name: '[EM-148] cordoned, the alert fires: it is given time to clear',
    seen: { target: nodeTarget(0, 'True', { spec: { unschedulable: true } }), pods: undefined, alerts: firing() },
    want: { ...goesOn, components: { healthScore: 0.5, alertDecayRetries: 1 } },
    without: ['alertAssessed'],
    wakesMs: 6.5 * MINUTE,
  },
  {
    name: '[EM-149] not Ready, the alert fires',
    seen: { target: nodeTarget(0, 'False'), pods: undefined, alerts: firing() },
    want: { ...full, components: { healthScore: 0, alertScore: 0 } },
  },
  {
    name: '[EM-155] Ready again only lately while the alert clears slowly: nothing is concluded',
    status: { components: { ...known, alertDecayRetries: 1 }, conditions: [decaying(5 * MINUTE)] },
    seen: { target: nodeTarget(5 * MINUTE), pods: undefined, alerts: firing() },
    want: { ...goesOn, components: { healthScore: 1, alertDecayRetries: 1 } },
    without: ['alertAssessed'],
    wakesMs: 6 * MINUTE + 15 * SECOND,
  },
];

const UNMEASURED = 'Prometheus has no metrics of it, so there is nothing to compare. Next: check that Prometheus scrapes the target';
const sampled = (...samples: readonly (readonly [ms: number, value: number])[]): readonly Measured[] => [
  {
    metric: { name: 'CPU', query: 'cpu', isBetter: 'lower' },
    samples: samples.map(([ms, value]) => ({ at: at(ms), value })),
  },
];
const neverMeasured = { kind: 'value', value: sampled() } as const;

const metrics: readonly Case[] = [
  {
    name: '[EM-037] improved',
    seen: { metrics: measured(200, 50) },
    want: {
      ...full,
      message: '2 of 2 pods ready; improvement of its metrics: CPU 75 %',
      components: { metricsAssessed: true, metricsScore: 0.75 },
    },
  },
  {
    name: '[EM-118] no Prometheus is configured',
    seen: { metrics: OFF },
    want: { ...full, components: { metricsAssessed: true } },
    without: ['metricsScore'],
  },
  {
    name: 'compared, and it says nothing',
    seen: { metrics: measured(0, 0) },
    want: { ...full, components: { metricsAssessed: true } },
    without: ['metricsScore'],
  },
  {
    name: '[EM-058, EM-167] not measured since: looked for at the next scrape',
    seen: { metrics: measured(200, 200, -30_000) },
    atMs: 6 * MINUTE + 20 * SECOND,
    want: { ...goesOn, components: { alertAssessed: true, healthScore: 1 } },
    without: ['metricsAssessed', 'metricsScore'],
    wakesMs: 7 * MINUTE,
  },
  {
    name: '[EM-167] never measured before: no wait will change that, and all else is known',
    seen: { alerts: SILENT, metrics: neverMeasured },
    want: {
      phase: 'Completed',
      assessmentReason: 'Partial',
      message: `2 of 2 pods ready; ${ALERT} no longer fires; ${UNMEASURED}`,
      components: { alertScore: 1, healthScore: 1 },
    },
    without: ['metricsAssessed', 'metricsScore'],
  },
  {
    name: 'measured only since: there is nothing to compare it with',
    seen: { alerts: SILENT, metrics: { kind: 'value', value: sampled([6 * MINUTE, 3]) } },
    want: { phase: 'Completed', assessmentReason: 'Partial' },
    without: ['metricsAssessed'],
  },
  {
    name: 'never measured before, the alert not to be reached: it is waited for',
    seen: { alerts: DOWN, metrics: neverMeasured },
    want: goesOn,
    without: ['metricsAssessed', 'alertAssessed'],
    wakesMs: 6.5 * MINUTE,
  },
  {
    name: 'never measured before, the pods unreadable: they are waited for',
    seen: { alerts: SILENT, metrics: neverMeasured, pods: UNREADABLE },
    want: goesOn,
    without: ['metricsAssessed', 'healthAssessed'],
    wakesMs: 6 * MINUTE + 15 * SECOND,
  },
  {
    name: 'never measured before, and another client changed the target: that is drift',
    spec: { appliedSpecHash: `sha256:${'0'.repeat(64)}` },
    seen: { alerts: SILENT, metrics: neverMeasured },
    want: { phase: 'Completed', assessmentReason: 'SpecDrift' },
  },
  {
    name: 'measured only while it settled: not after it',
    seen: { metrics: measured(200, 50, 5 * MINUTE - 1) },
    want: goesOn,
    without: ['metricsAssessed'],
    wakesMs: 7 * MINUTE,
  },
  {
    name: 'not to be reached: asked again',
    seen: { metrics: DOWN },
    want: { ...goesOn, components: { alertAssessed: true } },
    without: ['metricsAssessed'],
    wakesMs: 6 * MINUTE + 30 * SECOND,
  },
  {
    name: '[EM-122] the alert not due: metrics do not wait for it',
    status: { alertManagerCheckAfter: time(20 * MINUTE) },
    seen: { alerts: UNREADABLE, metrics: measured(200, 50) },
    want: { ...goesOn, components: { metricsScore: 0.75 } },
    without: ['alertAssessed'],
    wakesMs: 20 * MINUTE,
  },
  {
    name: '[EM-121] the alert not to be reached: metrics are judged all the same',
    seen: { alerts: DOWN, metrics: measured(200, 50) },
    want: { ...goesOn, components: { metricsScore: 0.75 } },
    without: ['alertAssessed'],
    wakesMs: 6 * MINUTE + 30 * SECOND,
  },
];

const nothingRead: Condition = {
  type: 'AssessmentComplete',
  status: 'False',
  reason: 'NothingReadable',
  message: 'waiting for the target: forbidden',
  lastTransitionTime: time(5 * MINUTE),
};

const deadline: readonly Case[] = [
  {
    name: '[EM-077] only metrics missing',
    status: { components: { ...known, alertAssessed: true, alertScore: 1 } },
    want: { assessmentReason: 'MetricsTimedOut' },
  },
  {
    name: '[EM-071, EM-141] only the alert missing',
    status: { components: { ...known, metricsAssessed: true } },
    want: { assessmentReason: 'Partial' },
  },
  { name: '[EM-071] alert and metrics missing', status: { components: known }, want: { assessmentReason: 'Partial' } },
  {
    name: '[EM-071] health missing',
    status: { components: { hashComputed: true, alertAssessed: true, metricsAssessed: true } },
    want: { assessmentReason: 'Partial' },
  },
  {
    name: '[EM-071] only the alert known',
    status: { components: { alertAssessed: true, alertScore: 1 } },
    want: { assessmentReason: 'Partial' },
  },
  { name: '[EM-076] nothing known, and nothing was read', want: { phase: 'Completed', assessmentReason: 'Expired' } },
  {
    name: '[EM-080] nothing known, and nothing could be read',
    status: { conditions: [nothingRead] },
    want: { phase: 'Failed', assessmentReason: 'Unrecoverable' },
  },
  {
    name: '[EM-081] decay and metrics: decay comes first',
    status: { components: { ...known, alertDecayRetries: 1 }, conditions: [decaying(6 * MINUTE)] },
    want: { assessmentReason: 'AlertDecayTimeout' },
  },
];

describe('the alert', () => {
  test.each(alerts)('$name', (row) => void judge(row));
});

describe('whether Alertmanager answers', () => {
  const down = { type: 'AlertmanagerAnswers', status: 'False', reason: 'NoAnswer', message: DOWN.reason } as const;
  const since: Condition = { ...down, lastTransitionTime: time(6 * MINUTE) };
  const answer = (row: Omit<Case, 'name' | 'want'>) =>
    getCondition(judge({ name: '', want: {}, ...row }).conditions, 'AlertmanagerAnswers');

  test('is reported as soon as it does not answer, and stays reported to the end', () => {
    expect(answer({ seen: { alerts: DOWN }, wakesMs: 6.5 * MINUTE })).toMatchObject(down);
    expect(answer({ status: { components: known, conditions: [since] }, atMs: 30 * MINUTE })).toEqual(since);
  });

  test('is not said before it was asked, nor where it always answered', () => {
    const early = { alertManagerCheckAfter: time(8 * MINUTE) };
    expect(answer({ status: early, seen: { alerts: DOWN }, wakesMs: 8 * MINUTE })).toBeUndefined();
    expect(answer({ seen: { alerts: SILENT } })).toBeUndefined();
    expect(answer({ status: { components: known }, atMs: 30 * MINUTE }), 'the monitor was down itself').toBeUndefined();
  });

  test('is reported True at its first answer, also at an inconclusive one', () => {
    const status = { components: { hashComputed: true }, conditions: [since] };
    const unclear = { alerts: firing(), pods: UNREADABLE };
    expect(answer({ status, seen: { alerts: SILENT } })).toMatchObject({ status: 'True', reason: 'Answered' });
    expect(answer({ status, seen: unclear, wakesMs: 6 * MINUTE + 15 * SECOND })).toMatchObject({ status: 'True' });
  });
});

describe('an alert that should clear', () => {
  test.each(decay)('$name', (row) => void judge(row));

  test('[EM-274] is told while it lasts, and how it ended', () => {
    const condition = (row: Omit<Case, 'name'>) => getCondition(judge({ name: '', ...row }).conditions, 'AlertDecayDetected');
    const status = { components: { ...known, alertDecayRetries: 1 }, conditions: [decaying(6 * MINUTE)] };
    const wakesMs = 6.5 * MINUTE;
    expect(condition({ seen: { alerts: firing() }, want: {}, wakesMs })).toMatchObject({ status: 'True', reason: 'AlertDecaying' });
    expect(condition({ status, seen: { alerts: SILENT }, want: {} })).toMatchObject({ status: 'False', reason: 'AlertCleared' });
    expect(condition({ status, seen: { alerts: firing(), pods: unhealthyPods }, want: {} })).toMatchObject({
      status: 'False',
      reason: 'TargetUnhealthy',
    });
    expect(condition({ status, atMs: 30 * MINUTE, want: {} })).toMatchObject({ status: 'False', reason: 'DecayTimedOut' });
  });
});

describe('a Node', () => {
  test.each(nodes)('$name', (row) => void judge(row));
});

describe('metrics', () => {
  test.each(metrics)('$name', (row) => void judge(row));
});

describe('at the deadline', () => {
  test.each(deadline)(
    '$name',
    (row) =>
      void judge({ atMs: 30 * MINUTE, seen: { target: UNREADABLE, pods: UNREADABLE, alerts: UNREADABLE, metrics: UNREADABLE }, ...row }),
  );

  test('it is said what is missing, what to do about it, and what the last look met', () => {
    const conditions = [
      { ...nothingRead, reason: 'InProgress', message: 'waiting for the alert: Alertmanager cannot be asked: it answered 503' },
    ];
    const { message } = judge({
      name: '',
      atMs: 30 * MINUTE,
      status: { message: '2 of 2 pods ready', components: known, conditions },
      want: {},
    });
    expect(message).toBe(
      'partly assessed; 2 of 2 pods ready; Alertmanager gave no answer in time; check that it is reachable at external.alertManagerUrl; ' +
        'Prometheus gave no metrics in time; check that it is reachable at external.prometheusUrl and scrapes the target; ' +
        'when the time ran out it was waiting for the alert: Alertmanager cannot be asked: it answered 503',
    );
  });
});

describe('one look', () => {
  test('[EM-120, EM-122] goes through the components in their order, and says of each what it found', () => {
    const { message, components } = judge({ name: '', seen: { alerts: SILENT, metrics: measured(4, 1) }, want: full });
    expect(message).toBe(`2 of 2 pods ready; ${ALERT} no longer fires; improvement of its metrics: CPU 75 %`);
    expect(components).toEqual({
      hashComputed: true,
      postRemediationSpecHash: HASH,
      currentSpecHash: HASH,
      healthAssessed: true,
      healthScore: 1,
      alertAssessed: true,
      alertScore: 1,
      metricsAssessed: true,
      metricsScore: 0.75,
    });
  });

  test('a second look at the same changes nothing', () => {
    const row = { name: '', seen: { alerts: firing(), metrics: DOWN }, want: goesOn, wakesMs: 6.5 * MINUTE };
    const first = judge(row);
    expect(judge({ ...row, status: first })).toEqual(first);
  });

  test('what is waited for is told where people look', () => {
    const { conditions } = judge({ name: '', seen: { alerts: DOWN }, want: goesOn, wakesMs: 6.5 * MINUTE });
    expect(getCondition(conditions, 'AssessmentComplete')).toMatchObject({
      status: 'False',
      reason: 'InProgress',
      message: 'waiting for the alert: it cannot be asked: no answer within 10 s',
    });
  });

  test('[EM-070] of a workflow that never ran is over at once, without scores', () => {
    const decided = judge({ name: '', seen: { execution: NEVER_RAN }, want: { phase: 'Completed', assessmentReason: 'NoExecution' } });
    expect(decided.components).toEqual({});
  });

  test('a target that is gone ends it, whatever fires', () =>
    void judge({
      name: '',
      seen: { target: ABSENT, alerts: SILENT },
      want: { phase: 'Failed', components: { healthScore: 0 } },
      without: ['alertScore'],
    }));

  test('[EM-074] drift ends it at once, whatever is missing', () =>
    void judge({
      name: '',
      spec: { appliedSpecHash: `sha256:${'0'.repeat(64)}` },
      seen: { alerts: DOWN, metrics: DOWN },
      want: { phase: 'Completed', assessmentReason: 'SpecDrift' },
      without: ['alertAssessed', 'metricsAssessed'],
    }));
});
