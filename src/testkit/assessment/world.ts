import { ConfigMap, CustomResourceDefinition, Deployment, Namespace, Node, StatefulSet } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { EffectivenessAssessment, RemediationRequest, WorkflowExecution } from '../../api/index.ts';
import type { Draft, KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { deepFreeze, formatDuration, SECOND, toTime } from '../../base/index.ts';
import { childNames } from '../../controllers/child-names.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { SIMULATION_START } from '../../simulation/index.ts';
import { executionEnd } from '../orchestrator/child-results.ts';
import { requestDraft } from '../orchestrator/world.ts';
import { alertName } from './alerts.ts';
import { SHOP, targetOf, type Order, type Workload } from './plot.ts';

/** Seconds instead of minutes: what takes long in the field is seen here in a few steps. */
export const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  stabilizationMs: 20 * SECOND,
  validityMs: 60 * SECOND,
  external: { ...DEFAULT_SETTINGS.external, prometheusLookbackMs: 60 * SECOND, scrapeIntervalMs: 10 * SECOND },
};
const { namespace } = SETTINGS;

const CRDS = [EffectivenessAssessment, RemediationRequest, WorkflowExecution].map((kind) => deepFreeze(crdOf(kind)));

/** The resource of each kind of workload; none for kinds that no client can read. */
export const RESOURCES: Readonly<Partial<Record<Workload['kind'], Resource>>> = { Deployment, StatefulSet, Node };

export const settingsName = (workload: string): string => `${workload}-settings`;

/** Installs the kinds, the namespaces and the workloads. */
export async function install(client: KubeClient, workloads: readonly Workload[]): Promise<void> {
  for (const crd of CRDS) await client.create(CustomResourceDefinition, crd);
  for (const name of [namespace, SHOP]) await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const workload of workloads) {
    await client.create(ConfigMap, settingsDraft(workload.name));
    const resource = RESOURCES[workload.kind];
    if (resource) await client.create(resource, workloadDraft(workload));
  }
}

export const settingsDraft = (workload: string): Draft<ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: settingsName(workload), namespace: SHOP },
  data: { level: 'info' },
});

/** As the workflow left it. */
export function workloadDraft(workload: Workload): Draft {
  const { name } = workload;
  const { kind, apiVersion = '' } = targetOf(workload);
  if (kind === 'Node') return { apiVersion, kind, metadata: { name }, spec: { unschedulable: false } } as Draft;
  const podSpec = {
    containers: [{ name: 'main', image: 'sickbay.test/busybox:1' }],
    volumes: [{ name: 'settings', configMap: { name: settingsName(name) } }],
  };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: SHOP },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: podSpec },
      ...(kind === 'StatefulSet' && { serviceName: name }),
    },
  } as Draft;
}

/** The change that another client makes. */
export const editOf = ({ kind }: Workload): object =>
  kind === 'Node'
    ? { spec: { unschedulable: true } }
    : { spec: { template: { spec: { containers: [{ name: 'main', image: 'sickbay.test/busybox:2' }] } } } };

/** An assessment with the remediation and the execution that it is about, as the orchestrator leaves them behind. */
export interface Ordered {
  readonly request: string;
  readonly workload: Workload;
  readonly order: Order;
  /** The state right after the run, where it is known. */
  readonly applied: string | undefined;
}

export const assessmentName = (request: string): string => childNames(request).assessment;

export async function placeOrder(client: KubeClient, ordered: Ordered): Promise<void> {
  const { request, order, workload } = ordered;
  const key = { namespace, name: request };
  await client.create(RemediationRequest, requestDraft(request, { target: workload.name, system: namespace, now: SIMULATION_START }));
  await client.patchStatus(RemediationRequest, key, { type: 'merge', body: { status: { overallPhase: 'Verifying' } } });
  if (order.ran !== 'well') await failExecution(client, request, order);
  await client.create(EffectivenessAssessment, assessmentDraft(ordered));
}

async function failExecution(client: KubeClient, request: string, { ran }: Order): Promise<void> {
  const name = childNames(request).execution;
  const { spec } = WorkflowExecution.sample as Draft<WorkflowExecution>;
  await client.create(WorkflowExecution, {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'WorkflowExecution',
    metadata: { name, namespace },
    spec,
  });
  const status = executionEnd(ran === 'never' ? 'FailedBefore' : 'FailedDuring', SIMULATION_START);
  await client.patchStatus(WorkflowExecution, { namespace, name }, { type: 'merge', body: { status } });
}

function assessmentDraft({ request, workload, order, applied }: Ordered): Draft<EffectivenessAssessment> {
  return {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'EffectivenessAssessment',
    metadata: { name: assessmentName(request), namespace },
    spec: {
      correlationID: request,
      remediationRequestPhase: order.ran === 'well' ? 'Verifying' : 'Failed',
      signalTarget: targetOf(workload),
      remediationTarget: targetOf(workload, order.isPlaceless),
      config: {
        stabilizationWindow: formatDuration(order.stabilizeMs),
        ...(order.propagateMs > 0 && { hashComputeDelay: formatDuration(order.propagateMs) }),
        ...(order.alertDelayMs > 0 && { alertCheckDelay: formatDuration(order.alertDelayMs) }),
      },
      remediationCreatedAt: toTime(SIMULATION_START),
      executionStartedAt: toTime(SIMULATION_START),
      ...(order.isNamed && { signalName: alertName(workload) }),
      ...(order.isApplied && applied !== undefined && { appliedSpecHash: applied }),
    },
  };
}

/** The signal is reported resolved, as the gateway writes it down. */
export const reportResolved = (client: KubeClient, request: string, at: string): Promise<KubeObject> =>
  client.patchStatus(
    RemediationRequest,
    { namespace, name: request },
    {
      type: 'merge',
      body: {
        status: {
          deduplication: { lastSeenAt: at, occurrenceCount: 1, alerts: [{ name: 'a', instance: '1', lastSeenAt: at, resolvedAt: at }] },
        },
      },
    },
  );
