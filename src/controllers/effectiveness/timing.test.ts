import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { instant, MINUTE } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { anAssessment, at, time } from './testing/builders.ts';
import { faultSpan, recordOf, timingOf, type Timing } from './timing.ts';

type Config = EffectivenessAssessment['spec']['config'];

const timing = (config: Config, validityMs = 30 * MINUTE) =>
  timingOf(anAssessment(undefined, { config }), { ...DEFAULT_SETTINGS, validityMs });

/** Minutes after the creation. */
const minutes = ({ settlesFrom, checkAfter, alertCheckAfter, deadline }: Timing): readonly number[] =>
  [settlesFrom, checkAfter, alertCheckAfter, deadline].map((moment) => (moment - at(0)) / MINUTE);

interface Row {
  readonly name: string;
  readonly config: Config;
  readonly valid?: number;
  /** Settles from, health and metrics after, alert after, deadline. */
  readonly want: readonly [number, number, number, number];
}

const ROWS: readonly Row[] = [
  { name: '[EM-096, EM-097, EM-098, EM-099] sync, by default', config: { stabilizationWindow: '5m' }, want: [0, 5, 5, 30] },
  {
    name: '[EM-009, EM-097] sync, the alert later',
    config: { stabilizationWindow: '5m', alertCheckDelay: '90s' },
    want: [0, 5, 6.5, 30],
  },
  { name: 'sync, a second short of the window', config: { stabilizationWindow: '4m59s' }, valid: 5, want: [0, 299 / 60, 299 / 60, 5] },
  { name: '[EM-108] sync, a check right at the deadline', config: { stabilizationWindow: '5m' }, valid: 5, want: [0, 5, 5, 10] },
  { name: '[EM-107] sync, a check after the deadline', config: { stabilizationWindow: '5m' }, valid: 2, want: [0, 5, 5, 7] },
  {
    name: '[EM-106] sync, the alert after the deadline',
    config: { stabilizationWindow: '5m', alertCheckDelay: '5m' },
    valid: 8,
    want: [0, 5, 10, 18],
  },
  {
    name: '[EM-008, EM-105] a delay of 0 is none',
    config: { stabilizationWindow: '5m', hashComputeDelay: '0s' },
    want: [0, 5, 5, 30],
  },
  {
    name: '[EM-089, EM-093, EM-100, EM-101, EM-103, EM-104] async, by default',
    config: { stabilizationWindow: '5m', hashComputeDelay: '4m' },
    want: [4, 9, 9, 39],
  },
  {
    name: '[EM-102, EM-103] async, the alert later',
    config: { stabilizationWindow: '5m', hashComputeDelay: '4m', alertCheckDelay: '2m' },
    want: [4, 9, 11, 41],
  },
  {
    name: 'async, checks after a short window',
    config: { stabilizationWindow: '5m', hashComputeDelay: '1m' },
    valid: 2,
    want: [1, 6, 6, 8],
  },
];

describe('timing, in minutes after the creation', () => {
  // One by one: where a title is filled in, long names are cut off.
  for (const { name, config, valid = 30, want } of ROWS) test(name, () => expect(minutes(timing(config, valid * MINUTE))).toEqual(want));

  test('[EM-095] rests on nothing but the object and the settings', () => {
    const later = anAssessment({ phase: 'Stabilizing', observedGeneration: 7, message: 'later' });
    expect(timingOf(later, DEFAULT_SETTINGS)).toEqual(timing({ stabilizationWindow: '5m' }));
  });

  test('[EM-109] every check comes before the deadline', () =>
    fc.assert(
      fc.property(fc.nat(120), fc.nat(120), fc.nat(120), fc.integer({ min: 1, max: 120 }), (settle, delay, alert, valid) => {
        const config = { stabilizationWindow: `${settle}m`, hashComputeDelay: `${delay}m`, alertCheckDelay: `${alert}m` };
        const { settlesFrom, checkAfter, alertCheckAfter, deadline } = timing(config, valid * MINUTE);
        expect([settlesFrom, checkAfter, alertCheckAfter, deadline - 1]).toEqual(
          [settlesFrom, checkAfter, alertCheckAfter, deadline - 1].toSorted((a, b) => a - b),
        );
      }),
    ));

  test.each(['', 'soon', '-5m'])('a window of %j is what the settings say', (stabilizationWindow) =>
    expect(timing({ stabilizationWindow }).checkAfter).toBe(at(DEFAULT_SETTINGS.stabilizationMs)),
  );

  test('[EM-049] the window of the assessment wins over that of the settings', () =>
    expect(
      timingOf(anAssessment(undefined, { config: { stabilizationWindow: '7m' } }), { ...DEFAULT_SETTINGS, stabilizationMs: MINUTE })
        .checkAfter,
    ).toBe(at(7 * MINUTE)));

  test('[EM-036] recorded times stay, whatever the settings are now', () => {
    const first = timing({ stabilizationWindow: '5m' });
    const settings = { ...DEFAULT_SETTINGS, validityMs: 1, stabilizationMs: 1 };
    expect(timingOf(anAssessment(recordOf(first)), settings)).toEqual(first);
  });

  test('the record is in whole seconds, by the names of the API', () =>
    expect(recordOf(timing({ stabilizationWindow: '5m' }))).toEqual({
      prometheusCheckAfter: time(5 * MINUTE),
      alertManagerCheckAfter: time(5 * MINUTE),
      validityDeadline: time(30 * MINUTE),
    }));

  test('an object without a time is overdue, not eternal', () => {
    const assessment = anAssessment();
    const undated = { ...assessment, metadata: { ...assessment.metadata, creationTimestamp: '' } };
    expect(timingOf(undated, DEFAULT_SETTINGS).deadline).toBe(instant(30 * MINUTE));
  });
});

describe('the time of the fault, with which metrics are compared (ruling 133)', () => {
  const spanOf = (spec: Partial<EffectivenessAssessment['spec']>) => {
    const { faultFrom, faultTo } = faultSpan(anAssessment(undefined, spec), MINUTE);
    return [faultFrom === undefined ? undefined : (faultFrom - at(0)) / MINUTE, (faultTo - at(0)) / MINUTE];
  };
  test.each<[string, Partial<EffectivenessAssessment['spec']>, readonly (number | undefined)[]]>([
    [
      'from the first signal to the start of the run',
      { faultStartedAt: time(-20 * MINUTE), executionStartedAt: time(-3 * MINUTE), remediationCreatedAt: time(-15 * MINUTE) },
      [-20, -3],
    ],
    ['without a known start of the run up to the assessment', { faultStartedAt: time(-20 * MINUTE) }, [-20, 0]],
    [
      'without a known signal from the request on',
      { remediationCreatedAt: time(-15 * MINUTE), executionStartedAt: time(-3 * MINUTE) },
      [-15, -3],
    ],
    ['at least a scrape long', { faultStartedAt: time(-3 * MINUTE - 1), executionStartedAt: time(-3 * MINUTE) }, [-4, -3]],
  ])('%s', (_, spec, want) => expect(spanOf(spec)).toEqual(want));
});
