import type { BuiltinSchema } from '../kinds/builtin-schemas.ts';
import { jsonType } from '../metadata/json-type.ts';
import { canonicalQuantity } from './quantity.ts';
import { readBase64, readMicroTime, readTime } from './texts.ts';

/** A value without members. */
export interface Scalar {
  readonly shape: 'scalar';
  readonly goType: string;
  /** What a null stands for where something must be. */
  readonly zero: unknown;
  /** The value as it is kept. */
  read(value: unknown): Reading;
}

/** A value that was read, or why it was not: found to be of a type, or refused in so many words. */
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

/** A text in a form of its own. */
const form = (goType: string, zero: unknown, read: (value: string) => Reading): Scalar =>
  scalar(goType, zero, (value) => (typeof value === 'string' ? read(value) : found(value)));

const bytes = form('[]uint8', '', readBase64);

/** Types whose JSON is not what their schema would make one think. */
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

/** The type of a plain value; undefined for what has members or may be anything. */
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
