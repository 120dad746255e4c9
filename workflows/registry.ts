import { deleteStuckPod } from './delete-stuck-pod/run.ts';
import { drainNode } from './drain-node/run.ts';
import { raiseCpuLimits } from './raise-cpu-limits/run.ts';
import { raiseMemoryLimits } from './raise-memory-limits/run.ts';
import { restartWorkload } from './restart-workload/run.ts';
import { restoreConfigMap } from './restore-configmap/run.ts';
import { rollbackDeployment } from './rollback-deployment/run.ts';
import { scaleReplicas } from './scale-replicas/run.ts';
import { uncordonNode } from './uncordon-node/run.ts';
import type { Workflow } from './workflow.ts';

/** Every workflow by the name of its folder, which is also its name in the catalogue. */
export const workflows: Readonly<Record<string, Workflow>> = {
  'delete-stuck-pod': deleteStuckPod,
  'drain-node': drainNode,
  'raise-cpu-limits': raiseCpuLimits,
  'raise-memory-limits': raiseMemoryLimits,
  'restart-workload': restartWorkload,
  'restore-configmap': restoreConfigMap,
  'rollback-deployment': rollbackDeployment,
  'scale-replicas': scaleReplicas,
  'uncordon-node': uncordonNode,
};
