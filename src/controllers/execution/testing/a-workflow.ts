import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { anExecution, entryFor } from './builders.ts';

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
export function aWorkflow({ name, metadata, spec, execution, status }: WorkflowOptions = {}): RemediationWorkflow {
  const entry = entryFor(anExecution().spec);
  return {
    ...entry,
    metadata: { ...entry.metadata, ...(name !== undefined && { name }), ...metadata },
    spec: {
      ...entry.spec,
      ...spec,
      execution: {
        ...entry.spec.execution,
        engineConfig: { args: ['rollback-deployment'] },
        serviceAccountName: 'workflow-rollback-deployment',
        ...execution,
      },
    },
    status: { ...entry.status, ...status },
  };
}
