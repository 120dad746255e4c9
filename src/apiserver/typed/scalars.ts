import type { BuiltinSchema } from '../kinds/builtin-schemas.ts';
import { jsonType } from '../metadata/json-type.ts';
import { canonicalQuantity } from './quantity.ts';
import { readBase64, readMicroTime, readTime } from './texts.ts';

/** A value without members. */
export interface Scalar {
  readonly shape: 'scalar';
  readonly goType: string;
  /** The zero value, for a null where a value is required. */
  readonly zero: unknown;
  /** The stored form of the value. */
  read(value: unknown): Reading;
}

/** A value that was read, or why it was not: its wrong type, or an error message. */
export type Reading = { readonly value: unknown } | { readonly found: string } | { readonly refused: string };

const found = (value: unknown): Reading => ({ found: jsonType(value) });

const scalar = (goType: string, zero: unknown, read: (value: unknown) => Reading): Scalar => ({ shape: 'scalar', goType, zero, read });

const text = scalar('string', '', (value) => (typeof value === 'string' ? { value } : found(value)));
const truth = scalar('bool', false, (value) => (typeof value === 'boolean' ? { value } : found(value)));
const fraction = scalar('float64', 0, (value) => (typeof value === 'number' ? { value } : found(value)));

const whole = (goType: string, limit: number): Scalar => scalar(goType, 0, (value) => readWhole(value, limit));

function readWhole(value: unknown, limit: number): Reading {
  if (typeof value !== 'number') return found(value);
  return Number.isInteger(value) && value >= -limit && value < limit ? { value } : { found: `number ${value}` };
}

const int32 = whole('int32', 2 ** 31);
const int64 = whole('int64', 2 ** 63);

/** A string with a format. */
const form = (goType: string, zero: unknown, read: (value: string) => Reading): Scalar =>
  scalar(goType, zero, (value) => (typeof value === 'string' ? read(value) : found(value)));

const bytes = form('[]uint8', '', readBase64);

/** Types whose JSON differs from their schema. */
export const SPECIAL: Readonly<Record<string, Scalar>> = {
  Time: form('string', null, readTime),
  MicroTime: form('string', null, readMicroTime),
  Quantity: scalar('resource.Quantity', '0', readQuantity),
  IntOrString: scalar('int32', 0, (value) => (typeof value === 'string' ? { value } : int32.read(value))),
};

const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function readQuantity(value: unknown): Reading {
  if (typeof value !== 'string' && typeof value !== 'number') return { refused: QUANTITY };
  const canonical = canonicalQuantity(String(value));
  return canonical === undefined ? { refused: QUANTITY } : { value: canonical };
}

/** The type of a scalar; undefined for structs, lists, maps and untyped values. */
export function scalarOf({ type, format }: BuiltinSchema): Scalar | undefined {
  switch (type) {
    case 'string':
      return format === 'byte' ? bytes : text;
    case 'integer':
      return format === 'int32' ? int32 : int64;
    case 'number':
      return fraction;
    case 'boolean':
      return truth;
    default:
      return undefined;
  }
}
