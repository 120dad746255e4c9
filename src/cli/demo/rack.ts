import { Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { LABELS } from '../../api/well-known.ts';
import { hasCode, toTime, type Instant } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { ensureNamespace } from '../process/install.ts';

/** The hosts of the third act: Nodes in a pool, Machines on the wanted number of them, and one spare host. */
export const RACK = { namespace: 'machines', name: 'workers', hosts: ['host-1', 'host-2', 'host-3'], replicas: 2 } as const;

/** How long a host may be silent; on a real cluster it would be minutes. */
const SILENT_SECONDS = 2;

const labels = { role: 'worker', [LABELS.machinePool]: RACK.name };
const nodeLabels = { ...labels, [LABELS.machinePoolNamespace]: RACK.namespace };

/** Creates the hosts and Machines. Existing objects stay, so that the act can be played again. */
export async function openRack(client: KubeClient, now: Instant): Promise<void> {
  const { namespace, name, replicas } = RACK;
  await ensureNamespace(client, namespace, {});
  for (const host of RACK.hosts) {
    await unlessThere(() => client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: host, labels: nodeLabels } }));
    await report(client, host, { status: 'True', reason: 'KubeletReady', now });
  }
  const { group, version } = MachineSet;
  const apiVersion = `${group}/${version}`;
  const clusterName = 'local';
  const selector = { matchLabels: labels };
  const unhealthyNodeConditions = [{ type: 'Ready', status: 'Unknown', timeoutSeconds: SILENT_SECONDS }];
  const triggerIf = { unhealthyLessThanOrEqualTo: '50%' };
  await unlessThere(() =>
    client.create(MachineHealthCheck, {
      apiVersion,
      kind: MachineHealthCheck.kind,
      metadata: { namespace, name },
      spec: { clusterName, selector, checks: { unhealthyNodeConditions }, remediation: { triggerIf } },
    }),
  );
  await unlessThere(() =>
    client.create(MachineSet, {
      apiVersion,
      kind: MachineSet.kind,
      metadata: { namespace, name },
      spec: { clusterName, replicas, selector, template: { metadata: { labels }, spec: { clusterName } } },
    }),
  );
}

/** What the node controller of a cluster writes while a kubelet reports, and when it stops. */
export async function report(
  client: KubeClient,
  host: string,
  { status, reason, now }: { readonly status: 'True' | 'Unknown'; readonly reason: string; readonly now: Instant },
): Promise<void> {
  const at = toTime(now);
  const ready = { type: 'Ready', status, reason, message: '', lastHeartbeatTime: at, lastTransitionTime: at };
  const body = { status: { conditions: [ready] } };
  await client.patchStatus(Node, { namespace: '', name: host }, { type: 'merge', body });
}

async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}
