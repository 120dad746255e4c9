import { Cron } from 'croner';
import { instant, messageOf, toTime, type Instant } from '../../base/index.ts';

/** Five fields, with one minute: a window that begins every minute is a mistake, and would take long to evaluate. */
const FORM = /^\d{1,2}( +[^ ]+){4}$/;

/** What is wrong with a cron expression; undefined when windows may begin by it. */
export function cronProblem(expression: string, timeZone: string): string | undefined {
  if (!FORM.test(expression)) return 'the five fields minute, hour, day of month, month and day of week, and one number as the minute';
  try {
    const from = toTime(instant(0));
    return cronOf(expression, timeZone).nextRun(from) === null ? 'a time that comes: this one never does' : undefined;
  } catch (error) {
    return `a cron expression: ${messageOf(error).replace(/^CronPattern: /, '')}`;
  }
}

/** The first start after a moment; undefined when none comes. */
export function nextStart(expression: string, timeZone: string, moment: Instant): Instant | undefined {
  const next = cronOf(expression, timeZone).nextRun(toTime(moment));
  return next ? instant(next.getTime()) : undefined;
}

/** Paused: it runs nothing, and only says when. */
const cronOf = (expression: string, timezone: string): Cron => new Cron(expression, { timezone, paused: true });
