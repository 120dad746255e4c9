import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { KubeObject } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../base/index.ts';
import { planOf } from '../../controllers/plan/remediation-plan.ts';
import type { RemediationSeen } from '../../controllers/remediation/index.ts';
import type { Controller, Decision, Reader } from '../../runtime/reconcile/controller.ts';
import { SIMULATION_START } from '../../simulation/index.ts';

/**
 * Orchestrators with one mistake each. Most see one thing otherwise than it is, which is what a forgotten condition comes to; the simulation
 * has to catch every one.
 */
export type Mistake = (right: Controller<RemediationSeen>) => Controller<RemediationSeen>;

/** How an orchestrator with the mistake reads objects of one kind. */
interface Delusion<T extends KubeObject> {
  readonly resource: Resource<T>;
  see(object: T): T;
}

const deluded =
  <T extends KubeObject>({ resource, see }: Delusion<T>): Mistake =>
  (right) => ({
    ...right,
    observe: (key, reader, now) =>
      right.observe(
        key,
        misread(reader, resource, (object) => see(object as unknown as T)),
        now,
      ),
  });

function misread(reader: Reader, resource: Resource, see: (object: KubeObject) => KubeObject): Reader {
  const isMeant = ({ kind }: Resource): boolean => kind === resource.kind;
  const seen = <R extends { readonly kind: string }>(read: R): R =>
    'value' in read ? { ...read, value: Array.isArray(read.value) ? read.value.map(see) : see(read.value as KubeObject) } : read;
  return {
    get: (wanted, key) => (isMeant(wanted) ? seen(reader.get(wanted, key)) : reader.get(wanted, key)),
    list: (wanted, by) => (isMeant(wanted) ? seen(reader.list(wanted, by)) : reader.list(wanted, by)),
    fetch: async (wanted, key) => (isMeant(wanted) ? seen(await reader.fetch(wanted, key)) : reader.fetch(wanted, key)),
    fetchList: async (wanted, options) =>
      isMeant(wanted) ? seen(await reader.fetchList(wanted, options)) : reader.fetchList(wanted, options),
  };
}

/** Treats a rejection as an approval. */
const takesNoForYes: Mistake = deluded({
  resource: RemediationApprovalRequest,
  see: (asked): RemediationApprovalRequest =>
    asked.status?.decision === 'Rejected' ? { ...asked, status: { ...asked.status, decision: 'Approved' } } : asked,
});

/** Never requests an approval. */
const skipsApproval: Mistake = deluded({
  resource: AIAnalysis,
  see: (analysis) => (analysis.status ? { ...analysis, status: { ...analysis.status, approvalRequired: false } } : analysis),
});

/** Treats the approval of one plan as the approval of every plan: requests approval of one, runs another. */
const forgetsThePlan: Mistake = (right) => ({
  ...right,
  observe(key, reader, now) {
    const other = misread(reader, AIAnalysis, (object) => otherParameters(object as AIAnalysis));
    const plan = (request: string): string => digestOf(other, { ...key, name: `ai-${request}` });
    const agreed = misread(other, RemediationApprovalRequest, (object) => {
      const asked = object as RemediationApprovalRequest;
      return { ...asked, spec: { ...asked.spec, planDigest: plan(key.name) } };
    });
    return right.observe(key, isAsking(reader, key.name, key.namespace) ? agreed : reader, now);
  },
});

const isAsking = (reader: Reader, name: string, namespace: string): boolean => {
  const asked = reader.get(RemediationApprovalRequest, { namespace, name: `rar-${name}` });
  return asked.kind === 'value' && asked.value.status?.decision === 'Approved';
};

function otherParameters(analysis: AIAnalysis): AIAnalysis {
  const workflow = analysis.status?.selectedWorkflow;
  if (!analysis.status || !workflow) return analysis;
  return { ...analysis, status: { ...analysis.status, selectedWorkflow: { ...workflow, parameters: { REVISION: '2' } } } };
}

function digestOf(reader: Reader, key: { readonly namespace: string; readonly name: string }): string {
  const analysis = reader.get(AIAnalysis, key);
  return (analysis.kind === 'value' ? planOf(analysis.value)?.digest : undefined) ?? '';
}

/** Forgets what it has released: a deleted execution is created again, and released again. */
const forgetsTheExecution: Mistake = (right) => ({
  ...right,
  observe(key, reader, now) {
    const forgetful = misread(reader, RemediationRequest, (object) => {
      const request = object as RemediationRequest;
      const { workflowExecutionRef, ...status } = request.status ?? {};
      if (status.overallPhase !== 'Executing' || workflowExecutionRef?.name === undefined) return request;
      const run = reader.get(WorkflowExecution, { ...key, name: workflowExecutionRef.name });
      const isThere = run.kind === 'value' && run.value.metadata.uid === workflowExecutionRef.uid;
      return isThere ? request : { ...request, status: { ...status, overallPhase: 'Analyzing' } };
    });
    return right.observe(key, forgetful, now);
  },
});

/** Treats every timed block as expired. */
const leavesBlockedEarly: Mistake = deluded({
  resource: RemediationRequest,
  see: (request): RemediationRequest =>
    request.status?.blockedUntil === undefined
      ? request
      : { ...request, status: { ...request.status, blockedUntil: toTime(SIMULATION_START) } },
});

/** Sends no notification of the end. */
const skipsNotification: Mistake = (right) => ({
  ...right,
  decide: (seen, now) => {
    const decision = right.decide(seen, now);
    return {
      ...decision,
      effects: decision.effects.filter((effect) => effect.kind !== 'Create' || effect.resource !== NotificationRequest),
    };
  },
});

/** Writes down when it last looked. */
const writesTooMuch: Mistake = (right) => ({
  ...right,
  decide: (seen, now): Decision => {
    const decision = right.decide(seen, now);
    return decision.status === undefined
      ? decision
      : { ...decision, status: { ...(decision.status as object), lastModifiedAt: toTime(now) } };
  },
});

/** All of them: what each does wrong, and what the simulation has to say about it. */
export const MISTAKES: readonly { readonly name: string; readonly controller: Mistake; readonly complaint: RegExp }[] = [
  { name: 'takes no for yes', controller: takesNoForYes, complaint: /nobody approved this plan/ },
  { name: 'asks nobody', controller: skipsApproval, complaint: /nobody approved this plan/ },
  { name: 'forgets the plan', controller: forgetsThePlan, complaint: /nobody approved this plan/ },
  { name: 'forgets the execution', controller: forgetsTheExecution, complaint: /another execution was put on record/ },
  { name: 'leaves Blocked early', controller: leavesBlockedEarly, complaint: /left Blocked .* too early/ },
  { name: 'tells nobody', controller: skipsNotification, complaint: /not settled/ },
  // A request that was refused has no other reason to be written more than once per phase.
  { name: 'writes too much', controller: writesTooMuch, complaint: /phases Pending, Processing, Analyzing, AwaitingApproval, Failed$/ },
];
