import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { outcomeOf } from './outcome.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;

const well: Assessed['components'] = { healthAssessed: true, healthScore: 1, alertAssessed: true, metricsAssessed: true };

interface Case {
  readonly name: string;
  readonly assessed: Assessed;
  /** What speaks against it; undefined when it is Remediated. */
  readonly why?: string;
}

const full = (components: Assessed['components']): Assessed => ({
  phase: 'Completed',
  assessmentReason: 'Full',
  components: { ...well, ...components },
});

/** How Alertmanager answered when it was last asked. */
const answers = (status: 'True' | 'False'): Pick<Assessed, 'conditions'> => ({
  conditions: [{ type: 'AlertmanagerAnswers', status, reason: 'Any', message: '', lastTransitionTime: '2026-11-15T03:00:00Z' }],
});

const unjudged: Assessed = { ...full({ alertAssessed: false }), assessmentReason: 'Partial' };

const cases: readonly Case[] = [
  { name: '[EM-239] Alertmanager disabled, the target healthy', assessed: full({}) },
  { name: '[EM-237] the alert gone, the target healthy', assessed: full({ alertScore: 1 }) },
  { name: '[EM-236] the alert still fires, though the target is healthy', assessed: full({ alertScore: 0 }), why: 'the alert still fires' },
  {
    name: '[EM-238] Alertmanager not reachable to the end, the target healthy',
    assessed: { ...unjudged, ...answers('False') },
  },
  {
    name: '[EM-240] the alert was not checked: the monitor was down from the health check on',
    assessed: unjudged,
    why: 'the alert was not checked in time',
  },
  {
    name: '[EM-240] Alertmanager answered in the end, and yet the alert was not judged',
    assessed: { ...unjudged, ...answers('True') },
    why: 'the alert was not checked in time',
  },
  {
    name: '[EM-240] Alertmanager not reachable, and another client changed the target',
    assessed: { ...unjudged, ...answers('False'), assessmentReason: 'SpecDrift' },
    why: 'another client changed the target in the meantime',
  },
  {
    name: '[EM-240] Alertmanager not reachable, and the target gone',
    assessed: { ...unjudged, ...answers('False'), phase: 'Failed', assessmentReason: 'Unrecoverable' },
    why: 'the assessment could not be made',
  },
  {
    name: '[EM-240] Alertmanager not reachable, and nothing else read either',
    assessed: { phase: 'Completed', assessmentReason: 'Expired', ...answers('False') },
    why: 'the alert was not checked in time',
  },
  {
    name: 'Alertmanager not reachable to the end, the target unhealthy',
    assessed: { ...unjudged, ...answers('False'), components: { healthAssessed: true, healthScore: 0 } },
    why: 'the target is unhealthy',
  },
  {
    name: 'Alertmanager not reachable to the end, and health never read',
    assessed: { ...unjudged, ...answers('False'), components: { hashComputed: true } },
    why: 'nothing shows that it helped',
  },
  ...(['AlertDecayTimeout', 'Expired', 'NoExecution', 'MetricsTimedOut'] as const).map((assessmentReason) => ({
    name: `[EM-240] no verdict on the alert: ${assessmentReason}`,
    assessed: { ...full({ alertAssessed: false }), assessmentReason },
    why: 'the alert was not checked in time',
  })),
  {
    name: '[EM-240] drift before the alert was looked at',
    assessed: { ...full({ alertAssessed: false }), assessmentReason: 'SpecDrift' },
    why: 'another client changed the target in the meantime',
  },
  {
    name: '[EM-240] failed before the alert was looked at',
    assessed: { ...full({ alertAssessed: false }), phase: 'Failed' },
    why: 'the assessment could not be made',
  },
  {
    name: 'drift, whatever else was found',
    assessed: { ...full({ alertScore: 1 }), assessmentReason: 'SpecDrift' },
    why: 'another client changed the target in the meantime',
  },
  {
    name: 'the assessment failed, whatever else was found',
    assessed: { ...full({ alertScore: 1 }), phase: 'Failed' },
    why: 'the assessment could not be made',
  },
  {
    name: 'the target unhealthy, though the alert is gone',
    assessed: full({ healthScore: 0, alertScore: 1 }),
    why: 'the target is unhealthy',
  },
  { name: 'the target partly healthy', assessed: full({ healthScore: 0.25 }) },
  {
    name: 'a target without pods, the alert gone',
    assessed: { phase: 'Completed', assessmentReason: 'Full', components: { healthAssessed: true, alertAssessed: true, alertScore: 1 } },
  },
  {
    name: 'a target without pods, and no result for the alert',
    assessed: { phase: 'Completed', assessmentReason: 'Full', components: { healthAssessed: true, alertAssessed: true } },
    why: 'nothing shows that it helped',
  },
  {
    name: 'health never read, and no result for the alert',
    assessed: { phase: 'Completed', assessmentReason: 'Partial', components: { alertAssessed: true, hashComputed: true } },
    why: 'nothing shows that it helped',
  },
  {
    name: 'metrics better, and nothing else known',
    assessed: { phase: 'Completed', assessmentReason: 'Partial', components: { alertAssessed: true, metricsScore: 1 } },
    why: 'nothing shows that it helped',
  },
  { name: 'nothing at all', assessed: { phase: 'Completed', assessmentReason: 'Full' }, why: 'the alert was not checked in time' },
];

describe('the outcome of an assessment', () => {
  test.each(cases)('$name', ({ assessed, why }) =>
    expect(outcomeOf(assessed)).toEqual(why === undefined ? { outcome: 'Remediated' } : { outcome: 'Inconclusive', why }),
  );
});
