import type { ConfigMap, Deployment, Event, Job, Lease, Pod } from '../../../api/builtin/index.ts';
import { FINALIZERS, LABELS } from '../../../api/well-known.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, instant, MINUTE, toTime, type Instant } from '../../../base/index.ts';
import type { Listed, Read } from '../../../kube/client/read.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { formatClaims, ledgerKey, type Claim, type SeenBudget } from '../../budget/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { planDigest, specHash } from '../../target/index.ts';
import { missingClaimOf, executionWaiter } from '../budget/budget-waiter.ts';
import { runName } from '../names.ts';
import {
  NOT_READ,
  stageOf,
  type DeletedExecution,
  type ObservedExecution,
  type PendingExecution,
  type RunningExecution,
} from '../observed-execution.ts';

export const NOW = instant(1_794_711_600_000);
export const ABSENT = { kind: 'absent' } as const;
export const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
export const TARGET = 'shop/Deployment/checkout';
export const TIMES_OUT_AT = after(NOW, 20 * MINUTE);

export const found = <T>(value: T): Read<T> => ({ kind: 'value', value });
export const listed = <T>(...value: readonly T[]): Listed<T> => ({ kind: 'value', value });

const meta = (name: string, namespace: string, uid: string) => ({
  name,
  namespace,
  uid,
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: toTime(NOW),
});

/** An execution as the orchestrator creates it. */
export function anExecution(
  change: {
    readonly uid?: string;
    readonly name?: string;
    readonly spec?: Partial<WorkflowExecution['spec']>;
    readonly status?: WorkflowExecution['status'];
    readonly metadata?: Partial<WorkflowExecution['metadata']>;
  } = {},
): WorkflowExecution {
  const name = change.name ?? 'we-rr-1';
  const spec: WorkflowExecution['spec'] = {
    remediationRequestRef: { name: 'rr-1', namespace: 'sickbay-system', uid: 'rr-uid' },
    targetResource: TARGET,
    workflowRef: {
      workflowId: 'rollback',
      workflowName: 'rollback-deployment',
      version: '0.1.0',
      executionBundle: 'sickbay/workflows:0.1.0',
      executionEngine: 'job',
      engineConfig: { args: ['rollback-deployment'] },
      serviceAccountName: 'workflow-rollback-deployment',
    },
    parameters: { REVISION: '1' },
    timesOutAt: toTime(TIMES_OUT_AT),
    ...change.spec,
  };
  return {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'WorkflowExecution',
    metadata: {
      ...meta(name, 'sickbay-system', change.uid ?? 'wfe-1'),
      ownerReferences: [{ apiVersion: 'kubernaut.ai/v1alpha1', kind: 'RemediationRequest', name: 'rr-1', uid: 'rr-uid', controller: true }],
      finalizers: [FINALIZERS.workflowExecution],
      ...change.metadata,
    },
    spec: { planDigest: planDigest(spec), ...spec },
    ...(change.status ? { status: change.status } : {}),
  };
}

/** What was agreed to. */
export const DIGEST = planDigest(anExecution().spec);

/** The owner, ready for its execution to start. */
export const aRequest = (status: RemediationRequest['status'] = {}, uid = 'rr-uid'): RemediationRequest =>
  ({
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    metadata: meta('rr-1', 'sickbay-system', uid),
    spec: {},
    status: { overallPhase: 'Executing', workflowExecutionRef: { name: 'we-rr-1', uid: 'wfe-1' }, planDigest: DIGEST, ...status },
  }) as unknown as RemediationRequest;

/** The resource that the plan is for. */
export const aTarget = (replicas = 2, uid = 'checkout-uid'): Deployment =>
  ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: meta('checkout', 'shop', uid), spec: { replicas } }) as unknown as Deployment;

/** The owner of a plan for the target as it was when it was analysed. */
export const withTarget = (): RemediationRequest =>
  aRequest({
    remediationTarget: { kind: 'Deployment', name: 'checkout', namespace: 'shop', uid: 'checkout-uid', specHash: specHash(aTarget()) },
  });

const marks = (execution: string) => ({
  labels: {
    [LABELS.workflowExecution]: 'we-rr-1',
    [LABELS.workflowExecutionUid]: execution,
    [LABELS.sourceNamespace]: 'sickbay-system',
  },
});

const NAME = runName({ targetResource: TARGET });

export const aLock = (holder = 'wfe-1', change: Partial<Lease['metadata']> = {}): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { ...meta(NAME, 'kubernaut-workflows', `lock-of-${holder}`), ...marks(holder), ...change },
  spec: { holderIdentity: holder },
});

export interface JobOptions {
  readonly uid?: string;
  /** UID of the execution; empty for a Job without mark. */
  readonly of?: string;
  readonly held?: boolean;
  readonly ended?: { readonly type: 'Complete' | 'Failed'; readonly reason?: string; readonly message?: string };
  readonly generation?: number;
  readonly ready?: number;
  readonly deleted?: boolean;
}

export function aJob(options: JobOptions = {}): Job {
  const { uid, of, held, ended, ready, deleted } = { uid: 'job-1', of: 'wfe-1', held: false, ready: 0, ...options };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...meta(NAME, 'kubernaut-workflows', uid),
      // Letting a Job go is a change of its spec.
      generation: options.generation ?? (held ? 1 : 2),
      ...(of && marks(of)),
      ...(deleted && { deletionTimestamp: toTime(NOW) }),
    },
    spec: { suspend: held, template: { spec: { containers: [] } } },
    status: {
      ...(ready !== undefined && { ready }),
      conditions: ended ? [{ ...ended, status: 'True', lastTransitionTime: toTime(NOW) }] : [],
    },
  };
}

