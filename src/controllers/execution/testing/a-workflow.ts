import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { toTime } from '../../../base/index.ts';
import { anExecution, NOW } from './builders.ts';

type Spec = RemediationWorkflow['spec'];
export type Declaration = Spec['parameters'][number];

/** A parameter that is declared; text that may be left out unless told otherwise. */
export const aParameter = (name: string, more: Partial<Declaration> = {}): Declaration => ({
  name,
  type: 'string',
  required: false,
  description: 'what it is told',
  ...more,
});

export interface WorkflowOptions {
  readonly name?: string;
  readonly metadata?: Partial<RemediationWorkflow['metadata']>;
  readonly spec?: Partial<Spec>;
  readonly execution?: Partial<Spec['execution']>;
  readonly status?: RemediationWorkflow['status'];
}

/** The entry of the catalogue that `anExecution` was planned from. */
export function aWorkflow({ name = 'rollback-deployment', metadata, spec, execution, status }: WorkflowOptions = {}): RemediationWorkflow {
  const { workflowRef } = anExecution().spec;
  return {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationWorkflow',
    metadata: {
      name,
      namespace: 'sickbay-system',
      uid: `uid-of-${name}`,
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: toTime(NOW),
      ...metadata,
    },
    spec: {
      version: workflowRef.version,
      actionType: 'RollbackDeployment',
      description: { what: 'rolls back', whenToUse: 'pods crash since the last rollout' },
      labels: { severity: ['*'], component: ['*'], environment: ['*'], priority: '*' },
      parameters: [aParameter('REVISION')],
      ...spec,
      execution: {
        engine: 'job',
        bundle: workflowRef.executionBundle,
        engineConfig: { args: ['rollback-deployment'] },
        serviceAccountName: 'workflow-rollback-deployment',
        ...execution,
      },
    },
    status: { workflowId: workflowRef.workflowId, catalogStatus: 'Active', ...status },
  };
}
