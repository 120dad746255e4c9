import type { Draft } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { FINALIZERS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { KubeClient } from '../../../kube/client/client.ts';
import { ownerReference } from '../../../kube/objects/owner-references.ts';
import { planDigest } from '../../target/index.ts';

export interface Opening {
  readonly name: string;
  readonly namespace: string;
  readonly plan: Pick<WorkflowExecution['spec'], 'targetResource' | 'workflowRef' | 'parameters'>;
  readonly timesOutAt: Instant;
}

const TYPE = { apiVersion: 'kubernaut.ai/v1alpha1' };

/** Creates a request that is executing and its execution, step by step as the orchestrator does. */
export async function openExecution(client: KubeClient, { name, namespace, plan, timesOutAt }: Opening): Promise<void> {
  const digest = planDigest(plan);
  const { clusterID: _, ...spec } = (RemediationRequest.sample as Draft<RemediationRequest>).spec;
  const setStatus = (status: object): Promise<unknown> =>
    client.patchStatus(RemediationRequest, { namespace, name }, { type: 'merge', body: { status } });
  const request = await client.create(RemediationRequest, { ...TYPE, kind: 'RemediationRequest', metadata: { name, namespace }, spec });
  for (const overallPhase of ['Pending', 'Processing', 'Analyzing']) await setStatus({ overallPhase });
  await setStatus({ overallPhase: 'Executing', planDigest: digest });
  const execution = await client.create(WorkflowExecution, {
    ...TYPE,
    kind: 'WorkflowExecution',
    metadata: {
      name: `we-${name}`,
      namespace,
      ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion: true })],
      finalizers: [FINALIZERS.workflowExecution],
    },
    spec: {
      remediationRequestRef: { name, namespace, uid: request.metadata.uid },
      ...plan,
      planDigest: digest,
      timesOutAt: toTime(timesOutAt),
    },
  });
  await setStatus({ workflowExecutionRef: { name: `we-${name}`, namespace, uid: execution.metadata.uid } });
}
