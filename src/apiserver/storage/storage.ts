import type { Stored } from '../object.ts';

/** A write of one row: the object under its key, or its removal when `object` is absent. */
export interface StorageWrite {
  /** `group/plural`. */
  readonly table: string;
  /** `namespace/name`, or `name` for what has no namespace. */
  readonly key: string;
  /** The resourceVersion that this write takes; ascending, without gaps inside one commit. */
  readonly revision: number;
  readonly object?: Stored;
}

/** The state that the server starts with. */
export interface Snapshot {
  /** The highest revision that was used. */
  readonly revision: number;
  readonly rows: Iterable<{ readonly table: string; readonly key: string; readonly object: Stored }>;
}

/** Durable storage of objects. The server keeps everything in memory as well; the storage is read once, at the start. */
export interface Storage {
  load(): Snapshot;
  /**
   * Makes the writes durable, all or none. Returns a promise that resolves when they are; undefined when they already are.
   * Commits are answered in the order of their calls, and a failure is final: every later commit is
   * refused as well, since it depends on data that was not stored.
   */
  commit(writes: readonly StorageWrite[]): Promise<void> | undefined;
  /** Ends after the pending commits; a promise resolves when that is done. Safe to call twice. */
  close(): Promise<void> | undefined;
}
