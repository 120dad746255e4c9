import { SEVERITIES } from '../../api/parts/signal.ts';
import { after, atWallTime, HOUR, isTimeZone, MINUTE, parseTime, toTime, type Instant } from '../../base/index.ts';
import { cronProblem, neverEnds } from '../../controllers/change-windows/index.ts';
import type { ChangeWindow, WindowTimes } from '../../controllers/change-window-settings.ts';
import {
  choiceField,
  durationField,
  FieldPlace,
  listField,
  mapField,
  optionalField,
  requiredField,
  sectionField,
  textField,
  type FieldProblem,
  type FieldReader,
} from '../field-reader.ts';

/** A section as settings, or everything that is wrong with it; fields are named from the section on. */
export interface ReadWindows {
  readonly windows?: readonly ChangeWindow[];
  readonly problems: readonly FieldProblem[];
}

/** Reads the section `changeFreezes` or `maintenanceWindows` of the config file. */
export function readChangeWindows(raw: unknown, section: string): ReadWindows {
  const problems: FieldProblem[] = [];
  const place = new FieldPlace([section], problems);
  const windows = listField(changeWindow)(raw, place);
  windows?.forEach(({ name }, index) => {
    if (windows.findIndex((other) => other.name === name) < index)
      place.in(index).in('name').refuse(`${name} is given twice: names must differ`);
  });
  // A maintenance window that is always open forbids nothing.
  if (section === 'changeFreezes')
    windows?.forEach((window, index) => {
      if (neverEnds(window))
        place
          .in(index)
          .in('duration')
          .refuse('makes a freeze that never ends, since its next start comes before its end: wants a shorter one, or from and until');
    });
  return problems.length > 0 || !windows ? { problems } : { windows, problems };
}

const timeZone: FieldReader<string> = (raw, place) =>
  typeof raw === 'string' && raw !== '' && isTimeZone(raw)
    ? raw
    : place.wants(raw, 'the name of a time zone, such as Europe/Berlin or UTC');

const LABEL = /^([a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const labelValue = textField(
  /^([A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?)?$/,
  'the value of a label, in quotes where it is a number or true',
);

const fields = sectionField({
  name: requiredField(textField(/^[A-Za-z0-9][-._A-Za-z0-9]{0,62}$/, 'a name: up to 63 letters, digits, dashes, dots and underscores')),
  reason: optionalField(textField(/^[^\p{Cc}\p{Cs}]{1,253}$/u, 'one line of at most 253 characters')),
  timeZone: optionalField(timeZone),
  start: optionalField(textField(/^[^\p{Cc}]{1,100}$/u, 'a cron expression, such as "0 18 * * FRI"')),
  duration: optionalField(durationField(MINUTE, 31 * 24 * HOUR, 'a duration such as 8h or 62h, from 1m to 744h')),
  from: optionalField(textField(/./, 'a time')),
  until: optionalField(textField(/./, 'a time')),
  namespaces: optionalField(
    listField(textField(/^[-a-z0-9*]{1,63}$/, 'the name of a namespace, in which a * stands for any characters'), 1),
  ),
  labels: optionalField(mapField(labelValue, LABEL, 'the name of a label')),
  severities: optionalField(listField(choiceField(SEVERITIES), 1)),
});

const changeWindow: FieldReader<ChangeWindow> = (raw, place) => {
  const before = place.problems.length;
  const read = fields(raw, place);
  // What a wrong field would have meant is not known: nothing is made of the others.
  if (read?.name === undefined || place.problems.length > before) return undefined;
  const { name, reason, timeZone: zone = 'UTC', namespaces, labels, severities } = read;
  const times = timesOf(read, zone, place);
  if (!times) return undefined;
  const scope = { ...(namespaces && { namespaces }), ...(labels && { labels }), ...(severities && { severities }) };
  return { name, ...(reason !== undefined && { reason }), timeZone: zone, times, scope };
};

type Times = Pick<NonNullable<ReturnType<typeof fields>>, 'start' | 'duration' | 'from' | 'until'>;

function timesOf({ start, duration: durationMs, from, until }: Times, zone: string, place: FieldPlace): WindowTimes | undefined {
  const isCron = start !== undefined || durationMs !== undefined;
  if (isCron === (from !== undefined || until !== undefined))
    return place.refuse('wants either start (a cron expression) and duration, or from and until');
  if (isCron) return cronTimes(start, durationMs, { zone, place });
  if (from !== undefined && until !== undefined) return rangeTimes(from, until, { zone, place });
  return place.refuse(`has no ${from === undefined ? 'from' : 'until'}, which goes with the other`);
}

function rangeTimes(from: string, until: string, around: Around): WindowTimes | undefined {
  const begin = momentOf(from, 'from', around);
  const end = momentOf(until, 'until', around);
  if (begin === undefined || end === undefined) return undefined;
  if (begin < end) return { kind: 'range', from: begin, until: end };
  return around.place.in('until').refuse(`is ${until}: wants a time after from, which is ${from}`);
}

interface Around {
  readonly zone: string;
  readonly place: FieldPlace;
}

function cronTimes(start: string | undefined, durationMs: number | undefined, { zone, place }: Around): WindowTimes | undefined {
  if (start === undefined || durationMs === undefined)
    return place.refuse(`has no ${start === undefined ? 'start' : 'duration'}, which goes with the other`);
  const problem = cronProblem(start, zone);
  return problem === undefined ? { kind: 'cron', start, durationMs } : place.in('start').wants(start, problem);
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** A day as the end of a range is its last moment: "until 6 January" includes that day. */
function momentOf(text: string, end: 'from' | 'until', { zone, place }: Around): Instant | undefined {
  const local = localTime(text, end);
  const moment = local === undefined ? parseTime(text) : atWallTime(local, zone, end === 'until' ? 'later' : 'earlier');
  return (
    moment ??
    place
      .in(end)
      .wants(text, 'a day such as 2026-12-24, a time such as 2026-12-24T18:00 in its time zone, or one such as 2026-12-24T17:00:00Z')
  );
}

function localTime(text: string, end: 'from' | 'until'): string | undefined {
  if (DATE.test(text)) return end === 'from' ? `${text}T00:00:00` : midnightAfter(text);
  return LOCAL.test(text) ? (text.length === 16 ? `${text}:00` : text) : undefined;
}

/** As clocks show it. */
function midnightAfter(day: string): string | undefined {
  const midnight = parseTime(`${day}T00:00:00Z`);
  return midnight === undefined ? undefined : toTime(after(midnight, 24 * HOUR)).slice(0, -1);
}
