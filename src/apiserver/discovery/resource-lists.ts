import { createHash } from 'node:crypto';
import type { Group, GroupVersion } from './groups.ts';
import type { ResourceEntry } from './resource-entry.ts';

/** Discovery as it was before it fitted into one document: a list of groups, and a list of resources for each version of each. */

const groupVersionOf = ({ group, version }: Pick<GroupVersion, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** `/api`. */
export const apiVersions = (versions: readonly GroupVersion[]): object => ({
  kind: 'APIVersions',
  versions: versions.map(({ version }) => version),
  serverAddressByClientCIDRs: [],
});

/** `/apis`. */
export const apiGroupList = (groups: readonly Group[]): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.map(described),
});

/** `/apis/<group>`. */
export const apiGroup = (group: Group): object => ({ kind: 'APIGroup', apiVersion: 'v1', ...described(group) });

function described({ name, versions }: Group): object {
  const named = versions.map((each) => ({ groupVersion: groupVersionOf(each), version: each.version }));
  return { name, versions: named, preferredVersion: named[0] };
}

/** `/api/<version>` and `/apis/<group>/<version>`. */
export const apiResourceList = (version: GroupVersion): object => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: groupVersionOf(version),
  resources: version.resources.flatMap(resources),
});

function resources({ kind, verbs, subresources }: ResourceEntry): readonly object[] {
  const { namespaced } = kind;
  const main = {
    name: kind.plural,
    singularName: kind.singular,
    namespaced,
    kind: kind.kind,
    verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
    ...(verbs.includes('list') && { storageVersionHash: hashOf(`${kind.group}/${kind.version}/${kind.kind}`) }),
  };
  const below = subresources.map((sub) => ({
    name: `${kind.plural}/${sub.name}`,
    singularName: '',
    namespaced,
    ...(sub.kind ?? { kind: kind.kind }),
    verbs: sub.verbs,
  }));
  return [main, ...below];
}

/** Opaque to clients; it changes with the version in which objects are stored, so kinds that are not stored have none. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
