/**
 * The controller of RemediationRequest: the orchestrator. It moves a signal through its phases, creates one child object per phase and
 * notifies people of the result. Read in this order:
 *
 * 1. `decide.ts` maps each phase to its function in `phases/decide-<phase>.ts`; `phases/await-child.ts` is what all phases share that wait
 *    for a child: the child is created first, then the next phase and the child's UID are written to status in one write.
 * 2. `observe.ts` reads what the phase needs; `status.ts` and `timeouts.ts` are shared by all phases.
 * 3. `children/` drafts the children, and tells a child of this request from another object with its name.
 * 4. `routing/` holds the eight checks that a request must pass, what each block waits for, and the counting of failures in a row.
 * 5. `plan/` leads from a finished analysis to the WorkflowExecution: read the plan, dry run, stale target, approval, checks.
 * 6. `verification/` drafts the assessment of a run and reads its outcome; `undo/` rolls a change back that did not help.
 * 7. `end/` writes the terminal phases: cancelled, alerts resolved before the run, failed; and when the request may be deleted.
 * 8. `uncordon/` opens the request that uncordons a drained Node which has recovered; `suppression/` keeps a signal from opening new requests until an operator clears the block on its target.
 *    `resume/` opens the next request after a wait, where the alert still fires.
 * 9. `notifications/` says which notifications a request requires, drafts their messages and creates them once.
 * 10. `explain/` explains for the API and the command line why a request is where it is.
 *
 * Only the WorkflowExecution acts on the cluster, and it acts at most once.
 */
import { accountIn } from '../../api/policies/index.ts';
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
import type { Alertmanager } from '../../monitoring/index.ts';
import { decide } from './decide.ts';
import { observe, type RemediationSeen } from './observe.ts';
import { suppressedByTarget, lockIndexes, TARGET_LOCKS } from './suppression/read-target-block.ts';
import { assessmentIndexes, executionIndexes, unblockedBy, requestIndexes, SCOPE_KINDS } from './routing/index.ts';

export type { RemediationSeen } from './observe.ts';

/** A child wakes the request that controls it. */
export function requestKeys(child: KubeObject): readonly ObjectKey[] {
  const owner = controllerOf(child);
  return owner?.kind === RemediationRequest.kind ? [{ namespace: child.metadata.namespace ?? '', name: owner.name }] : [];
}

/** An object that may lift a block wakes the requests that wait for it. */
const waitingFor = (object: KubeObject, related: Related): readonly ObjectKey[] =>
  unblockedBy(object).flatMap((query) => related(RemediationRequest, query));

/** A waiting duplicate wakes its original too, which counts it. */
const originalOf = ({ metadata, status }: RemediationRequest): readonly ObjectKey[] =>
  status?.duplicateOf === undefined ? [] : [{ namespace: metadata.namespace ?? '', name: status.duplicateOf }];

/** A request that undoes a change wakes the request that made it, which records its UID. */
const undoneBy = ({ metadata, spec }: RemediationRequest): readonly ObjectKey[] =>
  spec.undoOf ? [{ namespace: metadata.namespace ?? '', name: spec.undoOf.name }] : [];

/** What the controller depends on besides the API server. */
export interface RemediationDeps {
  readonly settings: () => Settings;
  /** Whether the API server verifies the names of approvers; without that no approval counts. */
  readonly identityIsChecked: () => boolean;
  /** Sickbay's own user name at the API server. */
  readonly account?: string | undefined;
  /** Asked, after a wait, whether the alerts of a request still fire; without it the next signal continues. */
  readonly alertmanager?: Pick<Alertmanager, 'firing'> | undefined;
  /** Whether everything about the request is in the audit trail: it is not deleted before. */
  readonly isAudited: (request: RemediationRequest) => boolean;
}

/** Drives remediations. */
export const createRemediationController = (deps: RemediationDeps): Controller<RemediationSeen> => ({
  name: 'remediation',
  primary: RemediationRequest,
  watches: watchesIn(deps.settings()),
  observe: (key, reader, now) =>
    observe(key, reader, now, { ...deps, settings: deps.settings(), account: deps.account ?? accountIn(deps.settings().namespace) }),
  decide,
});

const CHILDREN: readonly Resource[] = [SignalProcessing, AIAnalysis, RemediationApprovalRequest, NotificationRequest];

/** An execution or lock that may clear the block on a target wakes the requests that the block suppresses. */
const heldBy = (object: WorkflowExecution | Lease, related: Related): readonly ObjectKey[] =>
  related(RemediationRequest, suppressedByTarget(object));

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
    // A lock stores the block of an execution that is gone.
    watch({ resource: Lease, namespace: executionNamespace, labelSelector: TARGET_LOCKS, indexes: lockIndexes, keys: heldBy }),
    watch({ resource: EffectivenessAssessment, namespace, indexes: assessmentIndexes, keys: requestKeys }),
    { resource: RemediationWorkflow, namespace, keys: () => [] },
    ...SCOPE_KINDS.map((resource): Watch => ({ resource, keep: 'metadata', keys: waitingFor })),
  ];
}

/** A watch of one kind, in a list of watches of any kind. */
const watch = <T extends KubeObject>(watched: Watch<T>): Watch => watched as unknown as Watch;
