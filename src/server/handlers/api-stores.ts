import {
  AIAnalysis,
  EffectivenessAssessment,
  Machine,
  MachineHealthCheck,
  NotificationRequest,
  RemediationApprovalRequest,
  RemediationRequest,
  RemediationWorkflow,
  SignalProcessing,
  WorkflowExecution,
  type KubeObject,
  type Resource,
} from '../../api/index.ts';
import type { Cache, Store } from '../../kube/index.ts';
import type { ApiStores } from './api-parts.ts';

/** What the API reads: the caches that the controllers keep anyway. */
export function apiStores(
  cache: Cache,
  { namespace, hasMachines }: { readonly namespace: string; readonly hasMachines: boolean },
): ApiStores {
  const store = <T extends KubeObject>(resource: Resource<T>): Store<T> => cache.store({ resource, namespace });
  return {
    requests: store(RemediationRequest),
    processings: store(SignalProcessing),
    analyses: store(AIAnalysis),
    approvals: store(RemediationApprovalRequest),
    executions: store(WorkflowExecution),
    assessments: store(EffectivenessAssessment),
    notifications: store(NotificationRequest),
    workflows: store(RemediationWorkflow),
    ...(hasMachines && { machines: cache.store({ resource: Machine }), checks: cache.store({ resource: MachineHealthCheck }) }),
  };
}
