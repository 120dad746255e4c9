import type { Target } from '../../controllers/target/index.ts';

/** Something from a moment on, until the next. */
export interface Turn<T> {
  readonly atMs: number;
  readonly to: T;
}

/** How the two pods of a workload are. */
export type PodState = 'ready' | 'half' | 'unready' | 'looping' | 'restarted' | 'killed' | 'none';

/** `stale` fires about a pod that is no longer there; `suppressed` fires, and is silenced. */
export type AlertState = 'firing' | 'suppressed' | 'stale' | 'silent';

/** What another client does to a workload. `touch` and `replace` do not change its spec; `revert` undoes the earlier change. */
export type Deed = 'edit' | 'settings' | 'dropSettings' | 'remove' | 'replace' | 'replaceEdited' | 'revert' | 'touch';

/** What is measured of a workload. */
export interface Metrics {
  /** How much better it is since the fix, from -1 to 1; `zero` where it is zero before and after. */
  readonly better: number | 'zero';
  /** Nothing is measured between the fix and this moment. */
  readonly fromMs: number;
  /** Whether anything was measured before the fix, or at least before the last assessment was ordered. */
  readonly isOld: boolean;
}

/** One assessment that is ordered. */
export interface Order {
  readonly atMs: number;
  readonly stabilizeMs: number;
  /** How long another controller takes to apply the change; 0 where none is needed. */
  readonly propagateMs: number;
  readonly alertDelayMs: number;
  /** Whether the signal has a name by which its alert is found. */
  readonly isNamed: boolean;
  /** Whether the state right after the run could be read. */
  readonly isApplied: boolean;
  /** How the execution ended: `never` failed before anything ran. */
  readonly ran: 'well' | 'badly' | 'never';
  /** Names no namespace where there has to be one. */
  readonly isPlaceless?: boolean;
}

/** A workload, its course, and its assessments. `Rollout` is a kind that no client can read. */
export interface Workload {
  readonly name: string;
  readonly kind: 'Deployment' | 'StatefulSet' | 'Node' | 'Rollout';
  readonly pods: readonly Turn<PodState>[];
  readonly alert: readonly Turn<AlertState>[];
  readonly metrics: Metrics;
  readonly deeds: readonly Turn<Deed>[];
  readonly orders: readonly Order[];
}

/** A bad time of one of the servers. */
export interface Storm {
  readonly fromMs: number;
  readonly toMs: number;
  readonly brings: Mischief;
}

/** `slow` answers rightly, in the end; `silent` never. */
export type Mischief = 'down' | 'slow' | 'silent' | 'garbage' | 'page' | 'other' | 'moved' | 'anything';

/** A monitoring server, or `off` where none is configured. */
export type ServerPlot = 'off' | readonly Storm[];

/** All that happens in one run but for faults. */
export interface Plot {
  readonly workloads: readonly Workload[];
  readonly alertmanager: ServerPlot;
  readonly prometheus: ServerPlot;
}

export const SHOP = 'shop';
/** All assessments are ordered by then. */
export const LAST_ORDER_MS = 20_000;

/** Nothing comes from outside after that. */
export const endOfPlot = ({ workloads }: Plot): number =>
  Math.max(0, ...workloads.flatMap(({ pods, alert, deeds, orders }) => [...pods, ...alert, ...deeds, ...orders].map(({ atMs }) => atMs)));

/** The name of the remediation that an assessment is about. */
export const requestName = ({ name }: Workload, index: number): string => `${name}-${index + 1}`;

const API_VERSIONS = { Deployment: 'apps/v1', StatefulSet: 'apps/v1', Node: 'v1', Rollout: 'argoproj.io/v1alpha1' } as const;

export const targetOf = ({ kind, name }: Workload, isPlaceless = false): Target => ({
  kind,
  name,
  apiVersion: API_VERSIONS[kind],
  ...(kind !== 'Node' && !isPlaceless && { namespace: SHOP }),
});

export const hasPods = ({ kind }: Workload): boolean => kind === 'Deployment' || kind === 'StatefulSet';

/** A Node's health is its conditions. */
export const hasHealth = (workload: Workload): boolean => hasPods(workload) || workload.kind === 'Node';
