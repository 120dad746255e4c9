import { PlatformError } from '../src/base/index.ts';

/** What a workflow is told: its parameters, as environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable that must be there and, when `allowed` is given, be one of those. */
export function required(env: Environment, name: string, allowed?: readonly string[]): string {
  const value = env[name]?.trim() ?? '';
  if (value === '') throw wrong(`${name} is not set`);
  if (allowed && !allowed.includes(value)) throw wrong(`${name} is ${JSON.stringify(value)}; it must be ${allowed.join(' or ')}`);
  return value;
}

/** The value of a variable that must be a whole number above 0. */
export function wholeNumber(env: Environment, name: string): number {
  const text = required(env, name);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw wrong(`${name} is ${JSON.stringify(text)}; it must be a whole number above 0`);
  return Number(text);
}

const wrong = (message: string): PlatformError => new PlatformError('Invalid', message, { retry: 'never' });
