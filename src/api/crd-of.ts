import { isObject, type JsonObject } from '../base/index.ts';
import type { CustomResourceDefinition, JsonSchema } from '../kube/builtin/custom-resource-definition.ts';
import type { Column, KindDefinition, KindVersion } from './define-kind.ts';
import type { Draft } from './meta.ts';
import { resourceName } from './resource.ts';

/** By this our definitions are told from those that others made of the same kinds. */
export const PART_OF = { label: 'app.kubernetes.io/part-of', value: 'sickbay' } as const;

/** The CustomResourceDefinition of a kind, as it is applied to a cluster. */
export function crdOf(kind: KindDefinition): Draft<CustomResourceDefinition> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: resourceName(kind), labels: { [PART_OF.label]: PART_OF.value } },
    spec: {
      group: kind.group,
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
        ...(kind.categories.length > 0 && { categories: kind.categories }),
      },
      ...(kind.versions.length > 1 && { conversion: { strategy: 'None' } }),
      versions: kind.versions.map((version, i) => versionOf(kind, version, i === 0)),
    },
  };
}

function versionOf(kind: KindDefinition, version: KindVersion, storage: boolean): CustomResourceDefinition['spec']['versions'][number] {
  return {
    name: version.name,
    served: true,
    storage,
    ...(version.deprecationWarning !== undefined && { deprecated: true, deprecationWarning: version.deprecationWarning }),
    ...(version.status && { subresources: { status: {} } }),
    ...(kind.selectableFields.length > 0 && { selectableFields: kind.selectableFields.map((path) => ({ jsonPath: `.${path}` })) }),
    additionalPrinterColumns: version.columns.map(columnOf),
    schema: { openAPIV3Schema: rootSchema(kind.description, version) },
  };
}

const columnOf = ({ path, ...column }: Column) => ({ ...column, jsonPath: path });

function rootSchema(description: string, version: KindVersion): JsonSchema {
  return {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of the schema that the object is written in.' },
      kind: { type: 'string', description: 'Kind of the object.' },
      metadata: { type: 'object' },
      spec: structural(version.spec),
      ...(version.status && { status: structural(version.status) }),
    },
  };
}

/** What people read first comes first; what nests comes last. */
const KEYWORDS = [
  'description',
  'type',
  'format',
  'default',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'anyOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
  'required',
  'properties',
  'additionalProperties',
  'items',
] as const;

/** A schema as plain data in a fixed order of keywords; whatever else the builder kept on it is dropped. */
export function structural(schema: object): JsonSchema {
  const from = schema as JsonObject;
  const to: Record<string, unknown> = {};
  for (const keyword of KEYWORDS) {
    const value = from[keyword];
    if (value === undefined || (keyword === 'required' && (value as readonly string[]).length === 0)) continue;
    to[keyword] = nested(keyword, value);
  }
  return to;
}

function nested(keyword: (typeof KEYWORDS)[number], value: unknown): unknown {
  if (keyword === 'properties' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, structural(child as object)]));
  if (keyword === 'items' || keyword === 'additionalProperties') return structural(value as object);
  return structuredClone(value);
}
