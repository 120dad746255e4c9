import type { JsonSchema } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { below } from './edits.ts';

/** One place of an object with the schema that governs it. */
export interface Spot {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly pointer: string;
  /** As the API names the place. */
  readonly field: string;
}

/** Every place of the object that a schema governs, without metadata and the envelope; of a list its first item, of a map its first entry. */
export function walk(schema: JsonSchema, object: unknown): readonly Spot[] {
  const root: Spot = { schema, value: object, pointer: '', field: '' };
  return [root, ...children(root).flatMap(spotsBelow)];
}

const spotsBelow = (spot: Spot): readonly Spot[] => [spot, ...children(spot).flatMap(spotsBelow)];

function children({ schema, value, pointer, field }: Spot): readonly Spot[] {
  if (Array.isArray(value)) {
    return schema.items && value.length > 0
      ? [{ schema: schema.items, value: value[0], pointer: below(pointer, 0), field: `${field}[0]` }]
      : [];
  }
  if (!isObject(value)) return [];
  const at = (name: string, child: JsonSchema): Spot => ({
    schema: child,
    value: value[name],
    pointer: below(pointer, name),
    field: field === '' ? name : `${field}.${name}`,
  });
  if (schema.properties) return governed(schema.properties, field).flatMap(([name, child]) => (name in value ? [at(name, child)] : []));
  const first = Object.keys(value)[0];
  return isObject(schema.additionalProperties) && first !== undefined ? [at(first, schema.additionalProperties)] : [];
}

const governed = (properties: Readonly<Record<string, JsonSchema>>, field: string): readonly [string, JsonSchema][] =>
  Object.entries(properties).filter(([name]) => field !== '' || name === 'spec' || name === 'status');

/** Every place that a schema knows, with `[]` for items and `*` for map values. */
export function places(schema: JsonSchema, field = ''): readonly (readonly [string, JsonSchema])[] {
  const inner = [
    ...governed(schema.properties ?? {}, field).flatMap(([name, child]) => places(child, field === '' ? name : `${field}.${name}`)),
    ...(schema.items ? places(schema.items, `${field}[]`) : []),
    ...(isObject(schema.additionalProperties) ? places(schema.additionalProperties, `${field}.*`) : []),
  ];
  return field === '' ? inner : [[field, schema], ...inner];
}
