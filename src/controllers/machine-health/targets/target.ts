import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Instant } from '../../../base/index.ts';

/** A Machine that a check evaluates, with its Node and cluster. */
export interface HealthTarget {
  readonly machine: Machine;
  readonly node: TargetNode;
  readonly cluster: TargetCluster;
}

/** The Node that a Machine names. A failed read is not an absence. */
export type TargetNode =
  /** The Machine has no nodeRef yet. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'missing'; readonly name: string }
  | { readonly kind: 'there'; readonly node: Node }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The cluster of a Machine, and since when it is up, as far as known. */
export type TargetCluster =
  /** The cluster that Sickbay runs in; it is up. */
  | { readonly kind: 'local' }
  | {
      readonly kind: 'other';
      readonly name: string;
      /** Undefined until it is so. */
      readonly controlPlaneSince: Instant | undefined;
      readonly infrastructureSince: Instant | undefined;
      /** Its `spec.paused` is true: nothing in it may be changed. */
      readonly isPaused?: boolean;
    }
  | UnknownCluster;

/** A Cluster that is named and whose state is not known: its Machines are not marked, and no remediation is requested for them. */
export interface UnknownCluster {
  readonly kind: 'unknown';
  readonly reason: 'ClusterUnreadable' | 'ClusterNotFound' | 'ClusterDeleting';
  readonly why: string;
}
