import type { Node } from '../../../../api/builtin/index.ts';
import type { Machine } from '../../../../api/machine/machine.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { FINALIZERS } from '../../../../api/well-known.ts';
import { after, toMicroTime } from '../../../../base/index.ts';
import type { Decision, Effect } from '../../../../runtime/reconcile/controller.ts';
import type { PowerState } from '../../../../redfish/index.ts';
import { aClaim, aLedger } from '../../../budget/testing/builders.ts';
import { aMachine, aNode, NOW } from '../../../machine-health/testing/a-machine.ts';
import { DEFAULT_SETTINGS } from '../../../settings.ts';
import { waiterOf } from '../budget/budget-claims.ts';
import type { PowerCommand } from '../host/power-command.ts';
import type { PowerCycleSeen, SeenPower } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';

export { NOW };

/** `agoMicro(5 * MINUTE)`: the moment five minutes before NOW, as requests write it. */
export const agoMicro = (ms: number): string => toMicroTime(after(NOW, -ms));

/** A Machine that says since a while that it fails. */
export const anIllMachine = (metadata: Partial<Machine['metadata']> = {}): Machine =>
  aMachine({
    metadata,
    status: {
      nodeRef: { name: 'worker-0' },
      conditions: [{ type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode', lastTransitionTime: '2026-01-10T11:00:00Z' }],
    },
  });

export interface RequestChange {
  readonly status?: PowerCycleStatus;
  readonly spec?: PowerCycleRemediation['spec'];
  readonly metadata?: Partial<PowerCycleRemediation['metadata']>;
}

/** A request that was made for that Machine, with its finalizer. */
export const aRequest = ({ status, spec = {}, metadata }: RequestChange = {}): PowerCycleRemediation => ({
  apiVersion: 'remediation.sickbay.dev/v1alpha1',
  kind: 'PowerCycleRemediation',
  metadata: {
    name: 'worker-0',
    namespace: 'machine-api',
    uid: 'pcr-0',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: '2026-01-10T11:00:00Z',
    finalizers: [FINALIZERS.machineRemediation],
    ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-0', uid: 'm-0' }],
    ...metadata,
  },
  spec,
  ...(status && { status }),
});

export const said = (state: PowerState): SeenPower => ({ kind: 'state', state });
export const SILENT: SeenPower = { kind: 'fault', fault: 'Unreachable', message: 'asking https://bmc-0: no answer' };

/** The Node of the Machine; it does not report. */
export const aDeadNode = (taints: NonNullable<Node['spec']>['taints'] = []): Node => ({
  ...aNode([{ type: 'Ready', status: 'Unknown' }]),
  spec: { taints },
});

export const OURS = { key: 'node.kubernetes.io/out-of-service', value: 'sickbay-power-cycle', effect: 'NoExecute' };

/** Everything as it is when an attempt may begin, and its claim is on the ledger. */
export function seenWith(change: Partial<PowerCycleSeen> = {}): PowerCycleSeen {
  const { object = aRequest() } = change;
  const node = change.node ?? ({ kind: 'there', node: aDeadNode() } as const);
  const asking = waiterOf(object, node);
  const { createdAt: _, ...asker } = asking;
  const claims = [{ ...asker, claimedAt: after(NOW, -1_000) }];
  return {
    object,
    settings: DEFAULT_SETTINGS,
    machine: { kind: 'ill', machine: anIllMachine() },
    node,
    tainted: object.status?.taintedNode === undefined ? { kind: 'none' } : node,
    power: said('On'),
    pods: { kind: 'unasked' },
    budget: { kind: 'value', ledger: aLedger(claims), question: { claims, over: new Set(), waiting: [], asking } },
    ...change,
  };
}

/** The budget as the request sees it when it has no claim, and others have these. */
export function withoutClaim(object = aRequest(), others: readonly string[] = []): PowerCycleSeen['budget'] {
  const claims = others.map((other) => aClaim(other));
  return {
    kind: 'value',
    ledger: aLedger(claims),
    question: { claims, over: new Set(), waiting: [], asking: waiterOf(object, { kind: 'there', node: aDeadNode() }) },
  };
}

/** What a decision comes to, in words that a table can hold. */
export function gist({ status, effects, wakeAt }: Decision) {
  const next = status as PowerCycleStatus | undefined;
  return {
    phase: next?.phase,
    because: next?.conditions?.find(({ type }) => type === 'Ready')?.reason,
    does: effects.filter(({ kind }) => kind !== 'Event').map(effectText),
    wakesInMs: wakeAt === undefined ? undefined : wakeAt - NOW,
  };
}

export const eventsOf = ({ effects }: Decision): readonly string[] =>
  effects.flatMap((effect) => (effect.kind === 'Event' ? [`${effect.type} ${effect.reason}`] : []));

function effectText(effect: Effect): string {
  switch (effect.kind) {
    case 'Call':
      return (effect.input as PowerCommand).power;
    case 'Patch':
      return `${effect.resource.kind} ${effect.operations.map(({ path }) => path).join(' ')}`;
    case 'PatchStatus':
      return `${effect.resource.kind} status`;
    default:
      return `${effect.kind} ${'resource' in effect ? effect.resource.kind : ''}`;
  }
}

export const FINALIZER = 'PowerCycleRemediation /metadata/finalizers';
export const TAINT = 'Node /spec/taints';
export const LEDGER = 'ConfigMap /data';
