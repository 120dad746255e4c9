import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { isNothingMeasured, outcomeOf } from './outcome.ts';
import { verifiedCondition } from './verified-condition.ts';

type Assessed = NonNullable<EffectivenessAssessment['status']>;

const well: NonNullable<Assessed['components']> = {
  hashComputed: true,
  healthAssessed: true,
  healthScore: 1,
  alertAssessed: true,
  metricsAssessed: true,
};
/** Everything was read, and nothing of it has a score: a ConfigMap, say, with neither Alertmanager nor Prometheus. */
const scoreless: NonNullable<Assessed['components']> = {
  hashComputed: true,
  healthAssessed: true,
  alertAssessed: true,
  metricsAssessed: true,
};

interface Case {
  readonly name: string;
  readonly assessed: Assessed;
  /** What speaks against it; undefined when it is Remediated. */
  readonly why?: string;
}

const full = (components: NonNullable<Assessed['components']>): Assessed => ({ phase: 'Completed', assessmentReason: 'Full', components });

/** How Alertmanager answered when it was last asked. */
const answers = (status: 'True' | 'False'): Pick<Assessed, 'conditions'> => ({
  conditions: [{ type: 'AlertmanagerAnswers', status, reason: 'Any', message: '', lastTransitionTime: '2026-11-15T03:00:00Z' }],
});
const DOWN = answers('False');

/** Whatever health and metrics are: measured well, in part, badly, not at all. Health of exactly 0 is another matter. */
const AROUND: readonly (readonly [string, Assessed['components']])[] = [
  ['healthy', { healthAssessed: true, healthScore: 1 }],
  ['partly healthy', { healthAssessed: true, healthScore: 0.25 }],
  ['without a health score', { healthAssessed: true }],
  ['not readable', {}],
  ['healthy, its metrics no better', { healthAssessed: true, healthScore: 1, metricsAssessed: true, metricsScore: 0 }],
  ['without a health score, its metrics no better', { healthAssessed: true, metricsAssessed: true, metricsScore: 0 }],
];

const around = (components: Assessed['components'], more: Partial<Assessed> = {}): readonly (readonly [string, Assessed])[] =>
  AROUND.map(([name, found]) => [
    name,
    { phase: 'Completed', assessmentReason: 'Partial', ...more, components: { ...found, ...components } },
  ]);

const REMEDIATED = { outcome: 'Remediated' };
const inconclusive = (why: string) => ({ outcome: 'Inconclusive', why });

describe("the seed's four lines, whatever else was found (ruling 113)", () => {
  test.each(around({ alertAssessed: true, alertScore: 0 }))('[EM-236] the alert fires, the target %s: Inconclusive', (_, assessed) =>
    expect(outcomeOf(assessed)).toEqual(inconclusive('the alert still fires')),
  );
  test.each([...around({ alertAssessed: true, alertScore: 1 }), ...around({ alertAssessed: true, alertScore: 0.01 })])(
    '[EM-237, EM-241] an alert score above 0, the target %s: Remediated',
    (_, assessed) => expect(outcomeOf(assessed)).toEqual(REMEDIATED),
  );
  test.each(around({}, DOWN))('[EM-238, EM-241] Alertmanager unavailable, the target %s: Remediated', (_, assessed) =>
    expect(outcomeOf(assessed)).toEqual(REMEDIATED),
  );
  test.each(around({ alertAssessed: true }))('[EM-239, EM-241] Alertmanager disabled, the target %s: Remediated', (_, assessed) =>
    expect(outcomeOf(assessed)).toEqual(REMEDIATED),
  );
  test('[EM-238, EM-239] also where nothing at all could be read', () => {
    const failed = { phase: 'Failed', assessmentReason: 'Unrecoverable' } as const;
    expect(outcomeOf({ ...failed, ...DOWN })).toEqual(REMEDIATED);
    expect(outcomeOf({ phase: 'Completed', assessmentReason: 'Expired', ...DOWN })).toEqual(REMEDIATED);
    expect(outcomeOf({ ...failed, components: { alertAssessed: true, metricsAssessed: true } })).toEqual(REMEDIATED);
  });
});

