import {
  Event,
  Namespace,
  Pod,
  ServiceAccount,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../src/api/builtin/index.ts';
import { kinds, RemediationWorkflow, WorkflowExecution } from '../../src/api/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { isTerminal } from '../../src/api/phases.ts';
import type { Resource } from '../../src/api/resource.ts';
import { LABELS } from '../../src/api/well-known.ts';
import { executionPhases } from '../../src/api/workflow-execution/phases.ts';
import { after, MINUTE, systemClock, systemRandom } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { COMMON_ACCOUNT, createExecutionController, runName } from '../../src/controllers/execution/index.ts';
import { offer } from '../../src/controllers/execution/testing/offer.ts';
import { openExecution } from '../../src/controllers/execution/testing/open-execution.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import type { Settings } from '../../src/controllers/settings.ts';
import { ask } from '../../src/kube/client/read-live.ts';
import { createClient, httpTransport, loadConfig } from '../../src/kube/index.ts';
import type { HttpTransport, KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { readLibrary } from '../../workflows/library.ts';
import { isAccount, ownCopy } from '../../workflows/testing/accounts.ts';
import { runControllers } from './run-controllers.ts';

/** What is to be run, and for how long at most. */
export interface Order {
  readonly name: string;
  readonly targetResource: string;
  readonly workflow: Omit<WorkflowExecution['spec']['workflowRef'], 'workflowId' | 'version'>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly seconds: number;
}

const ROOM = { cluster: 100, namespace: 100, node: 100 };

/** The execution controller on a real cluster, in namespaces of its own: others may use the same cluster. */
export class ClusterWard {
  readonly client: KubeClient;
  readonly settings: Settings;
  readonly over = new AbortController();
  readonly #transport: HttpTransport;
  readonly #clusterWide: { readonly resource: Resource; readonly name: string }[] = [];
  #running: Promise<unknown> = Promise.resolve();

  private constructor(transport: HttpTransport) {
    const suffix = systemRandom.uuid().slice(0, 8);
    this.#transport = transport;
    this.client = createClient(transport);
    this.settings = {
      ...DEFAULT_SETTINGS,
      namespace: `ward-${suffix}`,
      executionNamespace: `ward-runs-${suffix}`,
      budget: { running: ROOM, perHour: ROOM },
    };
  }

  static async open(kubeconfig: string): Promise<ClusterWard> {
    const ward = new ClusterWard(httpTransport(await loadConfig({ clock: systemClock, kubeconfig })));
    const { client } = ward;
    await installKinds(kinds, { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    const { namespace, executionNamespace } = ward.settings;
    for (const name of [namespace, executionNamespace])
      await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await ward.account(COMMON_ACCOUNT);
    ward.#running = runControllers(ward.#transport, [createExecutionController(() => ward.settings)], ward.over.signal);
    return ward;
  }

  async close(): Promise<void> {
    this.over.abort(new Error('the tests are over'));
    await this.#running.catch(() => undefined);
    // No controller is left to remove the finalizers.
    for (const { metadata } of (await this.client.list(WorkflowExecution, { namespace: this.settings.namespace })).items)
      await this.client.patch(
        WorkflowExecution,
        { namespace: this.settings.namespace, name: metadata.name },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      );
    for (const { resource, name } of this.#clusterWide) await this.client.delete(resource, { namespace: '', name });
    for (const name of [this.settings.namespace, this.settings.executionNamespace])
      await this.client.delete(Namespace, { namespace: '', name });
    await this.#transport.close();
  }

  /** An account that workflows may run as. */
  async account(name: string): Promise<void> {
    const namespace = this.settings.executionNamespace;
    await this.client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  }

  /** A rule of the cluster: no pod may run this workflow. */
  async refuse(workflowId: string, why: string): Promise<void> {
    const name = this.settings.executionNamespace;
    const onlyHere = { matchLabels: { 'kubernetes.io/metadata.name': name } };
    const pods = {
      apiGroups: [''],
      apiVersions: ['v1'],
      operations: ['CREATE' as const],
      resources: ['pods'],
      scope: 'Namespaced' as const,
    };
    const matchConstraints = {
      matchPolicy: 'Equivalent' as const,
      namespaceSelector: onlyHere,
      objectSelector: { matchLabels: { [LABELS.workflowId]: workflowId } },
      resourceRules: [pods],
    };
    const validations = [{ expression: 'false', messageExpression: `'${why}'`, reason: 'Forbidden' as const }];
    const apiVersion = 'admissionregistration.k8s.io/v1';
    await this.client.create(ValidatingAdmissionPolicy, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: { failurePolicy: 'Fail', matchConstraints, validations },
    });
    await this.client.create(ValidatingAdmissionPolicyBinding, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    });
    this.#clusterWide.push({ resource: ValidatingAdmissionPolicyBinding, name }, { resource: ValidatingAdmissionPolicy, name });
    await this.#untilRefused(workflowId, why);
  }

  /** A policy is in force a moment after it is there. */
  async #untilRefused(workflowId: string, why: string): Promise<void> {
    const metadata = { name: 'probe', namespace: this.settings.executionNamespace, labels: { [LABELS.workflowId]: workflowId } };
    const resources = { requests: { memory: '1Mi' } };
    const spec = { containers: [{ name: 'probe', image: 'probe', resources }] };
    const deadline = after(systemClock.now(), MINUTE);
    for (;;) {
      const answer = await ask(() =>
        this.client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec } as Draft<Pod>, { dryRun: true }),
      );
      if (answer.kind === 'unreadable' && answer.reason.includes(why)) return;
      if (systemClock.now() >= deadline) throw new Error(`the cluster does not refuse pods of ${workflowId}: ${JSON.stringify(answer)}`);
      await systemClock.waitUntil(after(systemClock.now(), 200), new AbortController().signal);
    }
  }

  /** The library's accounts, with the rights that it declares, and what it says of one workflow. */
  async library(workflow: string, image: string): Promise<Order['workflow']> {
    const { namespace, executionNamespace } = this.settings;
    const entries = (await readLibrary({ namespace, executionNamespace, image })).map((entry) => ownCopy(entry, executionNamespace));
    for (const { resource, draft } of entries.filter(isAccount)) {
      await this.client.create(resource, draft);
      if (!resource.namespaced) this.#clusterWide.push({ resource, name: draft.metadata.name ?? '' });
    }
    const found = entries.find(({ resource, draft }) => resource === RemediationWorkflow && draft.metadata.name === workflow);
    if (!found) throw new Error(`no workflow is called ${workflow}`);
    const { engine, bundle = '', engineConfig, serviceAccountName } = (found.draft as Draft<RemediationWorkflow>).spec.execution;
    return {
      executionEngine: engine,
      executionBundle: bundle,
      ...(engineConfig && { engineConfig }),
      ...(serviceAccountName !== undefined && { serviceAccountName }),
    };
  }

  /** A request that is executing, and its execution, as the orchestrator makes them. */
  async order({ name, targetResource, workflow, parameters, seconds }: Order): Promise<void> {
    const plan = {
      targetResource,
      workflowRef: { workflowId: name, version: '1.0.0', ...workflow },
      ...(parameters && { parameters }),
    };
    const { client } = this;
    const { namespace } = this.settings;
    await offer(client, plan, {}, namespace);
    await openExecution(client, { name, namespace, plan, timesOutAt: after(systemClock.now(), seconds * 1_000) });
  }

  /** Waits until the execution is as wanted. */
  until(name: string, wanted: (status: NonNullable<WorkflowExecution['status']>) => boolean): Promise<WorkflowExecution> {
    const find = (all: readonly WorkflowExecution[]): WorkflowExecution | undefined =>
      all.find((one) => one.metadata.name === `we-${name}` && one.status && wanted(one.status));
    return until(this.client, { resource: WorkflowExecution, namespace: this.settings.namespace }, find, this.over.signal);
  }

  untilEnded = (name: string): Promise<WorkflowExecution> => this.until(name, ({ phase }) => isTerminal(executionPhases, phase));

  /** Waits until a container of the run on this target is running. */
  untilPodRuns(targetResource: string): Promise<Pod> {
    const isRunning = (pod: Pod): boolean => (pod.status?.containerStatuses ?? []).some(({ state }) => state?.running !== undefined);
    return until(
      this.client,
      { resource: Pod, namespace: this.settings.executionNamespace, labelSelector: `job-name=${runName({ targetResource })}` },
      (pods) => pods.find(isRunning),
      this.over.signal,
    );
  }

  /** Waits until Events for all these reasons are told about an execution: they follow its status. */
  untilTold({ metadata }: WorkflowExecution, reasons: readonly string[]): Promise<true> {
    const areAllTold = (events: readonly Event[]): true | undefined => {
      const told = events.filter(({ involvedObject }) => involvedObject.uid === metadata.uid).map(({ reason }) => reason);
      return reasons.every((reason) => told.includes(reason)) || undefined;
    };
    return until(this.client, { resource: Event, namespace: this.settings.namespace }, areAllTold, this.over.signal);
  }
}
