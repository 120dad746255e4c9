import { Cluster } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { keyOf, type KubeObject } from '../../../api/meta.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { LABELS } from '../../../api/well-known.ts';
import type { JsonPatchOperation } from '../../../kube/client/client.ts';
import type { Effect, Read, Reader } from '../../../runtime/reconcile/controller.ts';

type OwnerReference = NonNullable<KubeObject['metadata']['ownerReferences']>[number];

const GROUP = `${Cluster.group}/`;

/**
 * The Cluster that a check names, where the check does not carry its label and owner reference yet. It is read live: an owner reference to a
 * Cluster that is gone would have the check deleted.
 */
export async function observeCluster(check: MachineHealthCheck, reader: Pick<Reader, 'get' | 'fetch'>): Promise<Cluster | undefined> {
  const { clusterName } = check.spec;
  if (clusterName === undefined || check.metadata.deletionTimestamp !== undefined) return undefined;
  const key = { namespace: check.metadata.namespace ?? '', name: clusterName };
  if (!isToBeMarked(check, reader.get(Cluster, key))) return undefined;
  const live = await reader.fetch(Cluster, key);
  return isToBeMarked(check, live) ? live.value : undefined;
}

const isToBeMarked = (check: MachineHealthCheck, read: Read<Cluster>): read is Extract<Read<Cluster>, { kind: 'value' }> =>
  read.kind === 'value' && read.value.metadata.deletionTimestamp === undefined && !belongsTo(check, read.value);

const belongsTo = ({ metadata }: MachineHealthCheck, cluster: Cluster): boolean =>
  metadata.labels?.[LABELS.clusterName] === cluster.metadata.name &&
  (metadata.ownerReferences ?? []).some(({ uid }) => uid === cluster.metadata.uid);

/**
 * Sets the label and the owner reference by which the check belongs to its Cluster, as Cluster API does: deleting a Cluster takes its checks
 * along (ruling 125). Only once the check has reported: its first status would make the version outdated under which this is written.
 */
export function belongToCluster(check: MachineHealthCheck, cluster: Cluster | undefined): readonly Effect[] {
  const { uid, resourceVersion, generation } = check.metadata;
  if (!cluster || check.status?.observedGeneration !== generation) return [];
  const operations = [...labelOperations(check, cluster), ...ownerOperations(check, cluster)];
  return [{ kind: 'Patch', resource: MachineHealthCheck, key: keyOf(check), uid, resourceVersion, operations }];
}

function labelOperations({ metadata: { labels } }: MachineHealthCheck, { metadata: { name } }: Cluster): readonly JsonPatchOperation[] {
  if (labels?.[LABELS.clusterName] === name) return [];
  return [{ op: 'add', path: '/metadata/labels', value: { ...labels, [LABELS.clusterName]: name } }];
}

/** In place of a reference to an earlier Cluster of the name, behind the references of others. */
function ownerOperations({ metadata }: MachineHealthCheck, { metadata: { name, uid } }: Cluster): readonly JsonPatchOperation[] {
  const owners = metadata.ownerReferences ?? [];
  if (owners.some((owner) => owner.uid === uid)) return [];
  const isEarlier = (owner: OwnerReference): boolean =>
    owner.kind === Cluster.kind && owner.name === name && owner.apiVersion.startsWith(GROUP);
  const own: OwnerReference = { apiVersion: apiVersionOf(Cluster), kind: Cluster.kind, name, uid };
  return [{ op: 'add', path: '/metadata/ownerReferences', value: [...owners.filter((owner) => !isEarlier(owner)), own] }];
}
