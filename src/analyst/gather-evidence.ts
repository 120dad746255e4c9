import { Deployment, Node, Pod, ReplicaSet, resourceOfKind } from '../api/builtin/index.ts';
import type { KubeObject, LabelSelector } from '../api/meta.ts';
import { controllerOf } from '../kube/objects/owner-references.ts';
import type { EvidenceReader } from './evidence-reader.ts';
import { formatLabelSelector, labelRequirements } from '../kube/selectors/index.ts';
import type { DeploymentEvidence, Evidence, Revision, Target } from './evidence.ts';
import { findRoot } from './find-root.ts';
import { objectEvidence } from './object-evidence.ts';
import { isMovable, isReady } from './pod-state.ts';
import { readSurroundings } from './surroundings/read-surroundings.ts';

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
  if (resource === Node) return nodeEvidence(target, reader);
  return resource ? objectEvidence(resource, target, reader) : Promise.resolve({ kind: 'Unsupported', target });
}

async function nodeEvidence(target: Target, reader: EvidenceReader): Promise<Evidence> {
  const read = await reader.fetch(Node, { namespace: '', name: target.name });
  if (read.kind === 'absent') return { kind: 'Absent', target };
  if (read.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `reading it: ${read.reason}` };
  const pods = await reader.fetchList(Pod, { fieldSelector: `spec.nodeName=${target.name}` });
  if (pods.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `listing the Pods on it: ${pods.reason}` };
  const movable = pods.value.filter(isMovable);
  if (movable.length === 0) return { kind: 'Node', target, node: read.value, movable };
  const nodes = await reader.fetchList(Node, {});
  if (nodes.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `listing the other Nodes: ${nodes.reason}` };
  return { kind: 'Node', target, node: read.value, movable, others: nodes.value.filter(({ metadata }) => metadata.name !== target.name) };
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
  const revisions = revisionsOf(deployment, replicaSets.value, pods.value);
  return { kind: 'Deployment', target, deployment, revisions, ...(await aroundOf(deployment, revisions, reader)) };
}

/** What is well is not asked about. */
async function aroundOf(
  deployment: Deployment,
  [newest]: readonly Revision[],
  reader: EvidenceReader,
): Promise<Pick<DeploymentEvidence, 'around'>> {
  const { pods = [], replicaSet } = newest ?? {};
  if (pods.length >= (deployment.spec.replicas ?? 1) && pods.every(isReady)) return {};
  const owned = replicaSet ? [replicaSet] : [];
  return { around: await readSurroundings({ target: deployment, owned, pods, podSpec: deployment.spec.template.spec }, reader) };
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
