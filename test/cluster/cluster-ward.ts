import {
  Event,
  Namespace,
  Pod,
  ServiceAccount,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../src/api/builtin/index.ts';
import { kinds, RemediationRequest, RemediationWorkflow, WorkflowExecution } from '../../src/api/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { isTerminal } from '../../src/api/phases.ts';
import type { Resource } from '../../src/api/resource.ts';
import { LABELS } from '../../src/api/well-known.ts';
import { executionPhases } from '../../src/api/workflow-execution/phases.ts';
import { after, MINUTE, silent, steadyClock, systemClock, systemRandom, toTime, type Logger } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { COMMON_ACCOUNT, createExecutionController, runName } from '../../src/controllers/execution/index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/controllers/settings.ts';
import { planDigest } from '../../src/controllers/target/index.ts';
import { createCache, createClient, createEventRecorder, httpTransport, loadConfig } from '../../src/kube/index.ts';
import type { HttpTransport, KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/install-kinds.ts';
import { ownerReference } from '../../src/kube/owner-references.ts';
import { readLibrary } from '../../workflows/library.ts';
import { isAccount, ownCopy } from '../../workflows/testing/accounts.ts';
import { createControlLoop, noMetrics, soleTerm } from '../../src/runtime/index.ts';

type Plan = Pick<WorkflowExecution['spec'], 'targetResource' | 'workflowRef' | 'parameters'>;

/** What is to be run, and for how long at most. */
export interface Order {
  readonly name: string;
  readonly targetResource: string;
  readonly workflow: Omit<WorkflowExecution['spec']['workflowRef'], 'workflowId' | 'version'>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** Only what a test that fails should show. */
const LOG: Logger = {
  ...silent,
  warn: (message, fields) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  error: (message, fields) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  with: () => LOG,
};

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
    ward.#run();
    return ward;
  }

  async close(): Promise<void> {
    this.over.abort(new Error('the tests are over'));
    await this.#running.catch(() => undefined);
    // Nobody is left to take the finalizers away.
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
    const plan: Plan = {
      targetResource,
      workflowRef: { workflowId: name, version: '1.0.0', ...workflow },
      ...(parameters && { parameters }),
    };
    await this.#offer(plan);
    const digest = planDigest(plan);
    const { clusterID: _, ...spec } = (RemediationRequest.sample as Draft<RemediationRequest>).spec;
    const { client } = this;
    const { namespace } = this.settings;
    const setStatus = (status: object): Promise<unknown> =>
      client.patchStatus(RemediationRequest, { namespace, name }, { type: 'merge', body: { status } });
    const type = { apiVersion: 'kubernaut.ai/v1alpha1' };
    const request = await client.create(RemediationRequest, { ...type, kind: 'RemediationRequest', metadata: { name, namespace }, spec });
    for (const overallPhase of ['Pending', 'Processing', 'Analyzing']) await setStatus({ overallPhase });
    await setStatus({ overallPhase: 'Executing', planDigest: digest });
    const execution = await client.create(WorkflowExecution, {
      ...type,
      kind: 'WorkflowExecution',
      metadata: {
        name: `we-${name}`,
        namespace,
        ownerReferences: [ownerReference(request, { controller: true, blockOwnerDeletion: true })],
      },
      spec: {
        remediationRequestRef: { name, namespace, uid: request.metadata.uid },
        ...plan,
        planDigest: digest,
        timesOutAt: toTime(after(systemClock.now(), seconds * 1_000)),
      },
    });
    await setStatus({ workflowExecutionRef: { name: `we-${name}`, namespace, uid: execution.metadata.uid } });
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

  /** Reasons of the Events that are told about an execution. */
  async told(execution: WorkflowExecution): Promise<readonly string[]> {
    const about = { namespace: this.settings.namespace, fieldSelector: `involvedObject.uid=${execution.metadata.uid}` };
    return (await this.client.list(Event, about)).items.map(({ reason = '' }) => reason);
  }

  /** Puts the workflow of a plan into the catalogue. */
  async #offer({ workflowRef, parameters = {} }: Plan): Promise<void> {
    const { workflowId, version, executionBundle, executionEngine = 'job' } = workflowRef;
    const key = { name: workflowId, namespace: this.settings.namespace };
    await this.client.create(RemediationWorkflow, {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'RemediationWorkflow',
      metadata: key,
      spec: {
        version,
        actionType: 'Try',
        description: { what: 'tries', whenToUse: 'in tests' },
        labels: { severity: ['*'], component: ['*'], environment: ['*'], priority: '*' },
        execution: { engine: executionEngine, bundle: executionBundle },
        // A workflow has at least one.
        parameters: ['NOTE', ...Object.keys(parameters)].map((name) => ({
          name,
          type: 'string' as const,
          required: false,
          description: 'as told',
        })),
      },
    });
    await this.client.patchStatus(RemediationWorkflow, key, { type: 'merge', body: { status: { workflowId, catalogStatus: 'Active' } } });
  }

  #run(): void {
    const { signal } = this.over;
    const cache = createCache({ client: createClient(this.#transport), clock: steadyClock, random: systemRandom, log: LOG });
    const events = createEventRecorder({ client: cache.client, clock: systemClock, component: 'sickbay', instance: 'ward' });
    const loop = createControlLoop({
      controllers: [createExecutionController(() => this.settings)],
      cache,
      clock: systemClock,
      steady: steadyClock,
      random: systemRandom,
      log: LOG,
      events,
      calls: {},
      metrics: noMetrics,
    });
    this.#running = Promise.all([cache.run(signal), loop.run(soleTerm(signal))]);
  }
}
