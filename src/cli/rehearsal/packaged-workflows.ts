import type { Draft } from '../../api/meta.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Settings } from '../../controllers/settings.ts';
import { readLibrary } from '../../../workflows/library.ts';

/** The workflows that this package would install. */
export async function packagedWorkflows({ namespace, executionNamespace }: Settings): Promise<readonly Draft<RemediationWorkflow>[]> {
  const entries = await readLibrary({ namespace, executionNamespace });
  return entries.flatMap(({ resource, draft }) => (resource === RemediationWorkflow ? [draft as Draft<RemediationWorkflow>] : []));
}
