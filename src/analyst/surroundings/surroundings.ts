import type { Event, PersistentVolumeClaim } from '../../api/builtin/index.ts';

/** The last lines that a container wrote. */
export interface LogTail {
  readonly pod: string;
  readonly container: string;
  /** Of the run before the present one. */
  readonly isPrevious: boolean;
  /** Oldest first, shortened, without what looks like a secret. */
  readonly lines: readonly string[];
}

/** A Service that the pods call, by what their environment or command names. */
export interface Dependency {
  readonly service: string;
  /** False when there is no Service of that name. */
  readonly exists: boolean;
  /** Ready pods behind it; undefined where it selects none by itself. */
  readonly readyPods?: number;
}

/** What surrounds a target that is not well. */
export interface Surroundings {
  /** Warnings about the target, what it owns and what its pods use, newest first. */
  readonly events: readonly Event[];
  readonly logs: readonly LogTail[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly dependencies: readonly Dependency[];
  /** What could not be read, a sentence each. Unreadable is not absent. */
  readonly gaps: readonly string[];
}
