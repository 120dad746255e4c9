import { after, afterOnTheClock, HOUR, instant, type Instant } from '../../base/index.ts';
import type { ChangeWindow, WindowTimes } from '../change-window-settings.ts';
import { nextStart } from './cron-starts.ts';

/** Whether a window is open: until when, or when it opens next; without `next` it never does again. */
export type WindowSpan = { readonly kind: 'open'; readonly until: Instant } | { readonly kind: 'closed'; readonly next?: Instant };

type Cron = Extract<WindowTimes, { kind: 'cron' }>;

/** No change of clocks is larger. */
const CLOCK_CHANGE_MS = 3 * HOUR;

/** Runs of one schedule that follow each other without a gap; beyond so many its end is evaluated again when it comes. */
const MOST_JOINED = 100;

/** When a window is open, seen from a moment. It includes its start and excludes its end. */
export function spanOf({ times, timeZone }: ChangeWindow, now: Instant): WindowSpan {
  if (times.kind === 'cron') return cronSpan(times, timeZone, now);
  if (now >= times.until) return { kind: 'closed' };
  return now < times.from ? { kind: 'closed', next: times.from } : { kind: 'open', until: times.until };
}

function cronSpan(times: Cron, zone: string, now: Instant): WindowSpan {
  const { start, durationMs } = times;
  let at = nextStart(start, zone, after(now, -durationMs - CLOCK_CHANGE_MS));
  while (at !== undefined && at <= now) {
    const until = afterOnTheClock(at, durationMs, zone);
    if (now < until) return { kind: 'open', until: joined(times, zone, { at, until }) };
    at = nextStart(start, zone, at);
  }
  return { kind: 'closed', ...(at !== undefined && { next: at }) };
}

/** No schedule has a year without the gap that it ever has. */
const LONGEST_RUN_MS = 400 * 24 * HOUR;

/** Whether each run of a schedule begins before the one before it has ended, so that it is always open. */
export function neverEnds({ times, timeZone }: Pick<ChangeWindow, 'times' | 'timeZone'>): boolean {
  if (times.kind === 'range') return false;
  const first = nextStart(times.start, timeZone, instant(0));
  let at = first;
  while (first !== undefined && at !== undefined && at - first < LONGEST_RUN_MS) {
    const next = nextStart(times.start, timeZone, at);
    if (next === undefined || next > afterOnTheClock(at, times.durationMs, timeZone)) return false;
    at = next;
  }
  return true;
}

/** The end, where the next run begins before this one ends. */
function joined({ start, durationMs }: Cron, zone: string, first: { readonly at: Instant; readonly until: Instant }): Instant {
  let { at, until } = first;
  for (let runs = 0; runs < MOST_JOINED; runs++) {
    const next = nextStart(start, zone, at);
    if (next === undefined || next > until) return until;
    at = next;
    until = afterOnTheClock(next, durationMs, zone);
  }
  return until;
}
