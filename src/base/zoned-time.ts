import { after, instant, parseTime, type Instant } from './clock.ts';
import { HOUR } from './duration.ts';

const DAY = 24 * HOUR;

/** Whether there is such a time zone, such as Europe/Berlin. */
export function isTimeZone(zone: string): boolean {
  try {
    offsetAt(instant(0), zone);
    return true;
  } catch {
    return false;
  }
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(at: Instant, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const written = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(written) ?? [];
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/**
 * What the clocks of a zone show, without a zone.
 * @example wallTimeAt(parseTime('2026-12-24T17:00:00Z'), 'Europe/Berlin') === '2026-12-24T18:00:00'
 */
export const wallTimeAt = (at: Instant, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(at).replace(' ', 'T');

/**
 * When the clocks of a zone show a time. A time that they skip in spring is the moment as far after the change; of one that they show twice in
 * autumn it is the earlier or the later. Undefined when the text is no time.
 */
export function atWallTime(wall: string, zone: string, twice: 'earlier' | 'later' = 'earlier'): Instant | undefined {
  const asUtc = parseTime(`${wall}Z`);
  return asUtc === undefined ? undefined : atWallClock(asUtc, zone, twice);
}

function atWallClock(asUtc: Instant, zone: string, twice: 'earlier' | 'later'): Instant {
  const before = offsetAt(after(asUtc, -DAY), zone);
  const behind = offsetAt(after(asUtc, DAY), zone);
  const moments = [after(asUtc, -before), after(asUtc, -behind)].toSorted((a, b) => a - b);
  const real = moments.filter((moment) => after(moment, offsetAt(moment, zone)) === asUtc);
  return (twice === 'later' ? real.at(-1) : real[0]) ?? after(asUtc, -before);
}

/** The moment at which the clocks of a zone show so much more than they do at another: 22:00 and 8h are 06:00, whatever the night is. */
export const afterOnTheClock = (at: Instant, ms: number, zone: string): Instant =>
  atWallClock(after(at, offsetAt(at, zone) + ms), zone, 'later');
