import { invalidValue, notSupported, tooLong, tooMany, wrongType, type FieldError } from '../field-error.ts';
import { isObject, sameJson } from '../../base/index.ts';
import { hasFormat } from './formats.ts';
import { compilePattern } from './patterns.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';

/** Finds what is wrong with one value, not with its members. */
export type ValueCheck = (value: unknown, path: string) => FieldError | undefined;

/** The checks of one schema, in kube-apiserver's order. Each ignores values of another type. */
export function compileChecks(schema: JsonSchema): readonly ValueCheck[] {
  return [
    typeCheck(schema),
    ...stringChecks(schema),
    formatCheck(schema),
    ...numberChecks(schema),
    ...sizeChecks(schema),
    enumCheck(schema),
  ].filter((check) => check !== undefined);
}

/** Types as JSON schema names them; whole numbers are integers. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typeCheck(schema: JsonSchema): ValueCheck | undefined {
  const allowed = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  if (allowed.length === 0) return undefined;
  // A string with a format could be bytes, so kube-apiserver accepts lists here; only rules fail on them.
  const bytes = schema.type === 'string' && schema.format !== undefined ? ['array'] : [];
  const fits = new Set([...allowed, ...bytes, ...(allowed.includes('number') ? ['integer'] : []), ...(schema.nullable ? ['null'] : [])]);
  const named = allowed.join(',');
  return (value, path) => {
    const found = typeOf(value);
    return fits.has(found) ? undefined : wrongType(path, found, `${path} in body must be of type ${named}: ${JSON.stringify(found)}`);
  };
}

/** Length is checked before the pattern, and only the first error is reported. */
function stringChecks(schema: JsonSchema): readonly ValueCheck[] {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength === undefined && minLength === undefined && pattern === undefined) return [];
  const expression = pattern === undefined ? undefined : compilePattern(pattern);
  return [
    (value, path) => {
      if (typeof value !== 'string') return undefined;
      if (maxLength !== undefined && value.length > maxLength && runes(value) > maxLength) return tooLong(path, maxLength);
      if (minLength !== undefined && runes(value) < minLength) {
        return invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`);
      }
      if (expression && !expression.test(value)) return invalidValue(path, value, `${path} in body should match '${pattern}'`);
      return undefined;
    },
  ];
}

const runes = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

function formatCheck(schema: JsonSchema): ValueCheck | undefined {
  const { format } = schema;
  if (format === undefined) return undefined;
  return (value, path) =>
    typeof value !== 'string' || hasFormat(format, value)
      ? undefined
      : wrongType(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`);
}

function numberChecks(schema: JsonSchema): readonly ValueCheck[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const checks: ValueCheck[] = [];
  const number = (holds: (value: number) => boolean, words: string): void => {
    checks.push((value, path) =>
      typeof value !== 'number' || holds(value) ? undefined : invalidValue(path, value, `${path} in body should be ${words}`),
    );
  };
  if (multipleOf !== undefined) number((value) => Number.isInteger(value / multipleOf), `a multiple of ${multipleOf}`);
  if (maximum !== undefined && exclusiveMaximum) number((value) => value < maximum, `less than ${maximum}`);
  else if (maximum !== undefined) number((value) => value <= maximum, `less than or equal to ${maximum}`);
  if (minimum !== undefined && exclusiveMinimum) number((value) => value > minimum, `greater than ${minimum}`);
  else if (minimum !== undefined) number((value) => value >= minimum, `greater than or equal to ${minimum}`);
  return checks;
}

function sizeChecks(schema: JsonSchema): readonly ValueCheck[] {
  const { minItems, maxItems, minProperties, maxProperties } = schema;
  const checks: ValueCheck[] = [];
  const size = (count: (value: unknown) => number | undefined, judge: (count: number, path: string) => FieldError | undefined): void => {
    checks.push((value, path) => {
      const counted = count(value);
      return counted === undefined ? undefined : judge(counted, path);
    });
  };
  const few = (least: number, things: string) => (count: number, path: string) =>
    count < least ? invalidValue(path, count, `${path} in body should have at least ${least} ${things}`) : undefined;
  const many = (most: number) => (count: number, path: string) => (count > most ? tooMany(path, count, most) : undefined);
  if (minItems !== undefined) size(itemCount, few(minItems, 'items'));
  if (maxItems !== undefined) size(itemCount, many(maxItems));
  if (minProperties !== undefined) size(memberCount, few(minProperties, 'properties'));
  if (maxProperties !== undefined) size(memberCount, many(maxProperties));
  return checks;
}

const itemCount = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined);
const memberCount = (value: unknown): number | undefined => (isObject(value) ? Object.keys(value).length : undefined);

function enumCheck(schema: JsonSchema): ValueCheck | undefined {
  const { enum: allowed } = schema;
  if (!allowed) return undefined;
  return (value, path) => (allowed.some((item) => sameJson(item, value)) ? undefined : notSupported(path, value, allowed));
}
