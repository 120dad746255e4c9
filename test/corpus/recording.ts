import type { KubeObject } from '../../src/api/meta.ts';
import type { JsonObject } from '../../src/base/index.ts';

/** An object as the server showed it. */
export type Seen = KubeObject & JsonObject;

/** What a container had written. */
export interface PodLog {
  readonly pod: string;
  readonly container: string;
  /** Of the run before the present one. */
  readonly previous?: boolean;
  readonly text: string;
}

/** What a cluster showed at one moment: Events are objects like any other. */
export interface Snapshot {
  /** Seconds after the fault; below 0 while all was well. */
  readonly at: number;
  readonly objects: readonly Seen[];
  readonly logs: readonly PodLog[];
  /** Plurals of the kinds that may not be read; `log` are the logs. */
  readonly refused?: readonly string[];
}

/** What a cluster showed before and after a fault, at several moments. */
export interface Recording {
  /** When the fault came. */
  readonly brokenAt: string;
  /** In order of time. */
  readonly snapshots: readonly Snapshot[];
}

/** What is seen at a moment: the last snapshot until then, or the first of all. */
export function snapshotAt({ snapshots }: Recording, seconds: number): Snapshot {
  const seen = snapshots.findLast(({ at }) => at <= seconds) ?? snapshots[0];
  return seen ?? { at: 0, objects: [], logs: [] };
}
