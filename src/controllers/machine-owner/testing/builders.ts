import type { ConfigMap, Node, NodeCondition, Pod } from '../../../api/builtin/index.ts';
import type { MachineSet } from '../../../api/machine-set/machine-set.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { ObjectMeta } from '../../../api/meta.ts';
import { ANNOTATIONS, FINALIZERS, LABELS } from '../../../api/well-known.ts';
import { after, MINUTE, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import type { Claim } from '../../budget/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { BudgetSeen } from '../replacement-budget.ts';
import { nodePool } from '../machine-lifecycle/node-pool.ts';
import type { LifecycleSeen } from '../machine-lifecycle/observe-machine.ts';
import type { MachineToReplace, SetSeen } from '../machine-set/observe-set.ts';
import type { Provider } from '../machine-lifecycle/provider.ts';

export const NOW: Instant = parseTime('2026-01-10T12:00:00Z')!;

/** The moment so long before NOW, as objects write it. */
export const ago = (ms: number): string => toTime(after(NOW, -ms));

const meta = (name: string, change: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name,
  uid: `uid-${name}`,
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: ago(60 * MINUTE),
  ...change,
});

/** As a condition of the new style is written; the reason and message where a test is about them. */
export const stated = (type: string, status: 'True' | 'False', reason = 'Reason', message = '') => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: ago(MINUTE),
});

export const ASKED = [
  stated('HealthCheckSucceeded', 'False', 'UnhealthyNode'),
  stated('OwnerRemediated', 'False', 'WaitingForRemediation'),
];

export const aMachine = (
  name: string,
  { status, ...change }: Partial<ObjectMeta> & { readonly status?: Machine['status'] } = {},
): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: meta(name, {
    namespace: 'shop',
    labels: { role: 'worker', [LABELS.machinePool]: 'workers' },
    finalizers: [FINALIZERS.machineLifecycle],
    ...change,
  }),
  spec: {},
  ...(status && { status }),
});

export const aNode = (name: string, { ready = 'True', cordoned = false, claim, ...change }: NodeSketch = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: meta(name, {
    labels: { [LABELS.machinePool]: 'workers', [LABELS.machinePoolNamespace]: 'shop' },
    ...(claim !== undefined && { annotations: { [ANNOTATIONS.nodeClaim]: claim } }),
    ...change,
  }),
  spec: cordoned ? { unschedulable: true } : {},
  ...(ready !== 'never' && { status: { conditions: [{ type: 'Ready', status: ready }] } }),
});

interface NodeSketch extends Partial<ObjectMeta> {
  readonly ready?: NodeCondition['status'] | 'never';
  readonly cordoned?: boolean;
  readonly claim?: string;
}

export const aPod = (
  name: string,
  { phase, ...change }: Partial<ObjectMeta> & { readonly phase?: 'Running' | 'Succeeded' | 'Failed' } = {},
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: meta(name, { namespace: 'shop', ...change }),
  spec: { containers: [] },
  status: { phase: phase ?? 'Running' },
});

const LEDGER: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('sickbay-budget', { namespace: 'sickbay-system' }) };

/** The budget with these claims, of which some are over. */
export const aBudget = (claims: readonly Claim[] = [], over: readonly string[] = []): BudgetSeen => ({
  kind: 'claims',
  claims,
  object: LEDGER,
  over: new Set(over),
});

export const claimOf = ({ metadata }: Machine, change: Partial<Claim> = {}): Claim => ({
  uid: metadata.uid,
  kind: 'Machine',
  key: `shop/${metadata.name}`,
  target: `Machine shop/${metadata.name}`,
  namespace: 'shop',
  claimedAt: after(NOW, -MINUTE),
  ...change,
});

export const aMachineToReplace = (machine: Machine, change: Partial<MachineToReplace> = {}): MachineToReplace => ({
  machine,
  cluster: { kind: 'local' },
  node: undefined,
  ...change,
});

export const aSet = (spec: Partial<MachineSet['spec']> = {}, change: Partial<MachineSet> = {}): MachineSet => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineSet',
  metadata: meta('workers', { namespace: 'shop' }),
  spec: {
    replicas: 1,
    selector: { matchLabels: { role: 'worker' } },
    template: { metadata: { labels: { role: 'worker', [LABELS.machinePool]: 'workers' } }, spec: {} },
    ...spec,
  },
  ...change,
});

export const aSetSeen = (change: Partial<SetSeen> = {}): SetSeen => ({
  object: aSet(),
  read: { kind: 'valid', replicas: 1, selects: [], maxInFlight: undefined },
  pausedBy: [],
  machines: [],
  toReplace: [],
  names: new Set(),
  settings: DEFAULT_SETTINGS,
  ...change,
});

type Leaving = Extract<LifecycleSeen, { kind: 'leaving' }>;
type Staying = Extract<LifecycleSeen, { kind: 'staying' }>;

const COMMON = { settings: DEFAULT_SETTINGS, provider: nodePool as Provider };

export const aLeaving = (change: Partial<Leaving> = {}): Leaving => ({
  ...COMMON,
  kind: 'leaving',
  object: aMachine('workers-1', { deletionTimestamp: ago(MINUTE) }),
  cluster: { kind: 'local' },
  node: { kind: 'absent' },
  pods: { kind: 'value', value: [] },
  instance: { kind: 'absent' },
  ledger: { kind: 'absent' },
  ...change,
});

export const aStaying = (change: Partial<Staying> = {}): Staying => ({
  ...COMMON,
  kind: 'staying',
  object: aMachine('workers-1'),
  node: undefined,
  free: { kind: 'value', value: [] },
  ...change,
});

/** An effect in a few words: `Delete Machine workers-1`, `PatchStatus Machine workers-1 MachineDeleting`. */
export function effectText(effect: Effect): string {
  switch (effect.kind) {
    case 'Create':
      return `Create ${effect.resource.kind} ${effect.object.metadata.name ?? ''}`;
    case 'Patch':
      return `Patch ${effect.resource.kind} ${effect.key.name} ${effect.operations.map(({ path }) => path).join(' ')}`;
    case 'PatchStatus':
      return `PatchStatus ${effect.resource.kind} ${effect.key.name} ${ownerWord(effect.status)}`;
    case 'Delete':
      return `Delete ${effect.resource.kind} ${effect.key.name}`;
    case 'Event':
      return `Event ${effect.reason}`;
    case 'Call':
      return `Call ${effect.run} ${effect.key}`;
  }
}

/** The condition OwnerRemediated of a status. */
const ownerWord = (status: unknown): string =>
  (status as Machine['status'])?.conditions?.find(({ type }) => type === 'OwnerRemediated')?.reason ?? 'nothing';
