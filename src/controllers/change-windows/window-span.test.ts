import { describe, expect, test } from 'vitest';
import { HOUR, parseTime, toTime } from '../../base/index.ts';
import type { ChangeWindow, WindowTimes } from '../change-window-settings.ts';
import { cronProblem } from './cron-starts.ts';
import { spanOf } from './window-span.ts';

const when = (text: string) => parseTime(text)!;
const windowOf = (times: WindowTimes, timeZone = 'Europe/Berlin'): ChangeWindow => ({ name: 'w', timeZone, times, scope: {} });
const cron = (start: string, hours: number, zone?: string) => windowOf({ kind: 'cron', start, durationMs: hours * HOUR }, zone);

/** As a text: `open until …`, `closed until …`, `closed`. */
function spanText(window: ChangeWindow, now: string): string {
  const span = spanOf(window, when(now));
  if (span.kind === 'open') return `open until ${toTime(span.until)}`;
  return span.next === undefined ? 'closed' : `closed until ${toTime(span.next)}`;
}

describe('when a window is open', () => {
  const yearEnd = windowOf({ kind: 'range', from: when('2026-12-19T23:00:00Z'), until: when('2027-01-06T23:00:00Z') });
  const weekend = cron('0 18 * * FRI', 62);
  const night = cron('0 22 * * *', 8);
  test.each([
    { window: yearEnd, now: '2026-12-19T22:59:59Z', want: 'closed until 2026-12-19T23:00:00Z', reason: 'just before a range' },
    { window: yearEnd, now: '2026-12-19T23:00:00Z', want: 'open until 2027-01-06T23:00:00Z', reason: 'its first moment' },
    { window: yearEnd, now: '2027-01-06T22:59:59Z', want: 'open until 2027-01-06T23:00:00Z', reason: 'its last second' },
    { window: yearEnd, now: '2027-01-06T23:00:00Z', want: 'closed', reason: 'after it, for good' },
    { window: weekend, now: '2026-11-20T16:59:59Z', want: 'closed until 2026-11-20T17:00:00Z', reason: 'Friday, 17:59' },
    { window: weekend, now: '2026-11-20T17:00:00Z', want: 'open until 2026-11-23T07:00:00Z', reason: 'Friday, 18:00' },
    { window: weekend, now: '2026-11-23T06:59:59Z', want: 'open until 2026-11-23T07:00:00Z', reason: 'Monday, 07:59' },
    { window: weekend, now: '2026-11-23T07:00:00Z', want: 'closed until 2026-11-27T17:00:00Z', reason: 'Monday, 08:00' },
    {
      window: weekend,
      now: '2026-10-24T12:00:00Z',
      want: 'open until 2026-10-26T07:00:00Z',
      reason: 'the weekend on which summer time ends',
    },
    { window: weekend, now: '2026-03-28T12:00:00Z', want: 'open until 2026-03-30T06:00:00Z', reason: 'the weekend on which it begins' },
    { window: night, now: '2026-11-19T23:30:00Z', want: 'open until 2026-11-20T05:00:00Z', reason: 'over midnight, on the second day' },
    { window: night, now: '2026-11-20T05:00:00Z', want: 'closed until 2026-11-20T21:00:00Z', reason: 'its end belongs to the day' },
    {
      window: night,
      now: '2026-10-25T04:30:00Z',
      want: 'open until 2026-10-25T05:00:00Z',
      reason: 'the long night: until 06:00 on the clock',
    },
    {
      window: cron('30 2 * * *', 1),
      now: '2026-03-29T00:59:00Z',
      want: 'closed until 2026-03-29T01:00:00Z',
      reason: 'a start that clocks skip',
    },
    {
      window: cron('0 0 * * *', 24),
      now: '2026-11-19T12:00:00Z',
      want: 'open until 2027-02-27T23:00:00Z',
      reason: 'runs that join each other',
    },
    { window: cron('0 9 29 2 *', 8, 'UTC'), now: '2026-11-19T12:00:00Z', want: 'closed until 2028-02-29T09:00:00Z', reason: 'a leap day' },
    {
      window: cron('0 9 * * *', 8, 'Asia/Tokyo'),
      now: '2026-11-19T00:00:00Z',
      want: 'open until 2026-11-19T08:00:00Z',
      reason: 'another zone',
    },
  ])('$now: $want ($reason)', ({ window, now, want }) => expect(spanText(window, now)).toBe(want));
});

describe('a cron expression', () => {
  test.each(['0 18 * * FRI', '30 2 1-7 * MON', '0 */6 * * *', '0 0 L * *'])('%s is one', (start) =>
    expect(cronProblem(start, 'UTC')).toBeUndefined(),
  );

  test.each([
    ['18 * * 5', 'five fields'],
    ['* 18 * * 5', 'one number as the minute'],
    ['0 99 * * *', 'Invalid value for hour: 99'],
    ['0 18 * * SOMEDAY', 'illegal characters'],
    ['0 0 31 2 *', 'never does'],
    ['@daily', 'five fields'],
    ['0 0 18 * * 5', 'five fields'],
  ])('%s is none: %s', (start, why) => expect(cronProblem(start, 'UTC')).toContain(why));
});
