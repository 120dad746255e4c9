import { deepFreeze } from '../../base/index.ts';
import { compileRules, type CelRule } from './cel-rule.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';
import { compileChecks, type ValueCheck } from './value-checks.ts';

/** A structural schema, compiled once per version of a CRD. */
export interface SchemaNode extends Traits, Children {
  readonly required: readonly string[];
  readonly checks: readonly ValueCheck[];
  readonly branches: Branches;
  readonly rules: readonly CelRule[];
  /** Whether there is a rule at or below this schema. */
  readonly hasRules: boolean;
}

/** The part of a schema about its own value. */
interface Traits {
  readonly type: string | undefined;
  readonly format: string | undefined;
  readonly nullable: boolean;
  /** Whether unknown members are kept. */
  readonly preserve: boolean;
  /** Whether the value is a whole object: apiVersion, kind and metadata are known. */
  readonly embedded: boolean;
  /** Undefined when there is none; null is a default too. */
  readonly fallback: { readonly value: unknown } | undefined;
  readonly listType: 'atomic' | 'set' | 'map';
  readonly listKeys: readonly string[];
}

interface Children {
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** The schema of every value of a map; undefined when it is no map. */
  readonly values: SchemaNode | undefined;
  readonly items: SchemaNode | undefined;
}

/** Schemas that constrain the same value again. */
interface Branches {
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
}

/** Compiles a schema. The schema must be valid: see validate-schema.ts. */
export function compileSchema(schema: JsonSchema): SchemaNode {
  const children = childrenOf(schema);
  const below = [...children.properties.values(), children.values, children.items];
  const rules = compileRules(schema);
  return {
    ...traitsOf(schema),
    ...children,
    required: schema.required ?? [],
    checks: compileChecks(schema),
    branches: branchesOf(schema),
    rules,
    hasRules: rules.length > 0 || below.some((node) => node?.hasRules),
  };
}

const traitsOf = (schema: JsonSchema): Traits => ({
  type: schema.type,
  format: schema.format,
  nullable: schema.nullable === true,
  preserve: schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true,
  embedded: schema['x-kubernetes-embedded-resource'] === true,
  fallback: 'default' in schema ? { value: deepFreeze(schema.default) } : undefined,
  listType: schema['x-kubernetes-list-type'] ?? 'atomic',
  listKeys: schema['x-kubernetes-list-map-keys'] ?? [],
});

const childrenOf = ({ properties = {}, additionalProperties, items }: JsonSchema): Children => ({
  properties: new Map(Object.entries(properties).map(([name, member]) => [name, compileSchema(member)])),
  values: typeof additionalProperties === 'object' ? compileSchema(additionalProperties) : undefined,
  items: items && compileSchema(items),
});

const branchesOf = ({ allOf = [], anyOf = [], oneOf = [], not }: JsonSchema): Branches => ({
  allOf: allOf.map(compileSchema),
  anyOf: anyOf.map(compileSchema),
  oneOf: oneOf.map(compileSchema),
  not: not && compileSchema(not),
});
