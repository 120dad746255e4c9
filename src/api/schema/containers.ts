import Type, { type Static, type TObject, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import type { Rule } from './rules.ts';
import { given } from '../../base/index.ts';
import { withRules } from './scalars.ts';

type Properties = Readonly<Record<string, TSchema>>;
type AllOptional<P extends Properties> = { [K in keyof P]: TOptional<P[K]> };

export interface ObjectOptions {
  readonly minProperties?: number;
  readonly rules?: readonly Rule[];
}

export interface ListOptions {
  readonly min?: number;
  readonly max?: number;
  /** The list is a map by these members of its items: two items must not agree in all of them. */
  readonly keys?: readonly string[];
  /** The list is replaced as a whole when it is applied. */
  readonly atomic?: boolean;
  readonly rules?: readonly Rule[];
}

/** An object; members are required unless they are wrapped in `optional`. */
export const object = <P extends Properties>(description: string, properties: P, { rules, ...rest }: ObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { description, ...rest, ...withRules(rules) }) as TObject<P>;

/** An object whose members are all optional, as in most status shapes. */
export function partial<P extends Properties>(description: string, properties: P, options: ObjectOptions = {}): TObject<AllOptional<P>> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]));
  return object(description, members as AllOptional<P>, options);
}

/** A member that may be absent. */
export const optional = <T extends TSchema>(schema: T): TOptional<T> => Type.Optional(schema) as TOptional<T>;

export const list = <T extends TSchema>(
  description: string,
  items: T,
  { min, max, keys, atomic, rules }: ListOptions = {},
): TUnsafe<Static<T>[]> =>
  Type.Unsafe<Static<T>[]>({
    type: 'array',
    description,
    items,
    ...given({
      minItems: min,
      maxItems: max,
      'x-kubernetes-list-type': keys ? 'map' : atomic ? 'atomic' : undefined,
      'x-kubernetes-list-map-keys': keys,
    }),
    ...withRules(rules),
  });

/** Values by names that are not known beforehand. */
export const map = <T extends TSchema>(
  description: string,
  values: T,
  { max }: { readonly max?: number } = {},
): TUnsafe<Record<string, Static<T>>> =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', description, additionalProperties: values, ...given({ maxProperties: max }) });

/** Strings by name: labels, annotations, parameters. */
export const textMap = (
  description: string,
  options: { readonly max?: number; readonly maxLength?: number } = {},
): TUnsafe<Record<string, string>> =>
  map(description, Type.Unsafe<string>({ type: 'string', ...given({ maxLength: options.maxLength }) }), options);

/** A list of plain strings. */
export const texts = (description: string, options: ListOptions & { readonly maxLength?: number } = {}): TUnsafe<string[]> =>
  list(description, Type.Unsafe<string>({ type: 'string', ...given({ maxLength: options.maxLength }) }), options);

/** Any JSON value, kept as it was written. */
export const any = (description: string): TUnsafe<unknown> =>
  Type.Unsafe<unknown>({ description, 'x-kubernetes-preserve-unknown-fields': true });

/** An object with any members, kept as it was written. */
export const anyObject = (description: string): TUnsafe<Record<string, unknown>> =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true });
