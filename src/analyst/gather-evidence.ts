import { Deployment, Node, Pod, ReplicaSet, resourceOfKind } from '../api/builtin/index.ts';
import type { KubeObject, LabelSelector, ObjectKey } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import { controllerOf } from '../kube/objects/owner-references.ts';
import type { Listed, Read } from '../kube/client/read.ts';
import { formatLabelSelector, labelRequirements } from '../kube/selectors/index.ts';
import type { Evidence, Revision, Target } from './evidence.ts';
import { findRoot } from './find-root.ts';
import { isMovable } from './pod-state.ts';

/** Reads from the API server, not a cache. */
export interface EvidenceReader {
  fetch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<Read<T>>;
  fetchList<T extends KubeObject>(
    resource: Resource<T>,
    options: { readonly namespace?: string; readonly labelSelector?: string; readonly fieldSelector?: string },
  ): Promise<Listed<T>>;
}

const REVISION = 'deployment.kubernetes.io/revision';

/**
 * Reads the final owner of the target and its pods: the evidence is about the owner, since that is what can be remediated. Never throws: what
 * cannot be read is part of the evidence.
 */
export async function gatherEvidence(target: Target, reader: EvidenceReader): Promise<Evidence> {
  const root = await findRoot(target, (resource, key) => reader.fetch(resource, key));
  if (root.kind === 'value') return evidenceOf(root.value, reader);
  return root.kind === 'absent' ? { kind: 'Absent', target } : { kind: 'Unreadable', target, reason: `reading its owners: ${root.reason}` };
}

function evidenceOf(target: Target, reader: EvidenceReader): Promise<Evidence> {
  // A Deployment of another API group is another kind.
  const resource = resourceOfKind(target.kind, target.apiVersion);
  if (resource === Deployment) return deploymentEvidence(target, reader);
  return resource === Node ? nodeEvidence(target, reader) : Promise.resolve({ kind: 'Unsupported', target });
}

async function nodeEvidence(target: Target, reader: EvidenceReader): Promise<Evidence> {
  const read = await reader.fetch(Node, { namespace: '', name: target.name });
  if (read.kind === 'absent') return { kind: 'Absent', target };
  if (read.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `reading it: ${read.reason}` };
  const pods = await reader.fetchList(Pod, { fieldSelector: `spec.nodeName=${target.name}` });
  if (pods.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `listing the Pods on it: ${pods.reason}` };
  return { kind: 'Node', target, node: read.value, movable: pods.value.filter(isMovable) };
}

async function deploymentEvidence(target: Target, reader: EvidenceReader): Promise<Evidence> {
  const namespace = target.namespace ?? '';
  const unreadable = (reason: string): Evidence => ({ kind: 'Unreadable', target, reason });
  const read = await reader.fetch(Deployment, { namespace, name: target.name });
  if (read.kind === 'absent') return { kind: 'Absent', target };
  if (read.kind === 'unreadable') return unreadable(`reading it: ${read.reason}`);
  const deployment = read.value;
  if (isBehind(deployment)) return unreadable('the cluster has not acted on its last change yet');
  const selected = { namespace, labelSelector: selectorText(deployment.spec.selector) };
  const replicaSets = await reader.fetchList(ReplicaSet, selected);
  if (replicaSets.kind === 'unreadable') return unreadable(`listing its ReplicaSets: ${replicaSets.reason}`);
  const pods = await reader.fetchList(Pod, selected);
  if (pods.kind === 'unreadable') return unreadable(`listing its Pods: ${pods.reason}`);
  return { kind: 'Deployment', target, deployment, revisions: revisionsOf(deployment, replicaSets.value, pods.value) };
}

/** The ReplicaSets do not match the spec until the deployment controller has processed it. */
const isBehind = ({ metadata, status }: Deployment): boolean =>
  metadata.generation !== undefined && status?.observedGeneration !== undefined && status.observedGeneration < metadata.generation;

const selectorText = (selector: LabelSelector): string => formatLabelSelector(labelRequirements(selector));

/** By owner, not by label: other objects may have the same labels. */
function revisionsOf(deployment: Deployment, replicaSets: readonly ReplicaSet[], pods: readonly Pod[]): readonly Revision[] {
  return ownedBy(deployment, replicaSets)
    .map((replicaSet) => ({ number: revisionOf(replicaSet), replicaSet, pods: ownedBy(replicaSet, pods) }))
    .toSorted((a, b) => b.number - a.number);
}

const ownedBy = <T extends KubeObject>(owner: KubeObject, objects: readonly T[]): readonly T[] =>
  objects.filter((object) => object.metadata.deletionTimestamp === undefined && controllerOf(object)?.uid === owner.metadata.uid);

const revisionOf = (replicaSet: ReplicaSet): number => Number(replicaSet.metadata.annotations?.[REVISION] ?? 0) || 0;
