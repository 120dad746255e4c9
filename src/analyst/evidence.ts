import type { Deployment, Job, Node, Pod, ReplicaSet } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import type { Surroundings } from './surroundings/surroundings.ts';

/** The resource that a signal is about. */
export interface Target {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly apiVersion?: string;
}

/** One rollout of a Deployment: its ReplicaSet and the pods that it has now, without those that are going away. */
export interface Revision {
  readonly number: number;
  readonly replicaSet: ReplicaSet;
  readonly pods: readonly Pod[];
}

/** A Deployment with everything that it made. */
export interface DeploymentEvidence {
  readonly kind: 'Deployment';
  readonly target: Target;
  readonly deployment: Deployment;
  /** Newest first. */
  readonly revisions: readonly Revision[];
  /** Read only where not all pods of the newest revision are ready. */
  readonly around?: Surroundings;
}

/** An object of any other kind that is known, with the pods that belong to it. */
export interface ObjectEvidence {
  readonly kind: 'Object';
  readonly target: Target;
  readonly object: KubeObject;
  /** The newest Jobs of a CronJob, newest first. */
  readonly jobs: readonly Job[];
  /** Those that it owns or selects; of a CronJob those of its newest Job. */
  readonly pods: readonly Pod[];
  readonly around: Surroundings;
}

/** A Node with the pods on it. */
export interface NodeEvidence {
  readonly kind: 'Node';
  readonly target: Target;
  readonly node: Node;
  /** Those that a drain would ask to leave, and that were not asked yet. */
  readonly movable: readonly Pod[];
  /** All other Nodes; read only where pods would have to move. */
  readonly others?: readonly Node[];
  /** What the health check of its Machine says is wrong with it and the Node does not show; only where that check asked. */
  readonly reported?: string;
  /** The health check of its Machine waited for its timeout before it asked. */
  readonly hasLasted?: boolean;
}

/** What the server showed of the target, at one moment. */
export type Evidence =
  | DeploymentEvidence
  | NodeEvidence
  | ObjectEvidence
  /** The server says that it does not exist. */
  | { readonly kind: 'Absent'; readonly target: Target }
  /** Whether and how it exists is not known: to be asked again. */
  | { readonly kind: 'Unreadable'; readonly target: Target; readonly reason: string }
  /** A kind that no rule knows. */
  | { readonly kind: 'Unsupported'; readonly target: Target };

/** The object that a plan would be for; undefined where none was seen. */
export function objectSeen(evidence: Evidence): KubeObject | undefined {
  if (evidence.kind === 'Node') return evidence.node;
  return evidence.kind === 'Deployment' ? evidence.deployment : undefined;
}

/** @example targetName({ kind: 'Deployment', name: 'checkout', namespace: 'shop' }) === 'Deployment shop/checkout' */
export const targetName = ({ kind, name, namespace }: Target): string => `${kind} ${namespace ? `${namespace}/` : ''}${name}`;

/** What people type to see it. */
export const describeCommand = ({ kind, name, namespace }: Target): string =>
  `kubectl describe ${namespace ? `-n ${namespace} ` : ''}${kind.toLowerCase()} ${name}`;
