import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, HOUR, MINUTE, parseDuration, SECOND } from './duration.ts';

describe('parseDuration', () => {
  const cases = [
    { text: '5m', want: 5 * MINUTE, reason: 'one unit' },
    { text: '1h30m', want: 90 * MINUTE, reason: 'several units' },
    { text: '1h0m0.5s', want: HOUR + 500, reason: 'a fraction' },
    { text: '.5s', want: 500, reason: 'a fraction without a whole part' },
    { text: '.25s', want: 250, reason: 'of any length' },
    { text: '1.s', want: SECOND, reason: 'a point without a fraction' },
    { text: '-1.5s', want: -1_500, reason: 'negative' },
    { text: '+2s', want: 2_000, reason: 'an explicit plus' },
    { text: '0', want: 0, reason: 'zero needs no unit' },
    { text: '-0', want: 0, reason: 'minus zero is zero' },
    { text: '0s', want: 0, reason: 'zero with a unit' },
    { text: '100ms', want: 100, reason: 'milliseconds, not minutes and seconds' },
    { text: '1us', want: 0.001, reason: 'microseconds' },
    { text: '1µs', want: 0.001, reason: 'microseconds with the micro sign' },
    { text: '1μs', want: 0.001, reason: 'microseconds with the Greek letter' },
    { text: '3ns', want: 0.000003, reason: 'nanoseconds' },
    { text: '1.1h', want: 66 * MINUTE, reason: 'no dust from binary fractions' },
    { text: '2.3h', want: 138 * MINUTE, reason: 'nor below the true value' },
    { text: '30s1h', want: HOUR + 30 * SECOND, reason: 'any order, as Go has it' },
    { text: '2562047h', want: 2_562_047 * HOUR, reason: 'near the longest there is' },
    { text: '2562048h', want: undefined, reason: 'longer than Go can hold' },
    { text: '', want: undefined, reason: 'nothing' },
    { text: '5', want: undefined, reason: 'no unit' },
    { text: '00', want: undefined, reason: 'only a single zero goes without a unit' },
    { text: 'm', want: undefined, reason: 'no number' },
    { text: '.s', want: undefined, reason: 'a point is no number' },
    { text: '5d', want: undefined, reason: 'Go knows no days' },
    { text: ' 5m', want: undefined, reason: 'no spaces' },
    { text: '5m ', want: undefined, reason: 'no spaces' },
    { text: '1h-5m', want: undefined, reason: 'the sign stands in front' },
    { text: '--5m', want: undefined, reason: 'one sign' },
    { text: '1e3s', want: undefined, reason: 'no exponents' },
    { text: '5M', want: undefined, reason: 'units are lower case' },
  ];
  test.each(cases)('"$text" → $want ($reason)', ({ text, want }) => {
    expect(parseDuration(text)).toBe(want);
  });

  test('any text is read or refused, never thrown on', () => {
    fc.assert(fc.property(fc.string(), (text) => ['number', 'undefined'].includes(typeof parseDuration(text))));
  });
});

describe('formatDuration', () => {
  const cases = [
    { ms: 0, want: '0s', reason: 'zero' },
    { ms: 1, want: '1ms', reason: 'below a second' },
    { ms: 1.5, want: '1.5ms', reason: 'a fraction of a millisecond' },
    { ms: 0.25, want: '250µs', reason: 'below a millisecond' },
    { ms: 0.001, want: '1µs', reason: 'a microsecond' },
    { ms: 0.000003, want: '3ns', reason: 'below a microsecond' },
    { ms: 0.0000001, want: '0s', reason: 'below a nanosecond' },
    { ms: SECOND, want: '1s', reason: 'a second' },
    { ms: 1_500, want: '1.5s', reason: 'a fraction of a second' },
    { ms: 59_999.9999999, want: '1m0s', reason: 'never sixty seconds' },
    { ms: 300_000, want: '5m0s', reason: 'minutes show their seconds' },
    { ms: HOUR, want: '1h0m0s', reason: 'hours show both' },
    { ms: 25 * HOUR + 61_001, want: '25h1m1.001s', reason: 'no days' },
    { ms: -90_000, want: '-1m30s', reason: 'negative' },
  ];
  test.each(cases)('$ms → $want ($reason)', ({ ms, want }) => {
    expect(formatDuration(ms)).toBe(want);
  });

  test('what is written is read back, to the millisecond', () => {
    const years = 100 * 365 * 24 * HOUR;
    fc.assert(
      fc.property(fc.integer({ min: -years, max: years }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });

  test('what is written is read back, to the nanosecond, within a day', () => {
    const day = 24 * HOUR * 1e6;
    fc.assert(
      fc.property(fc.integer({ min: -day, max: day }), (ns) => {
        expect(parseDuration(formatDuration(ns / 1e6))).toBeCloseTo(ns / 1e6, 6);
      }),
    );
  });
});
