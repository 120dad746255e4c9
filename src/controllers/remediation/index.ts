/**
 * RemediationRequest: the orchestrator. It leads a signal through the stages, each of which is a child object with a controller of its own,
 * and says at the end, to people too, what came of it.
 *
 * - `decide.ts` is the table of contents: one `decide-<phase>.ts` each. `follow.ts` is what the phases that wait for a child have in common.
 * - `observe.ts` reads what the phase needs; `child.ts` tells our child from what merely has its name.
 * - `children.ts` and `notification.ts` draft what is created; `plan.ts` is what is to be done to what, and whether that still holds.
 * - `conclusion.ts` reads an analysis, `outcome.ts` an assessment, `healed.ts` the alerts; `timeouts.ts` and `status.ts` do the bookkeeping.
 *
 * What acts on the cluster is the WorkflowExecution, and it acts at most once: see decide-executing.ts. Start with decide.ts.
 */
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { controllerOf } from '../../kube/owner-references.ts';
import type { Controller } from '../../runtime/controller.ts';
import type { Settings } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type RemediationSeen } from './observe.ts';

export type { RemediationSeen } from './observe.ts';

const CHILDREN: readonly Resource[] = [SignalProcessing, AIAnalysis, WorkflowExecution, EffectivenessAssessment, NotificationRequest];

/** A child wakes the request that controls it. */
export function requestKeys(child: KubeObject): readonly ObjectKey[] {
  const owner = controllerOf(child);
  return owner?.kind === RemediationRequest.kind ? [{ namespace: child.metadata.namespace ?? '', name: owner.name }] : [];
}

/** Drives remediations. */
export const createRemediationController = (settings: Settings): Controller<RemediationSeen> => ({
  name: 'remediation',
  primary: RemediationRequest,
  watches: [
    { resource: RemediationRequest, namespace: settings.namespace, keys: (object) => [keyOf(object)] },
    ...CHILDREN.map((resource) => ({ resource, namespace: settings.namespace, keys: requestKeys })),
  ],
  observe: (key, reader, now) => observe(key, reader, now, settings),
  decide: (seen, now) => decide(seen, now, settings),
});
