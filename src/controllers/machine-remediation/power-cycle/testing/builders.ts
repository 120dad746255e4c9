import type { Node } from '../../../../api/builtin/index.ts';
import type { Machine } from '../../../../api/machine/machine.ts';
import type { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { FINALIZERS } from '../../../../api/well-known.ts';
import { after, toMicroTime } from '../../../../base/index.ts';
import type { Decision, Effect } from '../../../../runtime/reconcile/controller.ts';
import type { PowerState } from '../../../../redfish/index.ts';
import { aClaim, aLedger } from '../../../budget/testing/builders.ts';
import { aMachine, aNode, NOW } from '../../../machine-health/testing/a-machine.ts';
import { DEFAULT_SETTINGS } from '../../../default-settings.ts';
import type { Settings } from '../../../settings.ts';
import { powerCycleWaiter } from '../budget/budget-claims.ts';
import type { PowerCommand } from '../host/power-command.ts';
import type { PowerCycleSeen, ObservedPower } from '../observed.ts';
import type { PowerCycleStatus } from '../status.ts';

export { NOW };

/** `agoMicro(5 * MINUTE)`: five minutes before NOW, in the format of status. */
/** Hosts may have any address. */
export const SETTINGS: Settings = { ...DEFAULT_SETTINGS, powerCycle: { bmcAddresses: '*' } };

export const agoMicro = (ms: number): string => toMicroTime(after(NOW, -ms));

/** A Machine that has failed its health check for a while. */
export const anUnhealthyMachine = (metadata: Partial<Machine['metadata']> = {}): Machine =>
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

/** A request for that Machine, with its finalizer. */
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

export const powerIs = (state: PowerState): ObservedPower => ({ kind: 'state', state });
export const NO_ANSWER: ObservedPower = { kind: 'fault', fault: 'Unreachable', message: 'asking https://bmc-0: no answer' };

/** The Node of the Machine; it does not report. */
export const aSilentNode = (taints: NonNullable<Node['spec']>['taints'] = []): Node => ({
  ...aNode([{ type: 'Ready', status: 'Unknown' }]),
  spec: { taints },
});

export const OURS = { key: 'node.kubernetes.io/out-of-service', value: 'sickbay-power-cycle', effect: 'NoExecute' };

/** Everything as it is when an attempt may start and its claim is on the ledger. */
export function seenWith(change: Partial<PowerCycleSeen> = {}): PowerCycleSeen {
  const { object = aRequest() } = change;
  const node = change.node ?? ({ kind: 'value', value: aSilentNode() } as const);
  const asking = powerCycleWaiter(object, node);
  const { createdAt: _, ...asker } = asking;
  const claims = [{ ...asker, claimedAt: after(NOW, -1_000) }];
  return {
    object,
    settings: SETTINGS,
    machine: { kind: 'eligible', machine: anUnhealthyMachine() },
    node,
    tainted: object.status?.taintedNode === undefined ? { kind: 'absent' } : node,
    power: powerIs('On'),
    pods: { kind: 'not-read' },
    budget: { kind: 'value', ledger: aLedger(claims), question: { claims, over: new Set(), waiting: [], asking } },
    ...change,
  };
}

/** The budget of a request without a claim, where others have these. */
export function withoutClaim(object = aRequest(), others: readonly string[] = []): PowerCycleSeen['budget'] {
  const claims = others.map((other) => aClaim(other));
  return {
    kind: 'value',
    ledger: aLedger(claims),
    question: { claims, over: new Set(), waiting: [], asking: powerCycleWaiter(object, { kind: 'value', value: aSilentNode() }) },
  };
}

/** A decision, shortened for tables. */
export function summary({ status, effects, wakeAt }: Decision) {
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
