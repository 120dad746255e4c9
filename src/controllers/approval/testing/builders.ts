import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { ObjectMeta } from '../../../api/meta.ts';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { aiAnalysisSample } from '../../../api/ai-analysis/sample.ts';
import { remediationRequestSample } from '../../../api/remediation-request/sample.ts';
import { after, instant, MINUTE, toTime } from '../../../base/index.ts';
import { snapshotWorkflow } from '../../plan/snapshot-workflow.ts';
import { planSpecOf, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { planDigest } from '../../target/index.ts';
import { approvalFor } from '../draft-approval.ts';

/** One story: Deployment shop/checkout is to be rolled back to revision 1, and a person is asked. */
export const NOW = instant(1_794_711_600_000);
export const REQUIRED_BY = after(NOW, 15 * MINUTE);
export const NAMESPACE = 'sickbay-system';

const metadata = (name: string): ObjectMeta => ({
  name,
  namespace: NAMESPACE,
  uid: `${name}-uid`,
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: toTime(NOW),
});

const API = 'kubernaut.ai/v1alpha1';

export const aRequest = (annotations: Readonly<Record<string, string>> = {}): RemediationRequest =>
  ({
    apiVersion: API,
    kind: 'RemediationRequest',
    metadata: { ...metadata('rr'), annotations },
    spec: remediationRequestSample.spec,
    status: { overallPhase: 'AwaitingApproval' },
  }) as RemediationRequest;

const parameter = (name: string, more: object = {}) => ({ name, type: 'string', required: true, description: name, ...more });
const TARGET_PARAMETERS = ['KIND', 'NAME', 'NAMESPACE'].map((part) => parameter(`TARGET_RESOURCE_${part}`));

/** A workflow of the catalogue. */
export const aWorkflow = (name = 'rollback-deployment', spec: object = {}, more: object = {}): RemediationWorkflow =>
  ({
    apiVersion: API,
    kind: 'RemediationWorkflow',
    metadata: metadata(name),
    spec: {
      version: '1.0.0',
      actionType: 'RollbackDeployment',
      description: { what: `does ${name}`, whenToUse: 'it crashes' },
      labels: { severity: ['*'], component: ['Deployment'], environment: ['*'], priority: '*' },
      execution: { engine: 'job', bundle: 'sickbay/workflows:0.1.0', serviceAccountName: name, engineConfig: { args: [name] } },
      dependencies: { secrets: [{ name: `${name}-key` }] },
      parameters: [...TARGET_PARAMETERS, parameter('REVISION', { type: 'integer', minimum: 1 })],
      ...spec,
    },
    ...more,
  }) as RemediationWorkflow;

export const TARGET = {
  kind: 'Deployment',
  name: 'checkout',
  namespace: 'shop',
  apiVersion: 'apps/v1',
  uid: 'checkout-uid',
  specHash: `sha256:${'a'.repeat(64)}`,
};

export const TARGET_VALUES = { TARGET_RESOURCE_KIND: 'Deployment', TARGET_RESOURCE_NAME: 'checkout', TARGET_RESOURCE_NAMESPACE: 'shop' };

/** What was proposed. */
export function aPlan(): RemediationPlan {
  const workflow = snapshotWorkflow(aWorkflow(), {
    confidence: 0.86,
    rationale: 'it crashes since revision 2',
    parameters: { ...TARGET_VALUES, REVISION: '1' },
    selectedAt: toTime(NOW),
  });
  return { workflow, target: TARGET, digest: planDigest(planSpecOf(workflow, TARGET)) };
}

export const anAnalysis = (status: Partial<NonNullable<AIAnalysis['status']>> = {}): AIAnalysis =>
  ({
    apiVersion: API,
    kind: 'AIAnalysis',
    metadata: metadata('ai-rr'),
    spec: aiAnalysisSample.spec,
    status: { phase: 'Completed', rootCause: 'revision 2 crashes', approvalReason: 'production', ...status },
  }) as unknown as AIAnalysis;

/** The question as the server has it, with what was decided. */
export function anApproval(status?: RemediationApprovalRequest['status'], more: Partial<ObjectMeta> = {}): RemediationApprovalRequest {
  const draft = approvalFor(aRequest(), anAnalysis(), aPlan(), { attempt: 1, requiredBy: REQUIRED_BY });
  return {
    ...draft,
    metadata: { ...metadata('rar-rr'), ...draft.metadata, ...more },
    ...(status && { status }),
  } as RemediationApprovalRequest;
}
