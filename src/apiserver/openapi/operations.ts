import type { GroupVersion } from '../discovery/groups.ts';
import type { ResourceEntry } from '../discovery/resource-entry.ts';
import type { Kind } from '../kinds/kind.ts';
import { componentName, listName, refer } from './component-names.ts';

/** What clients read before they use a path: its kind and its parameters. */

const query = (name: string, type: 'string' | 'boolean' | 'integer' = 'string'): object => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});
const inPath = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } });

const LIST_PARAMETERS = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];
const WRITE_PARAMETERS = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const DELETE_PARAMETERS = [query('dryRun'), query('gracePeriodSeconds', 'integer'), query('propagationPolicy')];

const JSON_TYPES = ['application/json', 'application/yaml'];
const PATCH_TYPES = ['application/json-patch+json', 'application/merge-patch+json'];

/** The paths of one version of a group, each with its operations. */
export function pathsOf(version: GroupVersion): Readonly<Record<string, object>> {
  return Object.fromEntries(version.resources.flatMap((entry) => resourcePaths(rootOf(version), entry)));
}

const rootOf = ({ group, version }: GroupVersion): string => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`);

function resourcePaths(root: string, { kind, verbs, subresources }: ResourceEntry): readonly (readonly [string, object])[] {
  const place = kind.namespaced ? `${root}/namespaces/{namespace}/${kind.plural}` : `${root}/${kind.plural}`;
  const parameters = kind.namespaced ? [inPath('namespace')] : [];
  const one = [inPath('name'), ...parameters];
  const everywhere = kind.namespaced ? ([[`${root}/${kind.plural}`, { get: list(kind) }]] as const) : [];
  return [
    ...everywhere,
    [place, { ...collectionOperations(kind, verbs), parameters }],
    [`${place}/{name}`, { ...objectOperations(kind, kind, verbs), parameters: one }],
    ...subresources.map(
      (sub) => [`${place}/{name}/${sub.name}`, { ...objectOperations(kind, sub.kind ?? kind, sub.verbs), parameters: one }] as const,
    ),
  ];
}

interface Named {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const named = ({ group, version, kind }: Named): Named => ({ group, version, kind });

interface Operation {
  readonly action: string;
  readonly kind: Named;
  readonly answers: string;
  readonly parameters?: readonly object[];
  readonly takes?: { readonly types: readonly string[]; readonly component: string };
}

const content = (types: readonly string[], component: string): object =>
  Object.fromEntries(types.map((type) => [type, { schema: refer(component) }]));

const operation = ({ action, kind, answers, parameters = [], takes }: Operation): object => ({
  parameters,
  ...(takes && { requestBody: { content: content(takes.types, takes.component), required: true } }),
  responses: { '200': { description: 'OK', content: content(JSON_TYPES, answers) } },
  'x-kubernetes-action': action,
  'x-kubernetes-group-version-kind': named(kind),
});

const list = (kind: Kind): object => operation({ action: 'list', kind, answers: listName(kind), parameters: LIST_PARAMETERS });

function collectionOperations(kind: Kind, verbs: readonly string[]): object {
  const component = componentName(kind);
  const post = operation({
    action: 'post',
    kind,
    answers: component,
    parameters: WRITE_PARAMETERS,
    takes: { types: JSON_TYPES, component },
  });
  const remove = operation({
    action: 'deletecollection',
    kind,
    answers: STATUS,
    parameters: [...DELETE_PARAMETERS, query('fieldSelector'), query('labelSelector')],
  });
  return {
    get: list(kind),
    ...(verbs.includes('create') && { post }),
    ...(verbs.includes('deletecollection') && { delete: remove }),
  };
}

export const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
export const PATCH = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';

/** `owner` is the kind of the path, `kind` that of its requests and answers. */
function objectOperations(owner: Kind, kind: Named, verbs: readonly string[]): object {
  const component = componentName(kind);
  const patches = owner.strategicMerge ? [...PATCH_TYPES, 'application/strategic-merge-patch+json'] : PATCH_TYPES;
  const get = operation({ action: 'get', kind, answers: component });
  const put = operation({ action: 'put', kind, answers: component, parameters: WRITE_PARAMETERS, takes: { types: JSON_TYPES, component } });
  const patch = operation({
    action: 'patch',
    kind,
    answers: component,
    parameters: WRITE_PARAMETERS,
    takes: { types: patches, component: PATCH },
  });
  const remove = operation({ action: 'delete', kind, answers: STATUS, parameters: DELETE_PARAMETERS });
  return {
    ...(verbs.includes('get') && { get }),
    ...(verbs.includes('update') && { put }),
    ...(verbs.includes('patch') && { patch }),
    ...(verbs.includes('delete') && { delete: remove }),
  };
}
