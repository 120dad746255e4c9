import { isObject, parseDuration } from '../base/index.ts';
import { closestKey } from './closest-key.ts';
import { shown } from './value-forms.ts';

/** The way to a field, as in `receivers`, 1, `slackConfigs`, 0, `channel`. */
export type FieldPath = readonly (string | number)[];

/** Something wrong with a field. */
export interface FieldProblem {
  readonly path: FieldPath;
  readonly message: string;
}

/**
 * A path as people write it.
 * @example pathText(['receivers', 1, 'name']) === 'receivers[1].name'
 */
export const pathText = (path: FieldPath): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

/** Where a value stands, and where what is wrong with it is noted. */
export class FieldPlace {
  readonly path: FieldPath;
  readonly problems: FieldProblem[];

  constructor(path: FieldPath, problems: FieldProblem[]) {
    this.path = path;
    this.problems = problems;
  }

  in(part: string | number): FieldPlace {
    return new FieldPlace([...this.path, part], this.problems);
  }

  /** Notes a problem; the value counts as absent. */
  refuse(message: string): undefined {
    this.problems.push({ path: this.path, message: `${pathText(this.path)} ${message}` });
    return undefined;
  }

  wants(raw: unknown, what: string): undefined {
    return this.refuse(`is ${shown(raw)}: wants ${what}`);
  }
}

/** Reads a value; undefined after a problem was noted. */
export type FieldReader<T> = (raw: unknown, place: FieldPlace) => T | undefined;

export const textField =
  (pattern: RegExp, what: string): FieldReader<string> =>
  (raw, place) =>
    typeof raw === 'string' && pattern.test(raw) ? raw : place.wants(raw, what);

export const flagField: FieldReader<boolean> = (raw, place) => (typeof raw === 'boolean' ? raw : place.wants(raw, 'true or false'));

export const choiceField =
  <T extends string>(options: readonly T[]): FieldReader<T> =>
  (raw, place) =>
    options.find((option) => option === raw) ?? place.wants(raw, options.join(' or '));

export const listField =
  <T>(item: FieldReader<T>, least = 0): FieldReader<readonly T[]> =>
  (raw, place) => {
    if (!Array.isArray(raw)) return place.wants(raw, 'a list');
    if (raw.length < least) return place.refuse('is an empty list: wants at least one entry');
    return raw.map((each: unknown, index) => item(each, place.in(index))).filter((value) => value !== undefined);
  };

/** A map from names to values of one form. */
export const mapField =
  <T>(value: FieldReader<T>, name: RegExp, what: string): FieldReader<Readonly<Record<string, T>>> =>
  (raw, place) => {
    if (!isObject(raw)) return place.wants(raw, 'a map');
    const entries: [string, T][] = [];
    for (const [key, each] of Object.entries(raw)) {
      if (!name.test(key)) place.in(key).refuse(`is not ${what}`);
      const read = value(each, place.in(key));
      if (read !== undefined) entries.push([key, read]);
    }
    return Object.fromEntries(entries);
  };

/** A field of a section: how it is read, and what holds without it. */
export interface SectionField<T> {
  readonly read: FieldReader<T>;
  readonly presence: 'required' | 'optional';
}

export const requiredField = <T>(read: FieldReader<T>): SectionField<T> => ({ read, presence: 'required' });
export const optionalField = <T>(read: FieldReader<T>): SectionField<T> => ({ read, presence: 'optional' });

type SectionOf<Fields extends Readonly<Record<string, SectionField<unknown>>>> = {
  readonly [K in keyof Fields]?: Fields[K] extends SectionField<infer T> ? T : never;
};

/** A map with known keys. What is required and missing is noted; so is every key that is unknown. Alertmanager's spelling (`match_re`) is accepted. */
export const sectionField =
  <Fields extends Readonly<Record<string, SectionField<unknown>>>>(fields: Fields): FieldReader<SectionOf<Fields>> =>
  (raw, place) => {
    const names = Object.keys(fields);
    if (!isObject(raw)) return place.wants(raw, `the keys ${names.join(', ')}`);
    const found = new Map<string, unknown>();
    for (const [written, value] of Object.entries(raw)) {
      const name = camel(written);
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (!field) unknownKey(place.in(written), written, names);
      else if (found.has(name)) place.in(written).refuse(`is given twice: wants to be there once`);
      else found.set(name, field.read(value, place.in(written)));
    }
    for (const name of names)
      if (fields[name]?.presence === 'required' && !found.has(name)) place.refuse(`has no ${name}, which is required`);
    return Object.fromEntries([...found].filter(([, value]) => value !== undefined)) as SectionOf<Fields>;
  };

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function unknownKey(place: FieldPlace, written: string, names: readonly string[]): void {
  const meant = closestKey(camel(written), names);
  place.refuse(`is not a key${meant === undefined ? `: there are ${names.join(', ')}` : `: did you mean ${meant}?`}`);
}

/** A duration within bounds, in milliseconds. */
export const durationField =
  (min: number, max: number, wants: string): FieldReader<number> =>
  (raw, place) => {
    const ms = typeof raw === 'string' ? parseDuration(raw) : raw === 0 ? 0 : undefined;
    return ms !== undefined && ms >= min && ms <= max ? Math.round(ms) : place.wants(raw, wants);
  };
