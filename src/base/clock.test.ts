import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { after, instant, isAhead, parseTime, systemClock, toMicroTime, toTime, turn } from './clock.ts';
import { MINUTE } from './duration.ts';

const NEVER = new AbortController().signal;

describe('systemClock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => void vi.useRealTimers());

  /** What has become of a promise once everything that is due has run. */
  async function fateOf(promise: Promise<void>): Promise<string> {
    let fate = 'pending';
    void promise.then(
      () => (fate = 'resolved'),
      (error: unknown) => (fate = `rejected: ${String(error)}`),
    );
    await vi.advanceTimersByTimeAsync(0);
    return fate;
  }

  test('tells the machine’s time', () => {
    expect(systemClock.now()).toBe(1_000);
  });

  test('waits until the moment and not longer', async () => {
    const waiting = systemClock.waitUntil(instant(1_500), NEVER);
    await vi.advanceTimersByTimeAsync(499);
    expect(await fateOf(waiting)).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(await fateOf(waiting)).toBe('resolved');
  });

  test.each([1_000, 999, 0])('a moment that has come (%i) is not waited for', async (at) => {
    expect(await fateOf(systemClock.waitUntil(instant(at), NEVER))).toBe('resolved');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a wait longer than a timer can hold (2^31-1 ms) is made of several', async () => {
    const far = after(instant(1_000), 2 ** 31 + 5_000);
    const waiting = systemClock.waitUntil(far, NEVER);
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect(await fateOf(waiting)).toBe('pending');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await fateOf(waiting)).toBe('resolved');
  });

  test('a clock that jumps ahead, as after a machine has slept, is noticed within a minute', async () => {
    const waiting = systemClock.waitUntil(after(instant(1_000), 4 * 3_600_000), NEVER);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.setSystemTime(1_000 + 5 * 3_600_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await fateOf(waiting)).toBe('resolved');
  });

  test('a signal ends the wait with its reason and leaves no timer', async () => {
    const stop = new AbortController();
    const waiting = systemClock.waitUntil(instant(9_000), stop.signal);
    stop.abort('enough');
    expect(await fateOf(waiting)).toBe('rejected: enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a signal that has ended already starts no wait', async () => {
    expect(await fateOf(systemClock.waitUntil(instant(9_000), AbortSignal.abort('before')))).toBe('rejected: before');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a signal after the wait changes nothing', async () => {
    const stop = new AbortController();
    const waiting = systemClock.waitUntil(instant(1_100), stop.signal);
    await vi.advanceTimersByTimeAsync(100);
    stop.abort('late');
    expect(await fateOf(waiting)).toBe('resolved');
  });

  test('a clock that jumps back makes the wait longer, not shorter', async () => {
    const waiting = systemClock.waitUntil(instant(2_000), NEVER);
    vi.setSystemTime(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await fateOf(waiting)).toBe('pending');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await fateOf(waiting)).toBe('resolved');
  });
});

test('turn lets what is due run first', async () => {
  const seen: string[] = [];
  void Promise.resolve()
    .then(() => seen.push('a'))
    .then(() => seen.push('b'));
  await turn();
  expect(seen).toEqual(['a', 'b']);
});

describe('wire form', () => {
  const at = instant(Date.UTC(2026, 10, 15, 3, 4, 5, 678));

  test('whole seconds, cut off and not rounded', () => {
    expect(toTime(at)).toBe('2026-11-15T03:04:05Z');
  });

  test.each([Date.UTC(10_000, 0, 1), Number.MAX_SAFE_INTEGER])('what is too late to be said is the last moment: %d', (late) => {
    expect(toTime(instant(late))).toBe('9999-12-31T23:59:59Z');
  });

  test('microseconds', () => {
    expect(toMicroTime(at)).toBe('2026-11-15T03:04:05.678000Z');
  });

  const cases = [
    { text: '2026-11-15T03:04:05Z', want: Date.UTC(2026, 10, 15, 3, 4, 5), reason: 'as Kubernetes writes it' },
    { text: '2026-11-15T03:04:05.678901Z', want: Date.UTC(2026, 10, 15, 3, 4, 5, 678), reason: 'finer than we count' },
    { text: '2026-11-15T03:04:05+02:00', want: Date.UTC(2026, 10, 15, 1, 4, 5), reason: 'another zone' },
    { text: '2026-11-15t03:04:05z', want: Date.UTC(2026, 10, 15, 3, 4, 5), reason: 'RFC 3339 allows lower case' },
    { text: '2028-02-29T00:00:00Z', want: Date.UTC(2028, 1, 29), reason: 'a leap day' },
    { text: '2026-02-29T00:00:00Z', want: undefined, reason: 'no leap year' },
    { text: '2026-13-01T00:00:00Z', want: undefined, reason: 'no such month' },
    { text: '2026-11-15T24:00:00Z', want: undefined, reason: 'no such hour' },
    { text: '2026-11-15T03:60:00Z', want: undefined, reason: 'no such minute' },
    { text: '2026-11-15T03:04:05', want: undefined, reason: 'no zone: the machine’s own must not matter' },
    { text: '2026-11-15T03:04:05Z and more', want: undefined, reason: 'something after it' },
    { text: '2026-11-15 03:04:05Z', want: undefined, reason: 'no T' },
    { text: '2026-11-15', want: undefined, reason: 'only a date' },
    { text: 'soon', want: undefined, reason: 'words' },
    { text: '', want: undefined, reason: 'nothing' },
    { text: undefined, want: undefined, reason: 'absent' },
  ];
  test.each(cases)('parseTime($text) → $want ($reason)', ({ text, want }) => {
    expect(parseTime(text)).toBe(want);
  });

  test('what is written is read back', () => {
    const moment = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }).map(instant);
    fc.assert(
      fc.property(moment, (each) => {
        expect(parseTime(toMicroTime(each))).toBe(each);
        expect(parseTime(toTime(each))).toBe(each - (each % 1_000));
      }),
    );
  });
});

const NOW = instant(1_700_000_000_000);
test.each([
  { moment: undefined, is: false, reason: 'it never was' },
  { moment: toMicroTime(NOW), is: false, reason: 'it is' },
  { moment: toMicroTime(after(NOW, MINUTE)), is: false, reason: 'clocks differ' },
  { moment: toMicroTime(after(NOW, MINUTE + 1)), is: true, reason: 'not by that much' },
])('whether a moment lies ahead: $reason', ({ moment, is }) => expect(isAhead(moment, NOW)).toBe(is));
