import { describe, expect, test } from 'vitest';
import { instant, MINUTE } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { anAssessment, at, time } from './testing/builders.ts';
import { recordOf, timingOf } from './timing.ts';

const timing = (config: { stabilizationWindow: string; alertCheckDelay?: string }, validityMs = 30 * MINUTE) =>
  timingOf(anAssessment(undefined, { config }), { ...DEFAULT_SETTINGS, validityMs });

describe('timing', () => {
  test('[EM-096, EM-097, EM-098, EM-099] from the moment of creation', () =>
    expect(timing({ stabilizationWindow: '5m' })).toEqual({
      checkAfter: at(5 * MINUTE),
      alertCheckAfter: at(5 * MINUTE),
      deadline: at(30 * MINUTE),
    }));

  test('[EM-009, EM-097] the alert may be looked at later', () =>
    expect(timing({ stabilizationWindow: '5m', alertCheckDelay: '90s' })).toEqual({
      checkAfter: at(5 * MINUTE),
      alertCheckAfter: at(6.5 * MINUTE),
      deadline: at(30 * MINUTE),
    }));

  test.each<[string, Parameters<typeof timing>[0], number, number]>([
    ['[EM-107] would come after it', { stabilizationWindow: '5m' }, 2, 7],
    ['[EM-108] would come right at it', { stabilizationWindow: '5m' }, 5, 10],
    ['[EM-106] of the alert would come after it', { stabilizationWindow: '5m', alertCheckDelay: '5m' }, 8, 18],
  ])('the deadline is extended when a check %s', (_, config, validMinutes, minutes) =>
    expect(timing(config, validMinutes * MINUTE).deadline).toBe(at(minutes * MINUTE)),
  );

  test('one second short of it the deadline stays', () =>
    expect(timing({ stabilizationWindow: '4m59s' }, 5 * MINUTE).deadline).toBe(at(5 * MINUTE)));

  test.each(['', 'soon', '-5m'])('a window of %j is what the settings say', (stabilizationWindow) =>
    expect(timing({ stabilizationWindow }).checkAfter).toBe(at(DEFAULT_SETTINGS.stabilizationMs)),
  );

  test('[EM-036] what is on record stays, whatever the settings say now', () => {
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
