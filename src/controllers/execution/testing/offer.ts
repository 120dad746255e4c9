import { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { KubeClient } from '../../../kube/client/client.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { entryFor, type Planned } from './builders.ts';

/** Puts the workflow of a plan into the catalogue, which is in the default namespace unless another is named. */
export async function offer(
  admin: KubeClient,
  plan: Planned,
  change: Partial<RemediationWorkflow['spec']> = {},
  namespace = DEFAULT_SETTINGS.namespace,
): Promise<void> {
  const { apiVersion, kind, metadata, spec, status } = entryFor(plan);
  const key = { name: metadata.name, namespace };
  await admin.create(RemediationWorkflow, { apiVersion, kind, metadata: key, spec: { ...spec, ...change } });
  await admin.patchStatus(RemediationWorkflow, key, { type: 'merge', body: { status } });
}
