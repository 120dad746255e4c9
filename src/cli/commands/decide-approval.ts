import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { hasCode, PlatformError, toTime, type Clock } from '../../base/index.ts';
import { applyOverride, overridingWorkflow, type Override } from '../../controllers/approval/index.ts';
import { planOf } from '../../controllers/plan/remediation-plan.ts';
import { targetText } from '../../controllers/target/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { whoAmI } from '../../kube/identity/who-am-i.ts';
import { findApproval } from './find-approval.ts';

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
  return { name, namespace, decision, decidedBy, plan: changed ?? planText(approval) };
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
