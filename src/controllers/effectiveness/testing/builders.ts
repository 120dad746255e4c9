import type { ContainerStatus, Deployment, Node, NodeCondition, Pod } from '../../../api/builtin/index.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { FiringAlert } from '../../../monitoring/index.ts';
import type { Measured } from '../scorers/metrics.ts';
import { after, instant, toTime, type Instant } from '../../../base/index.ts';

/** One story: Deployment shop/checkout was rolled back just now. */
const NOW = instant(1_794_711_600_000);
export const at = (ms: number): Instant => after(NOW, ms);
export const time = (ms: number): string => toTime(at(ms));
export const ABSENT = { kind: 'absent' } as const;
export const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;

/** Neither Alertmanager nor Prometheus is configured, and the request did not fail. */
export const NOT_ASKED = { alerts: { kind: 'off' }, metrics: { kind: 'off' }, execution: { kind: 'not-read' } } as const;

/** An execution that failed before anything ran. */
export const NEVER_RAN: Read<WorkflowExecution> = {
  kind: 'value',
  value: { status: { failureDetails: { wasExecutionFailure: false } } } as unknown as WorkflowExecution,
};

const metadata = (name: string, namespace = 'shop') => ({
  name,
  namespace,
  uid: `${name}-uid`,
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: time(0),
});

export const anAssessment = (
  status?: EffectivenessAssessment['status'],
  spec: Partial<EffectivenessAssessment['spec']> = {},
): EffectivenessAssessment => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'EffectivenessAssessment',
  metadata: metadata('ea-rr', 'sickbay-system'),
  spec: {
    correlationID: 'rr',
    remediationRequestPhase: 'Verifying',
    signalTarget: { kind: 'Pod', name: 'checkout-1', namespace: 'shop' },
    remediationTarget: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' },
    config: { stabilizationWindow: '5m' },
    remediationCreatedAt: time(-60_000),
    signalName: 'KubePodCrashLooping',
    ...spec,
  },
  ...(status && { status }),
});

export const aDeployment = (replicas: number | undefined = 2): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata('checkout'),
  spec: {
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: { app: 'checkout' } },
    template: { spec: { containers: [] } },
  },
});

/** A condition that has held since so many milliseconds after the story began. */
export const nodeCondition = (type: string, status: NodeCondition['status'], sinceMs: number): NodeCondition => ({
  type,
  status,
  lastTransitionTime: time(sinceMs),
});

export const aNode = (conditions: readonly NodeCondition[], more: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { ...metadata('worker-1'), namespace: '' },
  status: { conditions },
  ...more,
});

export interface PodOptions {
  readonly ready?: boolean;
  readonly phase?: NonNullable<Pod['status']>['phase'];
  readonly deleted?: boolean;
  readonly container?: Partial<ContainerStatus>;
  readonly init?: Partial<ContainerStatus>;
}

/** A pod that is ready, unless told otherwise. */
export const aPod = (name: string, { ready = true, phase = 'Running', deleted = false, container, init }: PodOptions = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata(name), ...(deleted && { deletionTimestamp: time(0) }) },
  spec: { containers: [] },
  status: {
    phase,
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    containerStatuses: [{ name: 'main', ready, restartCount: 0, ...container }],
    ...(init && { initContainerStatuses: [{ name: 'init', ready: true, restartCount: 0, ...init }] }),
  },
});

export const ALERT = 'KubePodCrashLooping';

/** One alert about each pod that is named; one about none where none is. */
export const firing = (...pods: readonly string[]): { readonly kind: 'value'; readonly value: readonly FiringAlert[] } => ({
  kind: 'value',
  value: (pods.length === 0 ? [undefined] : pods).map((pod) => ({
    labels: { alertname: ALERT, namespace: 'shop', ...(pod !== undefined && { pod }) },
    state: 'active',
  })),
});

/** Nothing fires any more. */
export const SILENT = { kind: 'value', value: [] } as const;

/** CPU, long before and just now. */
export const measured = (
  pre: number,
  post: number,
  postMs = 30 * 60_000,
): { readonly kind: 'value'; readonly value: readonly Measured[] } => ({
  kind: 'value',
  value: [
    {
      metric: { name: 'CPU', query: 'cpu', isBetter: 'lower' },
      samples: [
        { at: at(-60_000), value: pre },
        { at: at(postMs), value: post },
      ],
    },
  ],
});
