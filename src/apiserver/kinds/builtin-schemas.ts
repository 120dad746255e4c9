import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../kube/builtin/index.ts';
import { deepFreeze, lazy } from '../../base/index.ts';

/** A part of a built-in kind in the OpenAPI of a real kube-apiserver. */
export interface BuiltinSchema extends Omit<JsonSchema, 'properties' | 'additionalProperties' | 'items' | 'allOf'> {
  /** `#/components/schemas/` and the name of another. */
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, BuiltinSchema>>;
  readonly additionalProperties?: BuiltinSchema | boolean;
  readonly items?: BuiltinSchema;
  readonly allOf?: readonly BuiltinSchema[];
  /** The kinds with this schema. */
  readonly 'x-kubernetes-group-version-kind'?: readonly KindName[];
  /** What a strategic patch does with the field: `merge`, `replace`, `retainKeys`, or two of them with a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export type BuiltinSchemas = Readonly<Record<string, BuiltinSchema>>;

/** The schemas of all built-in kinds and of their parts, by name. Written by `npm run generate:builtins`; loaded on first use. */
export const builtinSchemas: () => BuiltinSchemas = lazy(() =>
  deepFreeze(JSON.parse(readFileSync(new URL('./builtin-schemas.json', import.meta.url), 'utf8')) as BuiltinSchemas),
);

/** The schema that a reference leads to. */
export const referredSchema = ($ref: string): BuiltinSchema => {
  const schema = builtinSchemas()[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (!schema) throw new Error(`a reference to nothing: ${$ref}`);
  return schema;
};

const byKind = lazy(() => {
  const found = new Map<string, BuiltinSchema>();
  for (const schema of Object.values(builtinSchemas()))
    for (const name of schema['x-kubernetes-group-version-kind'] ?? []) found.set(keyOf(name), schema);
  return found;
});

const keyOf = ({ group, version, kind }: KindName): string => `${group}/${version}/${kind}`;

/** The schema of a built-in kind; undefined for kinds that are none. */
export const builtinSchemaOf = (kind: KindName): BuiltinSchema | undefined => byKind().get(keyOf(kind));
