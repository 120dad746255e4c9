import { assertNever, clip, formatDuration, HOUR, parseDuration } from '../base/index.ts';

/** How a value is written, and which ones are allowed. Durations are in milliseconds here. */
export type ValueForm =
  /** `zero` says what 0 means, where it may be given although it is below `min`. */
  | { readonly kind: 'duration'; readonly min: number; readonly max: number; readonly zero?: string }
  /** A duration too, but a whole number without a unit counts hours. */
  | { readonly kind: 'hours'; readonly min: number; readonly max: number; readonly zero?: string }
  /** `quoted`: the number may also be given as a text. */
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly quoted?: true }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** `none`: an empty text is the same as no value. */
  | { readonly kind: 'text'; readonly pattern: RegExp; readonly wants: string; readonly none?: true };

/** A value as the settings hold it. */
export type SettingValue = string | number | boolean | undefined;

/** What a file says, as a setting; or that it is none that is allowed. */
export type ReadValue = { readonly kind: 'value'; readonly value: SettingValue } | { readonly kind: 'refused' };

type DurationForm = Extract<ValueForm, { kind: 'duration' | 'hours' }>;

const REFUSED: ReadValue = { kind: 'refused' };

const value = (read: SettingValue): ReadValue => ({ kind: 'value', value: read });

/** Reads a value of the file as a setting. */
export function readValue(form: ValueForm, raw: unknown): ReadValue {
  switch (form.kind) {
    case 'duration':
    case 'hours':
      return readDuration(form, raw);
    case 'integer':
      return readInteger(form, raw);
    case 'flag':
      return typeof raw === 'boolean' ? value(raw) : REFUSED;
    case 'choice':
      return readChoice(form, raw);
    case 'text':
      return readText(form, raw);
    default:
      return assertNever(form);
  }
}

function readDuration(form: DurationForm, raw: unknown): ReadValue {
  const ms = millisecondsOf(form, raw);
  if (ms === undefined) return REFUSED;
  if (ms === 0 && form.zero !== undefined) return value(0);
  return isWithin(form, ms) ? value(Math.round(ms)) : REFUSED;
}

function millisecondsOf({ kind }: DurationForm, raw: unknown): number | undefined {
  if (typeof raw === 'string') return parseDuration(raw);
  if (raw === 0) return 0;
  return kind === 'hours' && Number.isInteger(raw) ? (raw as number) * HOUR : undefined;
}

function readInteger(form: Extract<ValueForm, { kind: 'integer' }>, raw: unknown): ReadValue {
  const it = form.quoted && typeof raw === 'string' && /^\d{1,9}$/.test(raw) ? Number(raw) : raw;
  return typeof it === 'number' && Number.isInteger(it) && isWithin(form, it) ? value(it) : REFUSED;
}

const readChoice = ({ options }: Extract<ValueForm, { kind: 'choice' }>, raw: unknown): ReadValue =>
  typeof raw === 'string' && options.includes(raw) ? value(raw) : REFUSED;

function readText({ pattern, none }: Extract<ValueForm, { kind: 'text' }>, raw: unknown): ReadValue {
  if (typeof raw !== 'string') return REFUSED;
  if (none && raw === '') return value(undefined);
  return pattern.test(raw) ? value(raw) : REFUSED;
}

const isWithin = ({ min, max }: { readonly min: number; readonly max: number }, it: number): boolean => it >= min && it <= max;

/** What may stand there, as the end of a sentence that begins with "wants". */
export function allowed(form: ValueForm): string {
  switch (form.kind) {
    case 'duration':
      return `a duration such as 5m or 1h30m, from ${limits(form)}`;
    case 'hours':
      return `a whole number of hours or a duration such as 1h30m, from ${limits(form)}`;
    case 'integer':
      return `a whole number from ${limits(form)}`;
    default:
      return limits(form);
  }
}

/** The same, for those who see the default beside it. */
export function limits(form: ValueForm): string {
  switch (form.kind) {
    case 'duration':
    case 'hours':
      return span(form);
    case 'integer':
      return `${form.min} to ${form.max}`;
    case 'flag':
      return 'true or false';
    case 'choice':
      return form.options.join(' or ');
    case 'text':
      return form.wants;
    default:
      return assertNever(form);
  }
}

const span = ({ min, max, zero }: DurationForm): string =>
  `${shortDuration(min)} to ${shortDuration(max)}${zero === undefined ? '' : `, or 0 (${zero})`}`;

/** Writes a setting the way a file has it; undefined when there is none to write. */
export function writeValue(form: ValueForm, setting: SettingValue): string | undefined {
  if (setting === undefined) return undefined;
  if (form.kind === 'duration' || (form.kind === 'hours' && Number(setting) % HOUR !== 0)) return shortDuration(Number(setting));
  if (form.kind === 'hours') return String(Number(setting) / HOUR);
  return form.kind === 'text' ? JSON.stringify(setting) : String(setting);
}

/**
 * A duration without the units that are zero.
 * @example shortDuration(3_600_000) === '1h'
 */
export const shortDuration = (ms: number): string =>
  formatDuration(ms)
    .replace(/(?<=[hm])0s$/, '')
    .replace(/(?<=h)0m$/, '');

const LONGEST_SHOWN = 60;

/** A value of the file for a message. */
export function shown(raw: unknown): string {
  if (raw === null || raw === undefined) return 'empty';
  if (typeof raw === 'string') return clip(JSON.stringify(raw), LONGEST_SHOWN);
  if (typeof raw === 'object') return Array.isArray(raw) ? 'a list' : 'a map';
  return clip(String(raw as number | boolean), LONGEST_SHOWN);
}
