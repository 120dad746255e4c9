import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Instant } from '../../../base/index.ts';

/** One Machine as a check sees it, with what belongs to it. */
export interface HealthTarget {
  readonly machine: Machine;
  readonly node: TargetNode;
  readonly cluster: TargetCluster;
}

/** What was found of the Node that a Machine names. Not to be able to look is not an absence. */
export type TargetNode =
  /** The Machine names none yet. */
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'missing'; readonly name: string }
  | { readonly kind: 'there'; readonly node: Node }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Since when the cluster of a Machine is up, as far as that is known. */
export type TargetCluster =
  /** Where we run ourselves: it is up. */
  | { readonly kind: 'local' }
  | {
      readonly kind: 'other';
      readonly name: string;
      /** Undefined as long as it is not so. */
      readonly controlPlaneSince: Instant | undefined;
      readonly infrastructureSince: Instant | undefined;
      /** Somebody wants everything of it left as it is. */
      readonly isPaused?: boolean;
    }
  | { readonly kind: 'unreadable'; readonly why: string };
