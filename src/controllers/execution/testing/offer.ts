import { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { entryFor, type Planned } from './builders.ts';

/** Puts the workflow of a plan into the catalogue. */
export async function offer(admin: KubeClient, plan: Planned, change: Partial<RemediationWorkflow['spec']> = {}): Promise<void> {
  const { apiVersion, kind, metadata, spec, status } = entryFor(plan);
  const { name, namespace = '' } = metadata;
  await admin.create(RemediationWorkflow, { apiVersion, kind, metadata: { name, namespace }, spec: { ...spec, ...change } });
  await admin.patchStatus(RemediationWorkflow, { name, namespace }, { type: 'merge', body: { status } });
}
