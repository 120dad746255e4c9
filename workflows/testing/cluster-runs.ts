import { ClusterRole, ClusterRoleBinding, Job, Namespace, Pod } from '../../src/api/builtin/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { RemediationWorkflow } from '../../src/api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../src/api/workflow-execution/workflow-execution.ts';
import { systemClock, systemRandom, toTime } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { endOf } from '../../src/controllers/execution/engines/job/job-end.ts';
import { jobDraft } from '../../src/controllers/execution/index.ts';
import { createClient } from '../../src/kube/client/api-client.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { httpTransport } from '../../src/kube/http/http-transport.ts';
import { loadConfig } from '../../src/kube/identity/load-config.ts';
import { readLibrary, type LibraryEntry } from '../library.ts';
import { isAccount, ownCopy } from './accounts.ts';

/** The library's image on the cluster; without it nothing of the library can run there. */
export const IMAGE = process.env['SICKBAY_TEST_WORKFLOW_IMAGE'] ?? '';

/** A run to start: which workflow, on what, with what. */
export interface Order {
  readonly workflow: string;
  readonly kind: string;
  readonly name: string;
  /** Absent for what is in no namespace. */
  readonly namespace?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A cluster with the library's accounts, in namespaces of our own. */
export interface LibraryOnCluster {
  readonly client: KubeClient;
  /** For what is broken. */
  readonly shop: string;
  readonly over: AbortSignal;
  /** Runs a workflow as the Job that the execution controller makes of it. Its termination message; throws it when the Job fails. */
  readonly run: (order: Order) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Puts the library's accounts and roles on the cluster, under names of our own. */
export async function libraryOnCluster(kubeconfig: string): Promise<LibraryOnCluster> {
  const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig }));
  const client = createClient(transport);
  const suffix = systemRandom.uuid().slice(0, 8);
  const [shop, runs] = [`wf-shop-${suffix}`, `wf-runs-${suffix}`];
  const over = new AbortController();
  for (const name of [shop, runs]) await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const library = (await readLibrary({ namespace: 'unused', executionNamespace: runs, image: IMAGE })).map((entry) =>
    ownCopy(entry, suffix),
  );
  for (const { resource, draft } of library.filter(isAccount)) await client.create(resource, draft);
  const run = async (order: Order): Promise<string> => {
    const { metadata, spec } = jobDraft(anExecution(library, order), runs, systemClock.now());
    const name = `${order.workflow}-${systemRandom.uuid().slice(0, 8)}`;
    await client.create(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata: { ...metadata, name }, spec: { ...spec, suspend: false } });
    return lastWord(client, { runs, name }, over.signal);
  };
  const close = async (): Promise<void> => {
    over.abort(new Error('the tests are over'));
    for (const { resource, draft } of library)
      if (resource === ClusterRole || resource === ClusterRoleBinding)
        await client.delete(resource, { namespace: '', name: draft.metadata.name ?? '' });
    for (const name of [shop, runs]) await client.delete(Namespace, { namespace: '', name });
    await transport.close();
  };
  return { client, shop, over: over.signal, run, close };
}

async function lastWord(client: KubeClient, { runs, name }: { runs: string; name: string }, over: AbortSignal): Promise<string> {
  const find = (jobs: readonly Job[]): Job | undefined => jobs.find((job) => job.metadata.name === name && endOf(job));
  const job = await until(client, { resource: Job, namespace: runs }, find, over);
  const { items } = await client.list(Pod, { namespace: runs, labelSelector: `job-name=${name}` });
  const said = items.flatMap(({ status }) => status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.message ?? '');
  const word = said.join('\n').trim();
  if (endOf(job)?.type !== 'Complete') throw new Error(`${name} ended ${JSON.stringify(endOf(job))}: ${word}`);
  return word;
}

/** An execution of the library's own catalogue entry. */
export function anExecution(library: readonly LibraryEntry[], order: Order): WorkflowExecution {
  const { workflow, kind, name, namespace } = order;
  const entry = library.find(({ resource, draft }) => resource === RemediationWorkflow && draft.metadata.name === workflow);
  if (!entry) throw new Error(`the library has no workflow ${workflow}`);
  const { execution, version } = (entry.draft as Draft<RemediationWorkflow>).spec;
  const target = { TARGET_RESOURCE_KIND: kind, TARGET_RESOURCE_NAME: name };
  return {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'WorkflowExecution',
    metadata: {
      name: `${workflow}-1`,
      namespace: 'unused',
      uid: systemRandom.uuid(),
      resourceVersion: '1',
      creationTimestamp: toTime(systemClock.now()),
    },
    spec: {
      remediationRequestRef: { name: 'unused' },
      targetResource: namespace === undefined ? `${kind}/${name}` : `${namespace}/${kind}/${name}`,
      workflowRef: {
        workflowId: workflow,
        version,
        executionBundle: execution.bundle ?? '',
        executionEngine: execution.engine,
        ...(execution.engineConfig ? { engineConfig: execution.engineConfig } : {}),
        ...(execution.serviceAccountName ? { serviceAccountName: execution.serviceAccountName } : {}),
      },
      parameters: { ...target, ...(namespace === undefined ? {} : { TARGET_RESOURCE_NAMESPACE: namespace }), ...order.parameters },
    },
  };
}
