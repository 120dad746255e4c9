import { lazy, type JsonObject } from '../../base/index.ts';
import { builtinSchemaOf, builtinSchemas, referredSchema, type BuiltinSchema, type KindName } from '../kinds/builtin-schemas.ts';
import { TYPE_DEFAULTS } from './type-defaults.ts';
import { SPECIAL, scalarOf, type Scalar } from './scalars.ts';

/** A Go type of kube-apiserver, as far as its OpenAPI describes it: how JSON is read into it. */
export type TypedNode =
  | StructNode
  | { readonly shape: 'list' | 'map'; readonly goType: string; readonly element: Field }
  | Scalar
  /** Any value, which stays as it is. */
  | { readonly shape: 'any'; readonly goType: string };

export interface StructNode {
  readonly shape: 'struct';
  readonly goType: string;
  readonly name: string;
  fields(): TypedFields;
  /** Defaults that depend on other fields, or that are not in the schema. */
  readonly defaults: ((given: JsonObject) => JsonObject) | undefined;
  /** Frozen values that were read before, so that unchanged values are not read again. */
  readonly sound: WeakSet<object>;
}

export interface TypedFields {
  readonly byName: ReadonlyMap<string, Field>;
  readonly withDefault: readonly (readonly [string, Field])[];
}

/** A type as a field of another. */
export interface Field {
  readonly node: TypedNode;
  /** The default; undefined for none. */
  readonly fallback: unknown;
  /** Whether an empty list or map is kept. */
  readonly keepsEmpty: boolean;
  /** What a strategic patch does with a list or struct here. */
  readonly strategies: readonly string[];
  /** The member that identifies list items for a strategic patch. */
  readonly mergeKey: string | undefined;
}

/** Types by their schema, each created on first use: some contain themselves. */
const types = lazy(() => new Map(Object.entries(builtinSchemas()).map(([name, schema]) => [schema, lazy(() => namedType(name, schema))])));

/** The type of a built-in kind's objects. */
export const typeOfKind = (kind: KindName): StructNode => structOf(builtinSchemaOf(kind), kind.kind);

/** The fields of every object. */
export const objectMeta = (): StructNode => structOf(builtinSchemas()['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'], 'ObjectMeta');

function structOf(schema: BuiltinSchema | undefined, name: string): StructNode {
  const type = schema && types().get(schema)?.();
  if (type?.shape === 'struct') return type;
  throw new Error(`no built-in type is called ${name}`);
}

function namedType(name: string, schema: BuiltinSchema): TypedNode {
  const [, goPackage = '', goName = ''] = /([^.]+)\.([^.]+)$/.exec(name) ?? [];
  const goType = `${goPackage}.${goName}`;
  const special = SPECIAL[goName];
  if (special) return special;
  if (!schema.properties) return { shape: 'any', goType };
  return {
    shape: 'struct',
    goType,
    name: goName,
    fields: lazy(() => fieldsOf(schema)),
    defaults: TYPE_DEFAULTS[goName],
    sound: new WeakSet(),
  };
}

function fieldsOf({ properties = {}, required = [] }: BuiltinSchema): TypedFields {
  const entries = Object.entries(properties).map(([name, schema]) => [name, fieldOf(schema, required.includes(name))] as const);
  return { byName: new Map(entries), withDefault: entries.filter(([, field]) => field.fallback !== undefined) };
}

const fieldOf = (schema: BuiltinSchema, keepsEmpty: boolean): Field => ({
  node: typeOf(schema),
  fallback: schema.default,
  keepsEmpty,
  strategies: schema['x-kubernetes-patch-strategy']?.split(',') ?? [],
  mergeKey: schema['x-kubernetes-patch-merge-key'],
});

function typeOf(schema: BuiltinSchema): TypedNode {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return types().get(referredSchema(reference))!();
  if (schema.items) return collection('list', '[]', fieldOf(schema.items, true));
  if (typeof schema.additionalProperties === 'object') return collection('map', 'map[string]', fieldOf(schema.additionalProperties, true));
  return scalarOf(schema) ?? { shape: 'any', goType: 'interface {}' };
}

const collection = (shape: 'list' | 'map', prefix: string, element: Field): TypedNode => ({
  shape,
  goType: prefix + element.node.goType,
  element,
});
