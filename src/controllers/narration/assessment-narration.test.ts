import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { effectivenessAssessmentSample } from '../../api/effectiveness-assessment/sample.ts';
import { assessmentEventsOf } from './audit/assessment-audit-events.ts';
import { assessmentMetricsOf, scoresOf } from './metrics/assessment-increments.ts';
import { assessmentNotesOf } from './events/assessment-events.ts';
import { createNarrationMetrics } from './metrics/narration-metrics.ts';

type Status = NonNullable<EffectivenessAssessment['status']>;

const TIMES: Status = {
  prometheusCheckAfter: '2026-11-15T10:14:00Z',
  alertManagerCheckAfter: '2026-11-15T10:15:30Z',
  validityDeadline: '2026-11-15T10:45:30Z',
};
const SCORES: Status['components'] = {
  hashComputed: true,
  postRemediationSpecHash: effectivenessAssessmentSample.spec.preRemediationSpecHash ?? '',
  healthAssessed: true,
  healthScore: 1,
  alertAssessed: true,
  alertScore: 1,
  metricsAssessed: true,
  metricsScore: 0,
};
const ended = (assessmentReason: NonNullable<Status['assessmentReason']>, more: Status = {}): Status => ({
  phase: 'Completed',
  assessmentReason,
  completedAt: '2026-11-15T10:20:00Z',
  message: '2 of 2 pods ready',
  components: SCORES,
  ...more,
});

