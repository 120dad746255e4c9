import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Draft } from '../../api/meta.ts';
import { FINALIZERS } from '../../api/well-known.ts';
import { after, HOUR, toTime } from '../../base/index.ts';
import { offer } from '../../controllers/execution/testing/offer.ts';
import { planDigest } from '../../controllers/target/index.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import type { Simulation } from '../../simulation/index.ts';

/** What a rival is about. */
export interface Rival {
  readonly name: string;
  readonly target: string;
  readonly engine?: keyof typeof WORKFLOWS;
}

const WORKFLOWS = {
  job: { workflowId: 'w', version: '1.0.0', executionBundle: 'image:1', executionEngine: 'job' },
  tekton: { workflowId: 'w-tekton', version: '1.0.0', executionBundle: 'bundle:1', executionEngine: 'tekton' },
} as const;

/** Puts the workflows of all rivals into the catalogue. */
export async function offerWorkflows({ admin }: Simulation): Promise<void> {
  for (const workflowRef of Object.values(WORKFLOWS)) await offer(admin, { workflowRef });
}

/** Plays the orchestrator's part: a request that is executing, its execution and, a little later, the hand-shake. */
export async function openRequest(simulation: Simulation, { name, target, engine = 'job' }: Rival, namespace: string): Promise<void> {
  const { admin, time } = simulation;
  const { clusterID: _, ...spec } = (RemediationRequest.sample as Draft<RemediationRequest>).spec;
  const plan = {
    targetResource: target,
    workflowRef: WORKFLOWS[engine],
  } as const;
  const request = await admin.create(RemediationRequest, {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    metadata: { name, namespace },
    spec,
  });
  await setStatus(simulation, { name, namespace }, { overallPhase: 'Pending' });
  for (const overallPhase of ['Processing', 'Analyzing']) await setStatus(simulation, { name, namespace }, { overallPhase });
  await setStatus(simulation, { name, namespace }, { overallPhase: 'Executing', planDigest: planDigest(plan) });
  const execution = await admin.create(WorkflowExecution, {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'WorkflowExecution',
    metadata: {
      name: `we-${name}`,
      namespace,
      ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion: true })],
      // The orchestrator sets it; a user who creates an execution by hand may not.
      ...(simulation.random.int(2) === 0 && { finalizers: [FINALIZERS.workflowExecution] }),
    },
    spec: {
      remediationRequestRef: { name, namespace, uid: request.metadata.uid },
      ...plan,
      planDigest: planDigest(plan),
      timesOutAt: toTime(after(time.now(), 6 * HOUR)),
    },
  });
  const handShake = { workflowExecutionRef: { name: `we-${name}`, namespace, uid: execution.metadata.uid } };
  simulation.later(simulation.random.int(3_000), 'orchestrator', async () => {
    // An operator may have deleted it meanwhile.
    if (simulation.mirror.get(RemediationRequest, { name, namespace })) await setStatus(simulation, { name, namespace }, handShake);
  });
}

/** Cancels the request; whatever has not started then must not start. */
export const cancelRequest = (simulation: Simulation, name: string, namespace: string): Promise<void> =>
  setStatus(simulation, { name, namespace }, { overallPhase: 'Cancelled' });

async function setStatus({ admin }: Simulation, key: { name: string; namespace: string }, status: object): Promise<void> {
  await admin.patchStatus(RemediationRequest, key, { type: 'merge', body: { status } });
}