const exceptions: readonly Case[] = [
  ...([0, 1, undefined] as const).map((alertScore) => ({
    name: `SpecDrift, the alert scored ${alertScore}`,
    assessed: { ...full({ ...well, ...(alertScore !== undefined && { alertScore }) }), assessmentReason: 'SpecDrift' as const },
    why: 'another client changed the target in the meantime',
  })),
  {
    name: 'SpecDrift, Alertmanager unavailable',
    assessed: { phase: 'Completed', assessmentReason: 'SpecDrift', ...DOWN },
    why: 'another client changed the target in the meantime',
  },
  {
    name: 'health exactly 0, the alert resolved',
    assessed: full({ ...well, healthScore: 0, alertScore: 1 }),
    why: 'the target is unhealthy',
  },
  { name: 'health exactly 0, Alertmanager disabled', assessed: full({ ...well, healthScore: 0 }), why: 'the target is unhealthy' },
  {
    name: 'health exactly 0, Alertmanager unavailable',
    assessed: { phase: 'Completed', assessmentReason: 'Partial', components: { healthAssessed: true, healthScore: 0 }, ...DOWN },
    why: 'the target is unhealthy',
  },
  {
    name: '[EM-040] the target deleted, which silences its own alert',
    assessed: {
      phase: 'Failed',
      assessmentReason: 'Unrecoverable',
      components: { healthAssessed: true, healthScore: 0, alertAssessed: true, alertScore: 1 },
    },
    why: 'the target no longer exists',
  },
];

describe('two things that were seen count whatever the alert does (ruling 113)', () => {
  test.each(exceptions)('$name: Inconclusive', ({ assessed, why = '' }) => expect(outcomeOf(assessed)).toEqual(inconclusive(why)));
  test('health that is nearly 0 is not 0', () => expect(outcomeOf(full({ ...well, healthScore: 0.001 }))).toEqual(REMEDIATED));
});

const unasked: readonly Case[] = [
  {
    name: 'the monitor was down from the health check on',
    assessed: { phase: 'Completed', assessmentReason: 'Partial', components: { ...well, alertAssessed: false } },
    why: 'the alert was not checked in time',
  },
  {
    name: 'Alertmanager answered in the end, and yet the alert was not judged',
    assessed: { phase: 'Completed', assessmentReason: 'Partial', components: { ...well, alertAssessed: false }, ...answers('True') },
    why: 'the alert was not checked in time',
  },
  ...(['AlertDecayTimeout', 'Expired', 'NoExecution', 'MetricsTimedOut'] as const).map((assessmentReason) => ({
    name: assessmentReason,
    assessed: { phase: 'Completed' as const, assessmentReason, components: { ...well, alertAssessed: false } },
    why: 'the alert was not checked in time',
  })),
  {
    name: 'SpecDrift before the alert was looked at',
    assessed: { phase: 'Completed', assessmentReason: 'SpecDrift', components: { hashComputed: true } },
    why: 'another client changed the target in the meantime',
  },
  {
    name: 'EA Failed',
    assessed: { phase: 'Failed', components: { ...well, alertAssessed: false } },
    why: 'the assessment could not be made',
  },
  { name: 'nothing at all', assessed: { phase: 'Completed', assessmentReason: 'Full' }, why: 'the alert was not checked in time' },
];

describe('an alert that was never asked about is no verdict', () => {
  test.each(unasked)('[EM-240] $name: Inconclusive', ({ assessed, why = '' }) => expect(outcomeOf(assessed)).toEqual(inconclusive(why)));
});

describe('whether anything was measured (ruling 113)', () => {
  test.each<[string, Assessed, boolean]>([
    ['nothing has a score', full(scoreless), true],
    ['nothing was read', { phase: 'Failed', assessmentReason: 'Unrecoverable' }, true],
    ['drift was seen', { ...full(scoreless), assessmentReason: 'SpecDrift' }, false],
    ['health is 0', full({ ...scoreless, healthScore: 0 }), false],
    ['the alert fires', full({ ...scoreless, alertScore: 0 }), false],
    ['metrics are no better', full({ ...scoreless, metricsScore: 0 }), false],
  ])('%s: nothing measured %s', (_, assessed, want) => expect(isNothingMeasured(assessed)).toBe(want));

  const verified = (assessed: Assessed) => {
    const { status, reason, message } = verifiedCondition(assessed, outcomeOf(assessed));
    return [status, reason, message];
  };
  test('[EM-239] Remediated by default is not Verified', () => {
    expect(outcomeOf(full(scoreless))).toEqual(REMEDIATED);
    const message = 'not verified: neither health, nor the alert, nor metrics could be measured';
    expect(verified(full(scoreless))).toEqual(['False', 'NothingMeasured', message]);
  });
  test('Remediated from something measured is Verified, and says from what', () =>
    expect(verified(full({ ...well, alertScore: 1 }))).toEqual(['True', 'Measured', 'verified from health and alert']));
  test('Inconclusive is never Verified', () =>
    expect(verified(full({ ...well, alertScore: 0 }))).toEqual(['False', 'Inconclusive', 'the alert still fires']));
});
