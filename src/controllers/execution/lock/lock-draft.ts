import type { Lease } from '../../../api/builtin/index.ts';
import type { Draft } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toMicroTime, type Instant } from '../../../base/index.ts';
import { marksOf, runName } from '../names.ts';

/** The lock on a target: held by one execution, by UID, until that lets it go. It does not expire. */
export const lockDraft = (execution: WorkflowExecution, namespace: string, now: Instant): Draft<Lease> => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: runName(execution.spec), namespace, ...marksOf(execution) },
  spec: { holderIdentity: execution.metadata.uid, acquireTime: toMicroTime(now) },
});
