import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';

type Spec = RemediationWorkflow['spec'];

const parameter = (name: string, required = true): Spec['parameters'][number] => ({
  name,
  type: 'string',
  required,
  description: `value of ${name}`,
});

export interface WorkflowOptions {
  readonly spec?: Partial<Spec>;
  readonly labels?: Partial<Spec['labels']>;
  readonly status?: RemediationWorkflow['status'];
  readonly deletionTimestamp?: string;
}

/** A workflow that rolls back any Deployment, by default. */
export const aWorkflow = (name: string, options: WorkflowOptions = {}): RemediationWorkflow => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'RemediationWorkflow',
  metadata: {
    name,
    namespace: 'sickbay-system',
    uid: `uid-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-11-14T00:00:00Z',
    ...(options.deletionTimestamp !== undefined && { deletionTimestamp: options.deletionTimestamp }),
  },
  spec: {
    version: '1.0.0',
    actionType: 'RollbackDeployment',
    description: { what: 'takes a Deployment back to an earlier revision', whenToUse: 'a rollout crashes' },
    labels: { severity: ['*'], component: ['Deployment'], environment: ['*'], priority: '*', ...options.labels },
    execution: { engine: 'job', bundle: 'sickbay/workflows:0.1.0', serviceAccountName: 'rollback-deployment' },
    parameters: [
      parameter('TARGET_RESOURCE_KIND', false),
      parameter('TARGET_RESOURCE_NAME'),
      parameter('TARGET_RESOURCE_NAMESPACE'),
      { ...parameter('REVISION'), type: 'integer', minimum: 1 },
    ],
    ...options.spec,
  },
  ...(options.status && { status: options.status }),
});
