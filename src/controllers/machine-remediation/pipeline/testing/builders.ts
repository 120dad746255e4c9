import type { Node, NodeCondition } from '../../../../api/builtin/index.ts';
import type { Machine } from '../../../../api/machine/machine.ts';
import type { ObjectMeta } from '../../../../api/meta.ts';
import { PipelineRemediation } from '../../../../api/pipeline-remediation/pipeline-remediation.ts';
import { RemediationRequest } from '../../../../api/remediation-request/remediation-request.ts';
import { MACHINE_HEALTH } from '../../../../api/remediation-request/signal-source.ts';
import { apiVersionOf } from '../../../../api/resource.ts';
import { ANNOTATIONS, FINALIZERS, LABELS } from '../../../../api/well-known.ts';
import { after, parseTime, toTime, type Instant } from '../../../../base/index.ts';
import type { Decision } from '../../../../runtime/reconcile/controller.ts';
import { childNames } from '../../../child-names.ts';
import { DEFAULT_SETTINGS } from '../../../default-settings.ts';
import type { PipelineSeen } from '../observe.ts';
import type { PipelineStatus } from '../status.ts';

export const NOW: Instant = parseTime('2026-01-10T12:00:00Z')!;
export const at = (ms: number): string => toTime(after(NOW, ms));
export const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
export const ABSENT = { kind: 'absent' } as const;
export const valueOf = <T>(value: T) => ({ kind: 'value', value }) as const;

const metadata = (name: string, more: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name,
  uid: `uid-${name}`,
  resourceVersion: '7',
  creationTimestamp: at(-3_600_000),
  ...more,
});

/** One that may start: it has its finalizer, and a status. */
export const aRequest = (
  status: PipelineStatus = { phase: 'Pending' },
  { metadata: more = {}, spec = {} }: { metadata?: Partial<ObjectMeta>; spec?: PipelineRemediation['spec'] } = {},
): PipelineRemediation => ({
  apiVersion: apiVersionOf(PipelineRemediation),
  kind: PipelineRemediation.kind,
  metadata: metadata('worker-1', {
    namespace: 'machines',
    generation: 1,
    finalizers: [FINALIZERS.machineRemediation],
    ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-1', uid: 'uid-machine' }],
    ...more,
  }),
  spec,
  status,
});

/** As it was created, before its controller saw it. */
export const unseen = (request: PipelineRemediation): PipelineRemediation => {
  const { status: _, ...object } = request;
  return object;
};

export const aMachine = (
  healthy: 'True' | 'False' | 'Unknown',
  more: Partial<ObjectMeta> = {},
  status: Machine['status'] = {},
): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: metadata('worker-1', { namespace: 'machines', ...more, uid: more.uid ?? 'uid-machine' }),
  spec: {},
  status: {
    nodeRef: { name: 'node-1' },
    conditions: [
      { type: 'HealthCheckSucceeded', status: healthy, reason: 'R', message: 'it is unhealthy', lastTransitionTime: at(-60_000) },
    ],
    ...status,
  },
});

export const READY: NodeCondition = { type: 'Ready', status: 'True' };
const SILENT: NodeCondition = { type: 'Ready', status: 'Unknown' };

export const aNode = (condition: NodeCondition = SILENT, more: { metadata?: Partial<ObjectMeta>; spec?: Node['spec'] } = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: metadata('node-1', { labels: { [LABELS.managed]: 'true' }, ...more.metadata }),
  ...(more.spec && { spec: more.spec }),
  status: { conditions: [condition] },
});

/** A Node that the workflow of a request closed. */
export const closedBy = (request: string, condition: NodeCondition = SILENT, workflow = 'drain-node'): Node => {
  const record = {
    workflow,
    execution: childNames(request).execution,
    did: 'cordoned',
    undo: { workflow: 'uncordon-node', parameters: {} },
  };
  return aNode(condition, {
    metadata: { annotations: { [ANNOTATIONS.undo]: JSON.stringify(record) } },
    spec: { unschedulable: true },
  });
};

type RequestStatus = NonNullable<RemediationRequest['status']>;

/** A RemediationRequest that was opened for the Machine. */
export const opened = (
  name: string,
  status: RequestStatus = {},
  more: { metadata?: Partial<ObjectMeta>; spec?: Partial<RemediationRequest['spec']> } = {},
): RemediationRequest => ({
  ...RemediationRequest.sample,
  apiVersion: apiVersionOf(RemediationRequest),
  kind: RemediationRequest.kind,
  metadata: metadata(name, { namespace: DEFAULT_SETTINGS.namespace, ...more.metadata }),
  spec: {
    ...RemediationRequest.sample.spec,
    signalName: 'MachineUnhealthy',
    signalSource: MACHINE_HEALTH,
    providerData: JSON.stringify({ pipelineRemediation: { uid: 'uid-worker-1' } }),
    ...more.spec,
  },
  status,
});

/** The same, by the gateway. */
export const byAlert = (name: string, status: RequestStatus = {}): RemediationRequest =>
  opened(name, status, { spec: { signalName: 'NodeDown', signalSource: 'prometheus', providerData: '{}' } });

/** One that was opened for the Machine just now, and has no status yet. */
export const fresh = (name: string): RemediationRequest => {
  const { status: _, ...request } = opened(name, {}, { metadata: { creationTimestamp: at(0) } });
  return request;
};

export const refTo = (name: string, uid?: string) => ({
  apiVersion: apiVersionOf(RemediationRequest),
  kind: RemediationRequest.kind,
  namespace: DEFAULT_SETTINGS.namespace,
  name,
  ...(uid !== undefined && { uid }),
});

/** An unhealthy Machine whose Node may be remediated, and no remediation has started. */
export const aSight = (change: Partial<PipelineSeen> = {}): PipelineSeen => ({
  object: aRequest(),
  settings: DEFAULT_SETTINGS,
  account: 'system:serviceaccount:sickbay-system:sickbay',
  machine: valueOf(aMachine('False')),
  node: valueOf(aNode()),
  requests: valueOf([]),
  ...change,
});

/** What a decision comes to, in words: what is done, after what is said. */
export function inWords({ status, effects }: Decision): string {
  const { phase = 'none', conditions = [] } = (status ?? {}) as PipelineStatus;
  const done = effects.flatMap((effect) => {
    if (effect.kind === 'Event') return effect.type === 'Warning' ? [`warns of ${effect.reason}`] : [];
    if (effect.kind === 'Create') return [`opens ${String((effect.object as RemediationRequest).spec.signalName)}`];
    if (effect.kind !== 'Patch') return [effect.kind];
    const [operation] = effect.operations;
    if (operation?.path !== '/metadata/finalizers') return ['cancels'];
    return [(operation as { value: readonly string[] }).value.includes(FINALIZERS.machineRemediation) ? 'keeps it' : 'lets it go'];
  });
  return [`${phase} ${conditions[0]?.reason ?? ''}`.trim(), ...done].join(', ');
}
