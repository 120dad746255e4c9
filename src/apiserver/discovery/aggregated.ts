import type { Group, GroupVersion } from './groups.ts';
import type { ResourceEntry } from './resource-entry.ts';

/** All groups with all their resources in one document. */
export const groupDiscoveryList = (groups: readonly Group[], form: 'v2' | 'v2beta1'): object => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: `apidiscovery.k8s.io/${form}`,
  metadata: {},
  items: groups.map(({ name, versions }) => ({ metadata: name === '' ? {} : { name }, versions: versions.map(versionOf) })),
});

const versionOf = ({ version, resources }: GroupVersion): object => ({
  version,
  resources: resources.map(resourceOf),
  freshness: 'Current',
});

function resourceOf({ kind, verbs, subresources }: ResourceEntry): object {
  // Built-in kinds leave out what is the same as above.
  const responseKind = { ...(kind.custom ? { group: kind.group, version: kind.version } : { group: '', version: '' }), kind: kind.kind };
  const below = subresources.map((sub) => ({ subresource: sub.name, responseKind: sub.kind ?? responseKind, verbs: sub.verbs }));
  return {
    resource: kind.plural,
    responseKind,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
    ...(below.length > 0 && { subresources: below }),
  };
}
