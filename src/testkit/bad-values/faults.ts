import type { JsonSchema } from '../../api/index.ts';
import type { Edits } from '../../api/violation.ts';
import { isObject } from '../../base/index.ts';
import { below } from './edits.ts';
import type { Spot } from './walk.ts';

/** One way to break one rule at one place. */
export interface Fault {
  readonly what: string;
  readonly field: string;
  readonly edits: Edits;
}

/** Every way to break the rules that the schema sets at this place. CEL rules are not among them. */
export const faultsOf = (spot: Spot): readonly Fault[] => [
  ...missing(spot),
  ...badReplacements(spot).map(([what, value]) => ({ what, field: spot.field, edits: { [spot.pointer]: value } })),
  ...duplicate(spot),
  ...tooWide(spot),
];

/** A required member with a default never goes missing: the server fills it in first. */
const missing = ({ schema, pointer, field }: Spot): readonly Fault[] =>
  (schema.required ?? [])
    .filter((name) => schema.properties?.[name]?.default === undefined)
    .map((name) => ({ what: 'missing', field: field === '' ? name : `${field}.${name}`, edits: { [below(pointer, name)]: undefined } }));

/** A second item with the keys of the first. */
function duplicate({ schema, value, pointer, field }: Spot): readonly Fault[] {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(value)) return [];
  const items: unknown[] = value;
  return [{ what: 'duplicate', field: `${field}[${items.length}]`, edits: { [pointer]: [...items, items[0]] } }];
}

/** A number that does not fit its format is blamed on the whole that was written, unlike any other fault. */
const tooWide = ({ schema, pointer, field }: Spot): readonly Fault[] =>
  schema.format === 'int32'
    ? [{ what: `${field} beyond 32 bits`, field: field.startsWith('status.') ? 'status' : '<nil>', edits: { [pointer]: 2 ** 31 } }]
    : [];

type Replacement = readonly [what: string, value: unknown];

/** The root is no value of its own: it cannot be replaced. */
const badReplacements = (spot: Spot): readonly Replacement[] =>
  spot.field === '' ? [] : [...wrongTypes(spot.schema), ...badTexts(spot.schema), ...badNumbers(spot.schema), ...badSizes(spot)];

function wrongTypes(schema: JsonSchema): readonly Replacement[] {
  if (schema['x-kubernetes-int-or-string']) return [['neither number nor text', true]];
  switch (schema.type) {
    case undefined:
      return [];
    case 'string':
      return [['no text', 42]];
    case 'integer':
      return [
        ['no number', 'many'],
        ['not whole', 1.5],
      ];
    default:
      return [[`no ${schema.type}`, 'text']];
  }
}

function badTexts({ enum: values, pattern, minLength = 0, maxLength, format }: JsonSchema): readonly Replacement[] {
  return [
    ...(values ? [['none of the values', 'no-such-value'] as const] : []),
    ...(pattern === undefined ? [] : [['outside the pattern', '!'.repeat(Math.max(1, minLength))] as const]),
    ...(minLength > 0 ? [['too short', 'a'.repeat(minLength - 1)] as const] : []),
    ...(maxLength === undefined ? [] : [['too long', 'a'.repeat(maxLength + 1)] as const]),
    ...(format === 'date-time' ? [['no moment', 'yesterday'] as const] : []),
  ];
}

const badNumbers = ({ minimum, maximum }: JsonSchema): readonly Replacement[] => [
  ...(minimum === undefined ? [] : [['too small', minimum - 1] as const]),
  ...(maximum === undefined ? [] : [['too large', maximum + 1] as const]),
];

function badSizes({ schema, value }: Spot): readonly Replacement[] {
  const found: Replacement[] = [];
  const { minItems, maxItems, minProperties, maxProperties } = schema;
  if (minItems !== undefined) found.push(['too few items', []]);
  if (maxItems !== undefined && Array.isArray(value)) found.push(['too many items', Array<unknown>(maxItems + 1).fill(value[0])]);
  if (minProperties !== undefined) found.push(['too few members', {}]);
  if (maxProperties !== undefined && isObject(value))
    found.push(['too many members', manyMembers(maxProperties + 1, Object.values(value)[0])]);
  return found;
}

const manyMembers = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, value]));
