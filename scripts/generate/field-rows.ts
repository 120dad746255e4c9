import type { JsonSchema } from '../../src/api/index.ts';
import { isObject } from '../../src/base/index.ts';
import { code } from './markdown.ts';

/** One row per field: path, type, constraints, default, description. `*` marks what is required. */
export type FieldRow = readonly [field: string, type: string, rule: string, fallback: string, description: string];

/** All fields below a schema, depth first, as the schema orders them. */
export const fieldRows = (schema: JsonSchema, path: string): readonly FieldRow[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const field = `${path}.${name}`;
    const required = schema.required?.includes(name) ? '*' : '';
    const row: FieldRow = [code(field) + required, typeOf(child), constraintsOf(child), fallbackOf(child), child.description ?? ''];
    return [row, ...fieldsInside(child, field)];
  });

function fieldsInside(schema: JsonSchema, field: string): readonly FieldRow[] {
  if (schema.items) return fieldRows(schema.items, `${field}[]`);
  if (isObject(schema.additionalProperties)) return fieldRows(schema.additionalProperties, `${field}.*`);
  return fieldRows(schema, field);
}

function typeOf(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (isObject(schema.additionalProperties)) return `map of ${typeOf(schema.additionalProperties)}`;
  return schema.format ?? schema.type ?? 'any';
}

/** The constraints of a value, the most important first. */
function constraintsOf(schema: JsonSchema): string {
  const own = [
    schema.enum && schema.enum.map((value) => code(value === '' ? '""' : String(value))).join(', '),
    schema.pattern && code(schema.pattern),
    span(schema.minimum, schema.maximum, ''),
    span(schema.minLength, schema.maxLength, ' characters'),
    span(schema.minItems, schema.maxItems, ' items'),
    span(schema.minProperties, schema.maxProperties, ' members'),
    schema['x-kubernetes-list-map-keys'] && `unique by ${schema['x-kubernetes-list-map-keys'].join(', ')}`,
  ];
  const inner = schema.items ?? schema.additionalProperties;
  const below = isObject(inner) && !('properties' in inner) ? constraintsOf(inner) : '';
  return [...own, below && `each: ${below}`].filter((text) => text !== undefined && text !== '').join('; ');
}

function span(low: number | undefined, high: number | undefined, unit: string): string | undefined {
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `at least ${low}${unit}`;
  return high === undefined ? undefined : `at most ${high}${unit}`;
}

const fallbackOf = (schema: JsonSchema): string => (schema.default === undefined ? '' : code(JSON.stringify(schema.default)));
