import { deepFreeze } from '../../base/index.ts';
import { compileRules, type Rule } from './cel-rule.ts';
import type { JsonSchema } from './json-schema.ts';
import { compileChecks, type Check } from './value-checks.ts';

/** A structural schema, prepared once per version of a CRD. */
export interface SchemaNode {
  readonly type: string | undefined;
  readonly format: string | undefined;
  readonly nullable: boolean;
  readonly intOrString: boolean;
  /** Unknown members stay. */
  readonly preserve: boolean;
  /** Holds a whole object: apiVersion, kind and metadata are known. */
  readonly embedded: boolean;
  /** Undefined when there is none; null is a default too. */
  readonly fallback: { readonly value: unknown } | undefined;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: readonly string[];
  /** The schema of every value of a map; undefined when it is no map. */
  readonly values: SchemaNode | undefined;
  readonly items: SchemaNode | undefined;
  readonly listType: 'atomic' | 'set' | 'map';
  readonly listKeys: readonly string[];
  readonly checks: readonly Check[];
  readonly combined: Combined;
  readonly rules: readonly Rule[];
  /** Somewhere at or below there is a rule. */
  readonly hasRules: boolean;
  /** Somewhere below there is a default. */
  readonly hasDefaults: boolean;
}

/** Schemas that constrain the same value again. */
export interface Combined {
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
}

/** Prepares a schema. The schema must be valid: see validate-schema.ts. */
export function compileSchema(schema: JsonSchema): SchemaNode {
  const properties = new Map(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, compileSchema(member)]));
  const { additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? compileSchema(additionalProperties) : undefined;
  const items = schema.items && compileSchema(schema.items);
  const below = [...properties.values(), ...(values ? [values] : []), ...(items ? [items] : [])];
  const rules = compileRules(schema);
  return {
    type: schema.type,
    format: schema.format,
    nullable: schema.nullable ?? false,
    intOrString: schema['x-kubernetes-int-or-string'] ?? false,
    preserve: (schema['x-kubernetes-preserve-unknown-fields'] ?? false) || additionalProperties === true,
    embedded: schema['x-kubernetes-embedded-resource'] ?? false,
    fallback: 'default' in schema ? { value: deepFreeze(schema.default) } : undefined,
    properties,
    required: schema.required ?? [],
    values,
    items,
    listType: schema['x-kubernetes-list-type'] ?? 'atomic',
    listKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    checks: compileChecks(schema),
    combined: combinedOf(schema),
    rules,
    hasRules: rules.length > 0 || below.some((node) => node.hasRules),
    hasDefaults: below.some((node) => node.fallback !== undefined || node.hasDefaults),
  };
}

const combinedOf = (schema: JsonSchema): Combined => ({
  allOf: (schema.allOf ?? []).map(compileSchema),
  anyOf: (schema.anyOf ?? []).map(compileSchema),
  oneOf: (schema.oneOf ?? []).map(compileSchema),
  not: schema.not && compileSchema(schema.not),
});
