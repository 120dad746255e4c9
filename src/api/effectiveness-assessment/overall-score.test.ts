import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from './effectiveness-assessment.ts';
import { measuredShare, overallScore, scoreText } from './overall-score.ts';

type Components = NonNullable<NonNullable<EffectivenessAssessment['status']>['components']>;

const rows: readonly [string, Components | undefined, number | undefined][] = [
  ['[EM-223] all three', { healthScore: 1, alertScore: 1, metricsScore: 0 }, 0.75],
  ['[EM-219] health alone at its best', { healthScore: 1, alertScore: 0, metricsScore: 0 }, 0.4],
  ['[EM-220] the alert alone at its best', { healthScore: 0, alertScore: 1, metricsScore: 0 }, 0.35],
  ['[EM-221] metrics alone at their best', { healthScore: 0, alertScore: 0, metricsScore: 1 }, 0.25],
  ['[EM-226] no alert, health good', { healthScore: 1, metricsScore: 0 }, 0.4 / 0.65],
  ['[EM-226] no alert, metrics good', { healthScore: 0, metricsScore: 1 }, 0.25 / 0.65],
  ['[EM-227] no metrics, health good', { healthScore: 1, alertScore: 0 }, 0.4 / 0.75],
  ['[EM-227] no metrics, the alert gone', { healthScore: 0, alertScore: 1 }, 0.35 / 0.75],
  ['[EM-228] no health, the alert gone', { alertScore: 1, metricsScore: 0 }, 0.35 / 0.6],
  ['[EM-228] no health, metrics good', { alertScore: 0, metricsScore: 1 }, 0.25 / 0.6],
  ['[EM-229] health only', { healthScore: 0.5 }, 0.5],
  ['[EM-229] the alert only', { alertScore: 1 }, 1],
  ['[EM-229] metrics only', { metricsScore: 0.3 }, 0.3],
  ['[EM-225] assessed without a score', { healthScore: 1, alertAssessed: true, metricsAssessed: true }, 1],
  ['[EM-230] nothing scored', { healthAssessed: true, alertAssessed: true }, undefined],
  ['[EM-230] nothing at all', undefined, undefined],
];

describe('the overall score', () => {
  test.each(rows)('%s', (_, components, want) => {
    const score = overallScore(components, 'Full');
    if (want === undefined) expect(score).toBeUndefined();
    else expect(score).toBeCloseTo(want, 8);
  });

  test('[EM-215, EM-231] drift says nothing for the remediation, however well all is', () =>
    expect(overallScore({ healthScore: 1, alertScore: 1, metricsScore: 1 }, 'SpecDrift')).toBe(0));

  test('[EM-232] drift with nothing scored is 0, not unknown', () => expect(overallScore({}, 'SpecDrift')).toBe(0));

  test('[EM-222] hashes have no weight', () =>
    expect(overallScore({ healthScore: 0.5, hashComputed: true, currentSpecHash: 'a', postRemediationSpecHash: 'b' }, 'Full')).toBe(0.5));

  test('lies between the worst and the best of what is known', () => {
    const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(score, score, score, (healthScore, alertScore, metricsScore) => {
        const known = [healthScore, alertScore, metricsScore].filter((one) => one !== undefined);
        const overall = overallScore({ healthScore, alertScore, metricsScore } as Components, 'Full');
        if (known.length === 0) return overall === undefined;
        return overall !== undefined && overall >= Math.min(...known) - 1e-8 && overall <= Math.max(...known) + 1e-8;
      }),
    );
  });
});

describe('what a score rests on (ruling 132)', () => {
  test.each<[Components | undefined, number, string | undefined]>([
    [{ healthScore: 1 }, 0.4, '1.00 from health only'],
    [{ alertScore: 0 }, 0.35, '0.00 from alert only'],
    [{ metricsScore: 0.5 }, 0.25, '0.50 from metrics only'],
    [{ healthScore: 1, alertScore: 1 }, 0.75, '1.00 from health and alert'],
    [{ healthScore: 1, metricsScore: 0 }, 0.65, '0.62 from health and metrics'],
    [{ alertScore: 1, metricsScore: 1 }, 0.6, '1.00 from alert and metrics'],
    [{ healthScore: 1, alertScore: 1, metricsScore: 1 }, 1, '1.00 from health, alert and metrics'],
    [{ healthAssessed: true, alertAssessed: true, metricsAssessed: true, hashComputed: true }, 0, undefined],
    [undefined, 0, undefined],
  ])('%j: share %d, in words %s', (components, share, text) => {
    expect(measuredShare(components)).toBe(share);
    expect(scoreText(components, 'Full')).toBe(text);
  });

  test('a score of drift says that it is one', () =>
    expect(scoreText({ healthScore: 1 }, 'SpecDrift')).toBe('0.00 since the spec drifted'));
});
