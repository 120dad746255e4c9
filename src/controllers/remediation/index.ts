/**
 * RemediationRequest: the orchestrator. It leads a signal through the stages, each of which is a child object with a controller of its own,
 * and says at the end, to people too, what came of it.
 *
 * - `decide.ts` is the table of contents: one `decide-<phase>.ts` each. `follow.ts` is what phases that wait for a child have in common: the
 *   child comes first, and once it is there the next phase goes on record together with its UID, in one write.
 * - `ask-or-carry-out.ts` is all that stands between a plan and its run; `routing/` are the checks, `plan-anew.ts` what becomes of a stale plan.
 * - `observe.ts` reads what the phase needs; `child.ts` tells our child from what merely has its name.
 * - `children.ts` drafts what is created; `notices.ts` says who is told what, `notice-text.ts` in which words, `tell.ts` whether they were.
 * - `undo.ts` says whether a change that did not help is taken back, `open-undo.ts` opens the request that does.
 * - `conclusion.ts` reads an analysis, `outcome.ts` an assessment, `healed.ts` the alerts, `cancel.ts` the operator's wish.
 * - `hold.ts` holds a signal back until a person clears its target, and lets it go then; `read-block.ts` reads what there is to clear.
 * - `ending.ts`, `block.ts`, `timeouts.ts`, `retention.ts` and `status.ts` do the bookkeeping.
 *
 * What acts on the cluster is the WorkflowExecution, and it acts at most once. Start with decide.ts.
 */
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Lease } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { Controller, Related, Watch } from '../../runtime/reconcile/controller.ts';
import type { Settings } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type RemediationSeen } from './observe.ts';
import { heldOn, lockIndexes, LOCKS } from './read-block.ts';
import { assessmentIndexes, executionIndexes, freedBy, requestIndexes, SCOPE_KINDS } from './routing/index.ts';

export type { RemediationSeen } from './observe.ts';

/** A child wakes the request that controls it. */
export function requestKeys(child: KubeObject): readonly ObjectKey[] {
  const owner = controllerOf(child);
  return owner?.kind === RemediationRequest.kind ? [{ namespace: child.metadata.namespace ?? '', name: owner.name }] : [];
}

/** Whatever was waited for wakes who waits for it. */
const waitingFor = (object: KubeObject, related: Related): readonly ObjectKey[] =>
  freedBy(object).flatMap((query) => related(RemediationRequest, query));

/** A duplicate that waits wakes its original too, which counts it. */
const originalOf = ({ metadata, status }: RemediationRequest): readonly ObjectKey[] =>
  status?.duplicateOf === undefined ? [] : [{ namespace: metadata.namespace ?? '', name: status.duplicateOf }];

/** One that takes a change back wakes the request that made it, which puts it on record. */
const undoneBy = ({ metadata, spec }: RemediationRequest): readonly ObjectKey[] =>
  spec.undoOf ? [{ namespace: metadata.namespace ?? '', name: spec.undoOf.name }] : [];

/** What the controller is given besides the API server. */
export interface RemediationDeps {
  readonly settings: () => Settings;
  /** Whether the server holds the names of those who decide against who they are; without that no approval counts. */
  readonly identityIsChecked: () => boolean;
  /** Whether everything about the request is in the audit trail: it is not deleted before. */
  readonly isAudited: (request: RemediationRequest) => boolean;
}

/** Drives remediations. */
export const createRemediationController = (deps: RemediationDeps): Controller<RemediationSeen> => ({
  name: 'remediation',
  primary: RemediationRequest,
  watches: watchesIn(deps.settings()),
  observe: (key, reader, now) => observe(key, reader, now, { ...deps, settings: deps.settings() }),
  decide,
});

const CHILDREN: readonly Resource[] = [SignalProcessing, AIAnalysis, RemediationApprovalRequest, NotificationRequest];

/** Whatever may have lifted a block wakes whose signal waits for that. */
const heldBy = (object: WorkflowExecution | Lease, related: Related): readonly ObjectKey[] => related(RemediationRequest, heldOn(object));

function watchesIn({ namespace, executionNamespace }: Settings): readonly Watch[] {
  return [
    watch({
      resource: RemediationRequest,
      namespace,
      indexes: requestIndexes,
      keys: (object, related) => [keyOf(object), ...originalOf(object), ...undoneBy(object), ...waitingFor(object, related)],
    }),
    ...CHILDREN.map((resource) => ({ resource, namespace, keys: requestKeys })),
    watch({
      resource: WorkflowExecution,
      namespace,
      indexes: executionIndexes,
      keys: (object, related) => [...requestKeys(object), ...waitingFor(object, related), ...heldBy(object, related)],
    }),
    // One whose execution is gone keeps its block.
    watch({ resource: Lease, namespace: executionNamespace, labelSelector: LOCKS, indexes: lockIndexes, keys: heldBy }),
    watch({ resource: EffectivenessAssessment, namespace, indexes: assessmentIndexes, keys: requestKeys }),
    { resource: RemediationWorkflow, namespace, keys: () => [] },
    ...SCOPE_KINDS.map((resource): Watch => ({ resource, keep: 'metadata', keys: waitingFor })),
  ];
}

/** Each watch knows its own kind; together they are of any. */
const watch = <T extends KubeObject>(watched: Watch<T>): Watch => watched as unknown as Watch;
