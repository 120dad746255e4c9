import type { GroupVersion } from '../discovery/groups.ts';
import { builtinSchemas } from '../kinds/builtin-schemas.ts';
import type { Kind } from '../kinds/kind.ts';
import { componentName, listName, refer, referencesIn } from './component-names.ts';
import { PATCH, STATUS } from './operations.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The schemas that a version's paths refer to, and those that these refer to. */
export function componentsOf({ resources }: GroupVersion, paths: object): Readonly<Record<string, object>> {
  const own = new Map<string, object>([
    [PATCH, { type: 'object', description: 'One of the forms in which a change can be written.' }],
    ...resources.flatMap(({ kind }) => [[componentName(kind), schemaOf(kind)] as const, [listName(kind), listSchema(kind)] as const]),
  ]);
  const found = new Map<string, object>();
  const collect = (name: string): void => {
    const schema = own.get(name) ?? builtinSchemas()[name];
    if (!schema || found.has(name)) return;
    found.set(name, schema);
    referencesIn(schema).forEach(collect);
  };
  [STATUS, ...own.keys(), ...referencesIn(paths)].forEach(collect);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const namedAs = ({ group, version }: Kind, kind: string): object => ({ 'x-kubernetes-group-version-kind': [{ group, kind, version }] });

const TYPE_FIELDS = {
  apiVersion: { type: 'string', description: 'Group and version of the schema that the object is written in.' },
  kind: { type: 'string', description: 'Kind of the object.' },
} as const;

/** A built-in kind's own schema, or a CRD's with the fields of every object. */
function schemaOf(kind: Kind): object {
  const builtin = kind.custom ? undefined : builtinSchemas()[componentName(kind)];
  if (builtin) return builtin;
  const { properties = {}, ...schema } = kind.custom?.schema?.openAPIV3Schema ?? { type: 'object' as const };
  const metadata = { description: 'What all objects have: name, labels, owners.', allOf: [refer(`${META}.ObjectMeta`)] };
  const fields = kind.custom?.selectableFields ?? [];
  return {
    ...schema,
    properties: { ...properties, ...TYPE_FIELDS, metadata },
    ...namedAs(kind, kind.kind),
    ...(fields.length > 0 && { 'x-kubernetes-selectable-fields': fields.map(({ jsonPath }) => ({ fieldPath: jsonPath.slice(1) })) }),
  };
}

const listSchema = (kind: Kind): object => ({
  type: 'object',
  description: `${kind.listKind} is a list of ${kind.kind}.`,
  required: ['items'],
  properties: {
    ...TYPE_FIELDS,
    metadata: { allOf: [refer(`${META}.ListMeta`)] },
    items: { type: 'array', items: refer(componentName(kind)) },
  },
  ...namedAs(kind, kind.listKind),
});