/** Created at 10:06; the change takes three minutes to arrive. */
const anAssessment = (status?: Status): EffectivenessAssessment =>
  ({
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'EffectivenessAssessment',
    metadata: { name: 'ea-rr', namespace: 'sickbay-system', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-15T10:06:00Z' },
    spec: { ...effectivenessAssessmentSample.spec, correlationID: 'rr' },
    ...(status && { status }),
  }) as EffectivenessAssessment;

const eventsOf = (status?: Status) => assessmentEventsOf(anAssessment(status));

describe('what the trail hears of an assessment', () => {
  test('[EM-044] that it waits for others, and until when', () =>
    expect(eventsOf({ phase: 'WaitingForPropagation', ...TIMES })).toMatchObject([
      {
        id: 'u/effectiveness.assessment.scheduled/WaitingForPropagation',
        type: 'effectiveness.assessment.scheduled',
        correlationId: 'rr',
        at: '2026-11-15T10:06:00Z',
        data: { phase: 'WaitingForPropagation', next: '2026-11-15T10:09:00Z', deadline: '2026-11-15T10:45:30Z' },
      },
    ]));

  test('[EM-045, EM-046] that it settles, and when it is looked at; once, however often it is looked at', () => {
    const events = eventsOf({ phase: 'Stabilizing', ...TIMES });
    expect(events).toMatchObject([
      { id: 'u/effectiveness.assessment.scheduled/Stabilizing', at: '2026-11-15T10:09:00Z', data: { next: '2026-11-15T10:14:00Z' } },
    ]);
    expect(eventsOf({ phase: 'Stabilizing', ...TIMES, message: 'again' }).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  });

  test('[EM-271, EM-253, EM-176] what was found of each component, and the end, with the id of its request', () => {
    const events = eventsOf(ended('Full'));
    expect(events.map(({ type }) => type)).toEqual([
      'effectiveness.hash.computed',
      'effectiveness.health.assessed',
      'effectiveness.alert.assessed',
      'effectiveness.metrics.assessed',
      'effectiveness.assessment.completed',
    ]);
    expect(events[0]?.data).toMatchObject({ match: true });
    expect(events.at(-1)).toMatchObject({
      correlationId: 'rr',
      at: '2026-11-15T10:20:00Z',
      data: { phase: 'Completed', reason: 'Full', score: 0.75, message: '2 of 2 pods ready' },
    });
  });

  test('[EM-171, EM-177] another hash than before is no match, and nothing more', () =>
    expect(eventsOf(ended('Full', { components: { hashComputed: true, postRemediationSpecHash: 'x' } }))[0]?.data).toEqual({
      pre: effectivenessAssessmentSample.spec.preRemediationSpecHash,
      post: 'x',
      match: false,
    }));

  test('[EM-174] without a hash from before there is no verdict on it', () => {
    const { preRemediationSpecHash: _, ...spec } = anAssessment().spec;
    const [first] = assessmentEventsOf({ ...anAssessment(ended('Full')), spec });
    expect(first?.data).not.toHaveProperty('match');
  });

  test('[EM-272] that an alert only has to clear, once', () => {
    const conditions = (message: string): NonNullable<Status['conditions']> => [
      { type: 'AlertDecayDetected', status: 'True', reason: 'AlertDecaying', message, lastTransitionTime: '2026-11-15T10:16:00Z' },
    ];
    const first = eventsOf({ phase: 'Assessing', conditions: conditions('2 fire') });
    expect(first).toMatchObject([{ id: 'u/effectiveness.alert_decay.detected', at: '2026-11-15T10:16:00Z', data: { message: '2 fire' } }]);
    expect(eventsOf({ phase: 'Assessing', conditions: conditions('1 fires') })[0]?.id).toBe(first[0]?.id);
  });

  test('that it failed, without what it does not know', () =>
    expect(eventsOf({ phase: 'Failed', assessmentReason: 'Unrecoverable', completedAt: '2026-11-15T10:20:00Z' })).toMatchObject([
      { type: 'effectiveness.assessment.completed', data: { phase: 'Failed', reason: 'Unrecoverable' } },
    ]));

  test.each<Status | undefined>([undefined, { phase: 'Pending' }, { phase: 'Assessing', components: SCORES }])('nothing of %j', (status) =>
    expect(eventsOf(status)).toEqual([]),
  );
});

describe('what people hear of an assessment', () => {
  const told = (before: Status | undefined, after: Status) =>
    assessmentNotesOf(anAssessment(before), anAssessment(after)).map(({ type, reason, message }) => `${type} ${reason}: ${message}`);

  test.each<[string, Status | undefined, Status, readonly string[]]>([
    ['nothing when it begins', { phase: 'Stabilizing' }, { phase: 'Assessing' }, []],
    ['nothing while it goes on', { phase: 'Assessing' }, { phase: 'Assessing', message: 'x' }, []],
    [
      'nothing about one component',
      { phase: 'Assessing', components: { healthAssessed: true, healthScore: 1 } },
      { phase: 'Assessing', components: { healthAssessed: true, healthScore: 1, alertAssessed: true, alertScore: 0 } },
      [],
    ],
    [
      'the end',
      { phase: 'Assessing', components: SCORES },
      ended('Full'),
      ['Normal EffectivenessAssessed: score 0.75 (health 1.00, alert 1.00, metrics 0.00): 2 of 2 pods ready'],
    ],
    [
      'an end that came too early',
      { phase: 'Assessing', components: {} },
      ended('Partial', { components: {} }),
      ['Warning AssessmentExpired: Partial, without a score: 2 of 2 pods ready'],
    ],
    [
      'an end before the time was up, with nothing left to wait for',
      { phase: 'Assessing', components: {} },
      ended('Partial', { ...TIMES, components: { healthScore: 1 } }),
      ['Normal EffectivenessAssessed: score 1.00 from health only: 2 of 2 pods ready'],
    ],
    [
      'an end right when the time was up',
      { phase: 'Assessing', components: {} },
      ended('Partial', { ...TIMES, completedAt: '2026-11-15T10:45:30Z', components: {} }),
      ['Warning AssessmentExpired: Partial, without a score: 2 of 2 pods ready'],
    ],
    ['drift', { phase: 'Assessing', components: SCORES }, ended('SpecDrift'), ['Warning SpecDriftDetected: 2 of 2 pods ready']],
    ['a failure', { phase: 'Assessing' }, { phase: 'Failed', message: 'gone' }, ['Warning AssessmentFailed: gone']],
    ['nothing once it is over', ended('Full'), ended('Full'), []],
  ])('%s', (_, before, after, want) => expect(told(before, after)).toEqual(want));
});

describe('what is counted of assessments', () => {
  const counted = (before: Status | undefined, after: Status) =>
    assessmentMetricsOf(anAssessment(before), anAssessment(after)).map(
      ({ counter, labels }) => `${counter} ${Object.values(labels).join()}`,
    );

  test.each<[string, Status | undefined, Status, readonly string[]]>([
    [
      'a component',
      { phase: 'Assessing' },
      { phase: 'Assessing', components: { healthAssessed: true } },
      ['component_assessments_total health'],
    ],
    ['the end', { phase: 'Assessing', components: SCORES }, ended('Full'), ['assessments_completed_total Full']],
    [
      'the end of the time',
      { phase: 'Assessing', components: SCORES },
      ended('MetricsTimedOut'),
      ['assessments_completed_total MetricsTimedOut', 'validity_expirations_total '],
    ],
    [
      'an end before the time was up',
      { phase: 'Assessing', components: SCORES },
      ended('Partial', TIMES),
      ['assessments_completed_total Partial'],
    ],
    ['an end once', ended('Full'), ended('Full'), []],
    ['an unknown reason', { phase: 'Assessing', components: SCORES }, ended('Odd' as 'Full'), ['assessments_completed_total other']],
  ])('%s', (_, before, after, want) => expect(counted(before, after)).toEqual(want));
});

describe('the scores of assessments', () => {
  const scored = (before: Status | undefined, after: Status) => scoresOf(before && anAssessment(before), anAssessment(after));

  test.each<[string, Status | undefined, Status, readonly (readonly [string, number])[]]>([
    [
      'all, when it ends',
      { phase: 'Assessing', components: SCORES },
      ended('Full'),
      [
        ['health', 1],
        ['alert', 1],
        ['metrics', 0],
      ],
    ],
    ['only those that it has', undefined, ended('Partial', { components: { healthAssessed: true, healthScore: 0.5 } }), [['health', 0.5]]],
    ['also of one that failed', undefined, { phase: 'Failed', components: { healthScore: 0 } }, [['health', 0]]],
    ['none of one that nothing is known of', undefined, { phase: 'Completed' }, []],
    ['none while it goes on', { phase: 'Assessing' }, { phase: 'Assessing', components: SCORES }, []],
    ['none again', ended('Full'), ended('Full'), []],
  ])('%s', (_, before, after, want) => expect(scored(before, after).map(({ component, score }) => [component, score])).toEqual(want));

  test('are in Prometheus by component, and by nothing else', async () => {
    const registry = new Registry();
    createNarrationMetrics(registry).scored(scored(undefined, ended('Full', { components: { healthScore: 0.75, alertScore: 0 } })));
    const text = await registry.metrics();
    const name = 'kubernaut_effectivenessmonitor_component_scores';
    expect(text).toContain(`${name}_bucket{le="0.5",component="health"} 0`);
    expect(text).toContain(`${name}_bucket{le="0.75",component="health"} 1`);
    expect(text).toContain(`${name}_bucket{le="0",component="alert"} 1`);
    expect(text).toContain(`${name}_sum{component="health"} 0.75`);
    expect(text).not.toContain('component="metrics"');
  });
});
