import { invalidParameter } from './refusal.ts';

/** The parameters of a workflow, as environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable; undefined when it is absent or blank. */
export const given = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/** The value of a variable that must be there and, when `allowed` is given, be one of those. */
export function required(env: Environment, name: string, allowed?: readonly string[]): string {
  const value = given(env, name);
  if (value === undefined) throw invalidParameter(`${name} is not set`);
  if (allowed && !allowed.includes(value))
    throw invalidParameter(`${name} is ${JSON.stringify(value)}; it must be ${allowed.join(' or ')}`);
  return value;
}

/** The value of a variable that must have a form; undefined when it is absent. */
export function shaped(env: Environment, name: string, form: RegExp): string | undefined {
  const value = given(env, name);
  if (value !== undefined && !form.test(value)) throw invalidParameter(`${name} is ${JSON.stringify(value)}; it must match ${form.source}`);
  return value;
}

/** The value of a variable that must be a whole number above 0. */
export function wholeNumber(env: Environment, name: string): number {
  const text = required(env, name);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalidParameter(`${name} is ${JSON.stringify(text)}; it must be a whole number above 0`);
  return Number(text);
}

export interface Range {
  readonly least: number;
  readonly most: number;
}

/** The value of a variable that must be a number from `least` to `most`; undefined when it is absent. */
export function numberWithin(env: Environment, name: string, { least, most }: Range): number | undefined {
  const text = given(env, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw invalidParameter(`${name} is ${JSON.stringify(text)}; it must be a number from ${least} to ${most}`);
  return value;
}

/** As `numberWithin`, and without a fraction. */
export function wholeNumberWithin(env: Environment, name: string, range: Range): number | undefined {
  const value = numberWithin(env, name, range);
  if (value !== undefined && !Number.isInteger(value)) throw invalidParameter(`${name} is ${value}; it must be a whole number`);
  return value;
}

/** The value of a variable that is true or false; false when it is absent. */
export const yesOrNo = (env: Environment, name: string): boolean =>
  given(env, name) !== undefined && required(env, name, ['true', 'false']) === 'true';
