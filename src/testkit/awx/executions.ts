import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Draft } from '../../api/meta.ts';
import { after, HOUR, toTime } from '../../base/index.ts';
import { planDigest, type Plan } from '../../controllers/target/index.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import type { Simulation } from '../../simulation/index.ts';

/** One execution of the story. */
export interface Part {
  readonly name: string;
  readonly target: string;
  readonly template?: string;
  readonly engine?: 'ansible' | 'job';
  /** Depends on a Secret and a ConfigMap. */
  readonly isNeedy?: true;
}

export const SECRET = 'db-login';
export const CONFIG_MAP = 'playbook-settings';
export const TEMPLATE = 'mend it / 100% & more';
export const ACCOUNT = 'ansible-account';

const workflowId = (part: Part): string => `mend-${part.name}`;

function planOf(part: Part): Plan {
  const { engine = 'ansible', template = TEMPLATE } = part;
  return {
    targetResource: part.target,
    parameters: { REPLICAS: '3', DRY: 'false' },
    workflowRef: {
      workflowId: workflowId(part),
      version: '1.0.0',
      executionBundle: 'git.example.com/playbooks',
      executionEngine: engine,
      serviceAccountName: ACCOUNT,
      ...(engine === 'ansible' ? { engineConfig: { jobTemplateName: template, playbookPath: 'mend.yml' } } : {}),
      ...(part.isNeedy ? { dependencies: { secrets: [{ name: SECRET }], configMaps: [{ name: CONFIG_MAP }] } } : {}),
    },
  };
}

/** Puts the workflow of a part into the catalogue. */
export async function addWorkflow({ admin }: Simulation, part: Part, namespace: string): Promise<void> {
  const { workflowRef, parameters = {} } = planOf(part);
  const { spec } = RemediationWorkflow.sample as Draft<RemediationWorkflow>;
  await admin.create(RemediationWorkflow, {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationWorkflow',
    metadata: { name: workflowId(part), namespace },
    spec: {
      version: workflowRef.version,
      actionType: spec.actionType,
      description: spec.description,
      labels: spec.labels,
      execution: { engine: workflowRef.executionEngine ?? 'ansible', bundle: workflowRef.executionBundle },
      parameters: Object.keys(parameters).map((name) => ({ name, type: 'string', required: false, description: 'as told' }) as const),
    },
  });
}

/** Plays the orchestrator's part: a request that is executing, its execution and, a little later, the hand-shake. */
export async function openRequest(simulation: Simulation, part: Part, namespace: string): Promise<void> {
  const { admin, time } = simulation;
  const { name } = part;
  const { clusterID: _, ...spec } = (RemediationRequest.sample as Draft<RemediationRequest>).spec;
  const plan = planOf(part);
  const request = await admin.create(RemediationRequest, {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    metadata: { name, namespace },
    spec,
  });
  for (const overallPhase of ['Pending', 'Processing', 'Analyzing']) await setStatus(simulation, { name, namespace }, { overallPhase });
  await setStatus(simulation, { name, namespace }, { overallPhase: 'Executing', planDigest: planDigest(plan) });
  const execution = await admin.create(WorkflowExecution, {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'WorkflowExecution',
    metadata: { name: `we-${name}`, namespace, ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion: true })] },
    spec: {
      remediationRequestRef: { name, namespace, uid: request.metadata.uid },
      ...plan,
      planDigest: planDigest(plan),
      timesOutAt: toTime(after(time.now(), 2 * HOUR)),
    },
  });
  const handShake = { workflowExecutionRef: { name: `we-${name}`, namespace, uid: execution.metadata.uid } };
  simulation.later(simulation.random.int(2_000), 'orchestrator', () => setStatus(simulation, { name, namespace }, handShake));
}

/** Cancels the request. */
export const cancelRequest = (simulation: Simulation, name: string, namespace: string): Promise<void> =>
  setStatus(simulation, { name, namespace }, { overallPhase: 'Cancelled' });

async function setStatus({ admin }: Simulation, key: { name: string; namespace: string }, status: object): Promise<void> {
  await admin.patchStatus(RemediationRequest, key, { type: 'merge', body: { status } });
}
