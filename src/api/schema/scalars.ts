import Type, { type TUnsafe } from 'typebox';
import { given } from '../../base/index.ts';
import type { Rule } from './rules.ts';

export interface TextOptions {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly default?: string;
  readonly rules?: readonly Rule[];
}

export interface NumberOptions {
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
  readonly rules?: readonly Rule[];
}

/** A string. */
export const text = (description: string, { min, max, pattern, rules, ...rest }: TextOptions = {}): TUnsafe<string> =>
  Type.Unsafe<string>({ type: 'string', description, ...rest, ...given({ minLength: min, maxLength: max, pattern }), ...withRules(rules) });

/** A string out of a closed list. */
export const enumOf = <const V extends string>(
  description: string,
  values: readonly V[],
  options: { readonly default?: V } = {},
): TUnsafe<V> => Type.Unsafe<V>({ type: 'string', description, enum: values, ...options });

/** A moment, RFC 3339. */
export const time = (description: string): TUnsafe<string> => Type.Unsafe<string>({ type: 'string', format: 'date-time', description });

/** A Go duration that is not negative: "5m", "1h30m", "0". */
export const DURATION_PATTERN = '^(0|([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$';

/** A span of time as people write it, e.g. "1h30m". */
export const duration = (description: string, options: { readonly rules?: readonly Rule[] } = {}): TUnsafe<string> =>
  text(description, { max: 64, pattern: DURATION_PATTERN, ...options });

/** `sha256:` and 64 lower-case hex digits. */
export const digest = (description: string): TUnsafe<string> => text(description, { max: 71, pattern: '^sha256:[a-f0-9]{64}$' });

export const int32 = (description: string, options: NumberOptions = {}): TUnsafe<number> =>
  numeric({ type: 'integer', format: 'int32' }, description, options);

export const int64 = (description: string, options: NumberOptions = {}): TUnsafe<number> =>
  numeric({ type: 'integer', format: 'int64' }, description, options);

/** A number with decimals. */
export const decimal = (description: string, options: NumberOptions = {}): TUnsafe<number> =>
  numeric({ type: 'number' }, description, options);

/** A share between 0 and 1. */
export const fraction = (description: string): TUnsafe<number> => decimal(description, { min: 0, max: 1 });

export const flag = (description: string, options: { readonly default?: boolean } = {}): TUnsafe<boolean> =>
  Type.Unsafe<boolean>({ type: 'boolean', description, ...options });

/** A whole number, or a string of the given pattern ("40%"). */
export const intOrString = (
  description: string,
  { min, max, pattern }: { readonly min?: number; readonly max?: number; readonly pattern: string },
): TUnsafe<number | string> =>
  Type.Unsafe<number | string>({
    description,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    ...given({ minimum: min, maximum: max }),
    pattern,
    'x-kubernetes-int-or-string': true,
  });

const numeric = (type: object, description: string, { min, max, rules, ...rest }: NumberOptions): TUnsafe<number> =>
  Type.Unsafe<number>({ ...type, description, ...rest, ...given({ minimum: min, maximum: max }), ...withRules(rules) });

export const withRules = (rules: readonly Rule[] = []): Record<string, unknown> =>
  rules.length > 0 ? { 'x-kubernetes-validations': rules } : {};
