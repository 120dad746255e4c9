import type { Draft } from '../../api/meta.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { askList } from '../../kube/client/read-live.ts';
import type { RehearsalClient } from './rehearsal-client.ts';

/** The workflows that a rehearsal selects from, and where they come from. */
export interface Catalogue {
  readonly source: 'cluster' | 'package';
  readonly workflows: readonly RemediationWorkflow[];
  /** Why it is not the catalogue of the cluster, or why it holds nothing. */
  readonly note?: string;
}

/**
 * The catalogue of the cluster; where Sickbay is not installed, or its catalogue cannot be read, the workflows that come with this package, with the
 * names and the image that they are installed with.
 */
export async function readCatalogue(
  client: RehearsalClient,
  namespace: string,
  packaged: readonly Draft<RemediationWorkflow>[],
): Promise<Catalogue> {
  const listed = await askList(client, RemediationWorkflow, { namespace });
  if (listed.kind === 'value' && (await client.serves(RemediationWorkflow))) return ofCluster(listed.value, namespace);
  const note =
    listed.kind === 'unreadable'
      ? `the catalogue of the cluster cannot be read (${listed.reason}), so the workflows of this package stand for it`
      : 'Sickbay is not installed in this cluster, so the workflows of this package stand for its catalogue';
  return { source: 'package', workflows: packaged.map((draft) => client.keep(RemediationWorkflow, draft)), note };
}

const ofCluster = (workflows: readonly RemediationWorkflow[], namespace: string): Catalogue => ({
  source: 'cluster',
  workflows,
  ...(workflows.length === 0 && { note: `the namespace ${namespace} has no RemediationWorkflow: Sickbay could run nothing there` }),
});
