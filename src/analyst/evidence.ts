import type { Deployment, Node, Pod, ReplicaSet } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';

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
}

/** A Node with the pods on it. */
export interface NodeEvidence {
  readonly kind: 'Node';
  readonly target: Target;
  readonly node: Node;
  /** Those that a drain would ask to leave, and that were not asked yet. */
  readonly movable: readonly Pod[];
  /** What the health check of its Machine says is wrong with it and the Node does not show; only where that check asked. */
  readonly reported?: string;
}

/** What the server showed of the target, at one moment. */
export type Evidence =
  | DeploymentEvidence
  | NodeEvidence
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
