import { stringify } from 'yaml';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { messageOf } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { RemediationObjects } from '../contract/index.ts';
import type { RemediationFamily } from '../views/timeline.ts';

type ObjectText = RemediationObjects['objects'][number];

/** More than any object that people read; the API server stores up to 1.5 MB. */
const MOST_CHARS = 256 * 1024;

/** The remediation and its children as they are stored now, read with the rights of the caller. */
export async function objectsOfRemediation(client: KubeClient, family: RemediationFamily): Promise<RemediationObjects> {
  const { request, processing, analysis, approval, execution, assessment, notifications } = family;
  const members: readonly (readonly [Resource<KubeObject>, KubeObject | undefined])[] = [
    [RemediationRequest, request],
    [SignalProcessing, processing],
    [AIAnalysis, analysis],
    [RemediationApprovalRequest, approval],
    [WorkflowExecution, execution],
    [EffectivenessAssessment, assessment],
    ...notifications.map((one) => [NotificationRequest, one] as const),
  ];
  return { objects: await Promise.all(members.flatMap(([resource, known]) => (known ? [textOf(client, resource, known)] : []))) };
}

async function textOf(client: KubeClient, resource: Resource<KubeObject>, { metadata }: KubeObject): Promise<ObjectText> {
  const { namespace = '', name } = metadata;
  const { kind } = resource;
  try {
    return { kind, name, yaml: yamlOf(await client.get(resource, { namespace, name })) };
  } catch (error) {
    return { kind, name, problem: messageOf(error) };
  }
}

/** As `kubectl get -o yaml` prints it, without the record of which client wrote which field. */
export function yamlOf({ metadata, ...rest }: KubeObject): string {
  const { managedFields: _managedFields, ...shown } = metadata as KubeObject['metadata'] & { readonly managedFields?: unknown };
  const { apiVersion, kind, ...body } = rest as { readonly apiVersion?: string; readonly kind?: string };
  const text = stringify({ apiVersion, kind, metadata: shown, ...body }, { aliasDuplicateObjects: false, lineWidth: 0 });
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}\n# … cut off after ${MOST_CHARS / 1024} KiB`;
}
