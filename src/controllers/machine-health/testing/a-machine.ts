import type { Node, NodeCondition } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { NormalisedHealthCheck } from '../../../api/machine-health-check/normalise.ts';
import { NO_SAFEGUARDS } from '../../../api/machine-health-check/safeguards.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { NOT_READ } from '../../../kube/client/read.ts';
import { after, MINUTE, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { TargetCluster, TargetNode, HealthTarget } from '../targets/target.ts';

/** The reads of a target, none of which was made. */
export const UNREAD = { request: NOT_READ, liveMachine: NOT_READ };

export const NOW: Instant = parseTime('2026-01-10T12:00:00Z')!;

/** `ago(5 * MINUTE)`: the moment five minutes before NOW, as objects write it. */
export const ago = (ms: number): string => toTime(after(NOW, -ms));

export const aMachine = (
  change: Partial<Omit<Machine, 'metadata'>> & { readonly metadata?: Partial<Machine['metadata']> } = {},
): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  spec: {},
  status: { nodeRef: { name: 'worker-0' } },
  ...change,
  metadata: {
    name: 'worker-0',
    namespace: 'machine-api',
    uid: 'm-0',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: ago(60 * MINUTE),
    labels: { role: 'worker' },
    ...change.metadata,
  },
});

export const aNode = (conditions: readonly NodeCondition[] = []): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-0', uid: 'n-0', resourceVersion: '1', creationTimestamp: ago(60 * MINUTE) },
  status: { conditions },
});

/** A Ready condition in that state for so long. */
export const ready = (status: NodeCondition['status'], forMs: number): NodeCondition => ({
  type: 'Ready',
  status,
  reason: 'KubeletSaysSo',
  lastTransitionTime: ago(forMs),
});

const LOCAL: TargetCluster = { kind: 'local' };

export const aTarget = (change: Partial<HealthTarget> = {}): HealthTarget => ({
  machine: aMachine(),
  node: there(ready('True', 30 * MINUTE)),
  cluster: LOCAL,
  ...change,
});

export const there = (...conditions: readonly NodeCondition[]): TargetNode => ({ kind: 'there', node: aNode(conditions) });

/** The first example of the proposal: Ready=Unknown or Ready=False for 5 minutes, 40 percent. */
export const aCheck = (change: Partial<NormalisedHealthCheck> = {}): NormalisedHealthCheck => ({
  writtenAs: 'v1beta2',
  clusterName: undefined,
  selector: { matchLabels: { role: 'worker' } },
  nodeConditions: [
    { type: 'Ready', status: 'Unknown', timeoutMs: 5 * MINUTE },
    { type: 'Ready', status: 'False', timeoutMs: 5 * MINUTE },
  ],
  machineConditions: [],
  nodeStartupTimeoutMs: 10 * MINUTE,
  missingNodeGraceMs: 0,
  gate: { kind: 'atMost', limit: { unit: 'percent', percent: 40 } },
  template: undefined,
  safeguards: NO_SAFEGUARDS,
  ...change,
});

export const aHealthCheck = (spec: object = {}): MachineHealthCheck =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: MachineHealthCheck.kind,
    metadata: {
      name: 'example',
      namespace: 'machine-api',
      uid: 'c-0',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: ago(60 * MINUTE),
    },
    spec: { selector: { matchLabels: { role: 'worker' } }, ...spec },
  }) as MachineHealthCheck;