/** A pod of a run. */
export const aPod = (status: Pod['status'] = {}, { of = 'wfe-1', job = 'job-1' } = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...meta(`${NAME}-abc12`, 'kubernaut-workflows', 'pod-1'),
    ...marks(of),
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: NAME, uid: job, controller: true }],
  },
  spec: { containers: [], nodeName: 'node1' },
  status,
});

/** An Event about the pod of a run. */
export const anEvent = (
  reason: string,
  { message = '', at = NOW, pod = `${NAME}-abc12` }: { readonly message?: string; readonly at?: Instant; readonly pod?: string } = {},
): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { ...meta(`${pod}.1`, 'kubernaut-workflows', `event-${reason}`), creationTimestamp: toTime(at) },
  involvedObject: { kind: 'Pod', namespace: 'kubernaut-workflows', name: pod, uid: 'pod-1' },
  reason,
  message,
  firstTimestamp: toTime(at),
  lastTimestamp: toTime(at),
});

/** A pod whose only container is in this state. */
export const inState = (
  state: NonNullable<NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number]['state']>,
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' = 'Running',
): Pod => aPod({ phase, containerStatuses: [{ name: 'workflow', ready: false, restartCount: 0, state }] });

export const running: WorkflowExecution['status'] = {
  phase: 'Running',
  startTime: toTime(NOW),
  executionRef: { name: NAME, namespace: 'kubernaut-workflows', kind: 'Job', uid: 'job-1', releasedAt: toTime(NOW) },
};

/** The ledger with these claims on it. */
export const aLedger = (...claims: readonly Claim[]): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...meta('', '', 'ledger-uid'), ...ledgerKey('sickbay-system') },
  data: formatClaims(claims),
});

/** The claim of an execution, made just now. */
export const aClaim = (execution: WorkflowExecution = anExecution()): Claim => ({ ...missingClaimOf(execution, NOW), claimedAt: NOW });

/** The budget as one execution sees it, with who has a claim and who waits. */
export function aBudget(
  object: WorkflowExecution,
  { claimed = [], queued = [] }: { readonly claimed?: readonly WorkflowExecution[]; readonly queued?: readonly WorkflowExecution[] } = {},
): SeenBudget {
  const claims = claimed.map(aClaim);
  const waiting = queued.map((one) => executionWaiter(one));
  return { kind: 'value', ledger: aLedger(...claims), question: { claims, over: new Set(), waiting, asking: executionWaiter(object) } };
}

/** As much of a plan as its workflow follows from. */
export type Planned = Pick<WorkflowExecution['spec'], 'workflowRef' | 'parameters'>;

/** The entry of the catalogue that an execution was planned from, whatever it was told. */
export function entryFor({ workflowRef, parameters = {} }: Planned): RemediationWorkflow {
  const { workflowId, workflowName, version, executionBundle, executionBundleDigest, executionEngine = 'job' } = workflowRef;
  // At least one must be declared.
  const declared = ['ANYTHING', ...Object.keys(parameters)].map(
    (name) => ({ name, type: 'string', required: false, description: 'as told' }) as const,
  );
  return {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationWorkflow',
    metadata: meta(workflowName ?? workflowId, 'sickbay-system', `uid-of-${workflowId}`),
    spec: {
      version,
      actionType: 'RollbackDeployment',
      description: { what: 'rolls back', whenToUse: 'pods crash since the last rollout' },
      labels: { severity: ['*'], component: ['*'], environment: ['*'], priority: '*' },
      execution: {
        engine: executionEngine,
        bundle: executionBundle,
        ...(executionBundleDigest !== undefined && { bundleDigest: executionBundleDigest }),
      },
      parameters: declared,
    },
    status: { workflowId, catalogStatus: 'Active' },
  };
}

/** What any stage may read, at once. */
export type Everything = Omit<PendingExecution, 'stage'> & Pick<RunningExecution, 'events'> & Pick<DeletedExecution, 'namespace'>;

/** An observation in which everything was read that any stage may read. */
export type FullObservation = ObservedExecution & Everything;

/** Everything is there to start with: admitted, lock ours, room claimed, no run yet. */
export function seenWith(change: Partial<Everything> = {}): FullObservation {
  const { object = anExecution({ status: { phase: 'Pending' } }) } = change;
  const everything: Everything = {
    object,
    settings: DEFAULT_SETTINGS,
    request: found(aRequest({ planDigest: planDigest(object.spec) })),
    lock: found(aLock()),
    holder: UNREADABLE,
    run: ABSENT,
    budget: aBudget(object, { claimed: [object] }),
    pods: listed(),
    events: listed(),
    history: listed(),
    namespace: found({ apiVersion: 'v1', kind: 'Namespace', metadata: meta('sickbay-system', '', 'namespace-uid') }),
    target: UNREADABLE,
    catalogue: listed(entryFor(object.spec)),
    dependencies: listed(),
    installed: NOT_READ,
    awx: UNREADABLE,
    ...change,
  };
  return { stage: stageOf(object), ...everything } as FullObservation;
}

/** An effect in two words. */
export const effectText = (effect: Effect): string => {
  if ('resource' in effect) return `${effect.kind} ${effect.resource.kind}`;
  return effect.kind === 'Event' ? `Event ${effect.reason}` : effect.kind;
};
