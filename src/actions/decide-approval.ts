import { AIAnalysis } from '../api/ai-analysis/ai-analysis.ts';
import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationWorkflow } from '../api/remediation-workflow/remediation-workflow.ts';
import { hasCode, PlatformError, toTime, type Clock } from '../base/index.ts';
import { applyOverride, overridingWorkflow, type Override } from '../controllers/approval/index.ts';
import { planOf } from '../controllers/plan/remediation-plan.ts';
import { targetText } from '../controllers/target/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { whoAmI } from '../kube/identity/who-am-i.ts';
import { findApproval } from './find-approval.ts';
import { isTerminal } from '../api/phases.ts';
import { remediationPhases } from '../api/remediation-request/phases.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ask } from '../kube/client/read-live.ts';

/** A person's decision, as given on the command line. */
export interface Answer {
  readonly namespace: string;
  /** Name of the RemediationApprovalRequest, or of its RemediationRequest. */
  readonly name: string;
  readonly decision: 'Approved' | 'Rejected';
  readonly reason?: string;
  readonly workflow?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The recorded decision, for people and for programs. */
export interface Decided {
  readonly name: string;
  readonly namespace: string;
  readonly decision: 'Approved' | 'Rejected';
  readonly decidedBy: string;
  /** Which workflow runs on which target, with the changes of the approver. */
  readonly plan: string;
}

/** Writes a decision signed with the user's own name. Overrides are validated first: an invalid one would fail the remediation. */
export async function decideApproval(client: KubeClient, clock: Clock, answer: Answer): Promise<Decided> {
  const { namespace, decision, reason } = answer;
  const approval = await findApproval(client, answer, clock.now());
  await demandUnderWay(client, approval);
  const override = overrideOf(answer);
  const changed = override && (await tried(client, approval, override));
  const decidedBy = await whoAmI(client);
  const status = {
    decision,
    decidedBy,
    decidedAt: toTime(clock.now()),
    ...(reason !== undefined && { decisionMessage: reason }),
    ...(override && { workflowOverride: override }),
  };
  const { name } = approval.metadata;
  await client.patchStatus(RemediationApprovalRequest, { namespace, name }, { type: 'merge', body: { status } });
  // It may have ended while this was decided.
  await demandUnderWay(client, approval, decision);
  return { name, namespace, decision, decidedBy, plan: changed ?? planText(approval) };
}

/**
 * Rejects where the remediation has ended without this decision: nothing follows from it. A rejection ends it; what follows from one is what the
 * user wanted. A request that may not be read is decided all the same.
 */
async function demandUnderWay(
  client: KubeClient,
  { metadata, spec }: RemediationApprovalRequest,
  decided?: Answer['decision'],
): Promise<void> {
  const { name = '' } = spec.remediationRequestRef;
  const read = await ask(() => client.get(RemediationRequest, { namespace: metadata.namespace ?? '', name }));
  const ended = read.kind === 'value' && decided !== 'Rejected' ? endText(read.value) : undefined;
  if (ended === undefined) return;
  const what = decided ? `the approval of ${metadata.name} came too late and nothing runs` : `${metadata.name} can no longer be decided`;
  throw new PlatformError('Conflict', `${what}: ${ended}`, { retry: 'never' });
}

/** How a remediation ended without a run; undefined while it may still have one, or where it had one. */
function endText({ metadata, status = {} }: RemediationRequest): string | undefined {
  const { overallPhase, outcome, message = '', workflowExecutionRef } = status;
  if (!isTerminal(remediationPhases, overallPhase) || workflowExecutionRef) return undefined;
  return `${metadata.name} is ${outcome ?? overallPhase ?? 'ended'}: ${message}`;
}

function overrideOf({ workflow, parameters, reason }: Answer): Override | undefined {
  if (workflow === undefined && parameters === undefined) return undefined;
  return {
    ...(workflow !== undefined && { workflowName: workflow }),
    ...(parameters && { parameters }),
    ...(reason !== undefined && { rationale: reason }),
  };
}

/** The plan with the overrides; rejects with what is invalid. */
async function tried(client: KubeClient, { metadata, spec }: RemediationApprovalRequest, override: Override): Promise<string> {
  const namespace = metadata.namespace ?? '';
  const plan = planOf(await client.get(AIAnalysis, { namespace, name: spec.aiAnalysisRef.name }));
  if (!plan) throw invalid(`${spec.aiAnalysisRef.name} has no plan that could be changed`);
  const workflow = await fromCatalogue(client, { namespace, name: overridingWorkflow(plan, override) });
  const result = applyOverride(plan, override, workflow);
  if (result.kind === 'refused') throw invalid(result.why);
  return `${result.changes} on ${targetText(plan.target)}`;
}

async function fromCatalogue(client: KubeClient, key: { readonly namespace: string; readonly name: string }): Promise<RemediationWorkflow> {
  try {
    return await client.get(RemediationWorkflow, key);
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
    throw invalid(`the catalogue has no workflow ${key.name}: see kubectl get remediationworkflows -n ${key.namespace}`, error);
  }
}

const invalid = (message: string, cause?: unknown): PlatformError =>
  new PlatformError('Invalid', `no decision was recorded: ${message}`, { retry: 'never', cause });

const planText = ({ spec }: RemediationApprovalRequest): string =>
  spec.recommendedActions[0]?.action ?? `run ${spec.recommendedWorkflow.workflowId}`;

/** The printed decision. */
export const decidedText = (decided: Decided, form: 'text' | 'json'): string =>
  form === 'json'
    ? JSON.stringify(decided, undefined, 2)
    : `${decided.name} is ${decided.decision.toLowerCase()} by ${decided.decidedBy}: ${decided.plan}`;
