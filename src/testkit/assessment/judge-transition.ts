import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { parseTime, sameJson, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Components, Status } from './ended.ts';
import type { Due } from './timing.ts';

/** One change of an assessment. */
export interface Course {
  readonly before: Status;
  readonly now: Status;
  readonly due: Due;
  readonly at: Instant;
  /** Whose clock was set may rightly find that it is time. */
  readonly isClockRight: boolean;
}

/** What is wrong with a change, whatever is true of the target. */
export function objectionToCourse(course: Course): string | undefined {
  const { before, now } = course;
  if (isTerminal(assessmentPhases, before.phase)) return sameJson(before, now) ? undefined : 'it changed after its end';
  return wrongTimes(course) ?? (now.assessmentReason === 'NoExecution' ? undefined : wrongResults(course)) ?? tooEarly(course);
}

const TIMES = ['prometheusCheckAfter', 'alertManagerCheckAfter', 'validityDeadline'] as const;
/** No times are needed there. */
const TIMELESS: ReadonlySet<string | undefined> = new Set([undefined, 'Pending', 'Failed']);

/** The times are recorded once the assessment has started, never change, and follow the formulas. */
function wrongTimes({ before, now, due }: Course): string | undefined {
  const wanted = [due.check, due.alert, due.deadline];
  for (const [index, name] of TIMES.entries()) {
    const right = wanted[index] ?? due.deadline;
    if (before[name] !== undefined && before[name] !== now[name]) return `its ${name} was moved`;
    if (now[name] === undefined ? !TIMELESS.has(now.phase) : parseTime(now[name]) !== right)
      return `its ${name} is ${now[name] ?? 'not on record'} instead of ${toTime(right)}`;
  }
  return undefined;
}

const LASTING = ['alertScore', 'metricsScore', 'baselineSpecHash', 'postRemediationSpecHash'] as const;
const DONE = ['healthAssessed', 'alertAssessed', 'metricsAssessed', 'hashComputed'] as const;

/** What is found out stays, unless nothing ever ran that it could be about. */
function wrongResults({ before: { components: before = {} }, now: { components: now = {}, phase } }: Course): string | undefined {
  const changed = LASTING.find((name) => before[name] !== undefined && before[name] !== now[name]);
  if (changed !== undefined) return `its ${changed} was changed`;
  const undone = DONE.find((name) => before[name] === true && now[name] !== true);
  if (undone !== undefined) return `its ${undone} was taken back`;
  if ((now.alertDecayRetries ?? 0) < (before.alertDecayRetries ?? 0)) return 'its retries went back';
  return phase !== 'Failed' && hasChangedHealth(before, now) ? 'its healthScore was changed' : undefined;
}

/** Health is looked at again only while an alert should clear. */
const hasChangedHealth = (before: Components, now: Components): boolean =>
  before.healthAssessed === true && before.alertAssessed === true && before.healthScore !== now.healthScore;

const RESULTS = ['healthScore', 'alertScore', 'metricsScore', 'hashComputed'] as const;

function tooEarly({ now: { phase, components = {} }, due, at, isClockRight }: Course): string | undefined {
  if (phase === 'Failed' || RESULTS.every((name) => components[name] === undefined)) return undefined;
  if (phase !== 'Assessing' && phase !== 'Completed') return `it has results in ${phase ?? 'no phase'}`;
  const isBefore = (moment: Instant): boolean => isClockRight && at + SECOND < moment;
  if (isBefore(due.check)) return 'it was judged before its time';
  return components.alertScore !== undefined && isBefore(due.alert) ? 'its alert was judged before its time' : undefined;
}
