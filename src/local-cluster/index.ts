/**
 * A small cluster for an API server that has none: what kube-controller-manager, the scheduler and a kubelet do for Deployments,
 * ReplicaSets, Pods and Jobs, played well enough that Sickbay cannot tell the difference and people can break things in it.
 *
 * - `deployment/`, `replica-set/`, `job/`, `node/` and `kubelet/` are controllers on the runtime's contract, one folder each.
 * - What a container does is read from its command (`kubelet/container-program.ts`); the same manifests run on a real cluster, and
 *   `local-cluster.cluster.test.ts` holds the two against each other.
 * - Containers of images that the `RunProcess` knows are real processes, in the pods of Jobs that Sickbay created (`process-job/`) and in no others;
 *   `createProcessRunner` runs them as children.
 * - `telling/` is what people are told: Events about pods and rollouts, and that nothing acts on a StatefulSet, a DaemonSet or a CronJob.
 * - Further nodes are Nodes with the annotation `local.sickbay.dev/kubelet`; `stopped` lets one fall silent.
 * - Of probes only a readiness probe with a command that is understood is played. Not played: init containers, volumes, networking, quotas, and eviction by
 *   taints.
 */
import type { Random } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import type { CallHandler, Controller } from '../runtime/index.ts';
import { deploymentController } from './deployment/index.ts';
import { jobController } from './job/index.ts';
import { createKubelet, kubeletCalls } from './kubelet/index.ts';
import { createProcessTable } from './kubelet/process-table.ts';
import type { RunProcess } from './kubelet/run-process.ts';
import type { MayRun } from './kubelet/observe.ts';
import { createNode, createNodeController, nodeCalls } from './node/index.ts';
import { unplayedControllers } from './telling/unplayed.ts';
import { replicaSetController } from './replica-set/index.ts';

export { ContainerLogs } from './kubelet/container-logs.ts';
export { createProcessRunner, type ProcessCredentials, type ProcessProgram, type ProcessRunner } from './kubelet/process-runner.ts';
export type { ProcessAccount, ProcessEnd, RunProcess } from './kubelet/run-process.ts';
export * from './process-job/index.ts';
export { isLocalNode, KUBELET_ANNOTATION, NODE_NAME } from './node/node-name.ts';
export { createAlertEngine, type PostWebhook } from './alerts/alert-engine.ts';
export { unplayedWarning } from './telling/unplayed.ts';

export interface LocalClusterOptions {
  readonly runProcess: RunProcess;
  /** Which pods of Jobs may run as processes of this machine: `mayRunAsProcess` wherever users can write. */
  readonly mayRun: MayRun;
  /** Names this life of the cluster, so that processes of an earlier one are not taken for its own. */
  readonly random: Random;
}

/** What a control loop of its own runs. */
export interface LocalCluster {
  readonly controllers: readonly Controller[];
  readonly calls: Readonly<Record<string, CallHandler>>;
  /** Creates the node; doing it again changes nothing. */
  prepare(client: KubeClient): Promise<void>;
}

/** Makes the controllers of one life of a local cluster. */
export function createLocalCluster({ runProcess, mayRun, random }: LocalClusterOptions): LocalCluster {
  const processes = createProcessTable(runProcess, random.uuid());
  return {
    controllers: [
      deploymentController,
      replicaSetController,
      jobController,
      createKubelet(processes, mayRun),
      createNodeController(processes),
      ...unplayedControllers,
    ] as readonly Controller[],
    calls: { ...kubeletCalls(processes), ...nodeCalls(processes) },
    prepare: createNode,
  };
}
