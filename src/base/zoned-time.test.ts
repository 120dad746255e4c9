import { describe, expect, test } from 'vitest';
import { HOUR, parseTime, toTime } from './index.ts';
import { afterOnTheClock, atWallTime, isTimeZone, wallTimeAt } from './zoned-time.ts';

const when = (text: string) => parseTime(text)!;

describe('clocks of a time zone', () => {
  test.each([
    { wall: '2026-12-24T18:00:00', zone: 'Europe/Berlin', at: '2026-12-24T17:00:00Z', reason: 'winter' },
    { wall: '2026-07-01T18:00:00', zone: 'Europe/Berlin', at: '2026-07-01T16:00:00Z', reason: 'summer' },
    { wall: '2026-07-01T18:00:00', zone: 'UTC', at: '2026-07-01T18:00:00Z', reason: 'UTC' },
    { wall: '2026-07-01T18:00:00', zone: 'Asia/Kolkata', at: '2026-07-01T12:30:00Z', reason: 'half an hour' },
    { wall: '2026-07-01T18:00:00', zone: 'America/New_York', at: '2026-07-01T22:00:00Z', reason: 'west of Greenwich' },
    { wall: '2026-12-31T12:00:00', zone: 'Pacific/Auckland', at: '2026-12-30T23:00:00Z', reason: 'the day before, in UTC' },
  ])('show $wall in $zone at $at: $reason', ({ wall, zone, at }) => {
    expect(toTime(atWallTime(wall, zone)!)).toBe(at);
    expect(wallTimeAt(when(at), zone)).toBe(wall);
  });

  test('a time that they skip in spring is as far after the change', () =>
    expect(toTime(atWallTime('2026-03-29T02:30:00', 'Europe/Berlin')!)).toBe('2026-03-29T01:30:00Z'));

  test('a time that they show twice in autumn is the earlier or the later one, as asked', () => {
    expect(toTime(atWallTime('2026-10-25T02:30:00', 'Europe/Berlin')!)).toBe('2026-10-25T00:30:00Z');
    expect(toTime(atWallTime('2026-10-25T02:30:00', 'Europe/Berlin', 'later')!)).toBe('2026-10-25T01:30:00Z');
  });

  test.each(['2026-02-30T00:00:00', '2026-13-01T00:00:00', 'tomorrow', '2026-01-01T25:00:00'])('%s is no time', (wall) =>
    expect(atWallTime(wall, 'UTC')).toBeUndefined(),
  );

  test.each([
    { from: '2026-10-24T20:00:00Z', until: '2026-10-25T05:00:00Z', reason: 'a night of nine hours, in autumn' },
    { from: '2026-03-28T21:00:00Z', until: '2026-03-29T04:00:00Z', reason: 'a night of seven, in spring' },
    { from: '2026-06-01T20:00:00Z', until: '2026-06-02T04:00:00Z', reason: 'any other night' },
  ])('from 22:00, 8h are 06:00: $reason', ({ from, until }) =>
    expect(toTime(afterOnTheClock(when(from), 8 * HOUR, 'Europe/Berlin'))).toBe(until),
  );

  test('only zones that exist are zones', () => {
    for (const zone of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires']) expect(isTimeZone(zone)).toBe(true);
    for (const zone of ['Europe/Gotham', 'Mars', ' ']) expect(isTimeZone(zone)).toBe(false);
  });
});
