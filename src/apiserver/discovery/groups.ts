import type { Kind } from '../kinds/kind.ts';
import { resourceEntry, type ResourceEntry } from './resource-entry.ts';
import { compareKubeVersions } from './kube-versions.ts';

/** One group of the API and what it serves now. */
export interface Group {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly GroupVersion[];
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  /** Sorted by name. */
  readonly resources: readonly ResourceEntry[];
}

/** Built-in groups in the order that kube-apiserver lists them; clients that search for a name take the first that has it. */
const BUILTIN_ORDER: readonly string[] = [
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
];

/** All groups that are served, the core group among them: built-in ones in their order, then the others by name. */
export function groupsOf(kinds: Iterable<Kind>): readonly Group[] {
  const byGroup = Map.groupBy(kinds, (kind) => kind.group);
  return [...byGroup].map(([name, members]) => ({ name, versions: versionsOf(name, members) })).toSorted(byPlace);
}

function versionsOf(group: string, kinds: readonly Kind[]): readonly GroupVersion[] {
  const byVersion = Map.groupBy(kinds, (kind) => kind.version);
  return [...byVersion]
    .toSorted(([a], [b]) => compareKubeVersions(b, a))
    .map(([version, members]) => ({ group, version, resources: members.toSorted(byPlural).map(resourceEntry) }));
}

const byPlural = (a: Kind, b: Kind): number => (a.plural < b.plural ? -1 : 1);

function byPlace(a: Group, b: Group): number {
  const [first, second] = [BUILTIN_ORDER.indexOf(a.name), BUILTIN_ORDER.indexOf(b.name)];
  if (first >= 0 && second >= 0) return first - second;
  if (first >= 0 || second >= 0) return first >= 0 ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
