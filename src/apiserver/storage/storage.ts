import type { Stored } from '../object.ts';

/** One row that changes: an object put under its key, or removed when `object` is absent. */
export interface Write {
  /** `group/plural`. */
  readonly table: string;
  /** `namespace/name`, or `name` for what has no namespace. */
  readonly key: string;
  /** The resourceVersion that this write takes; ascending, without gaps inside one commit. */
  readonly revision: number;
  readonly object?: Stored;
}

/** What was stored when the server last ended. */
export interface Snapshot {
  /** No smaller one was ever given out. */
  readonly revision: number;
  readonly rows: Iterable<{ readonly table: string; readonly key: string; readonly object: Stored }>;
}

/** Where objects outlive the process. The server keeps everything in memory as well; this is read once, at the start. */
export interface Storage {
  load(): Snapshot;
  /**
   * Makes the writes durable, all or none. A promise resolves when they are; nothing when they already are.
   * Commits are answered in the order in which they were asked for, and a refusal is final: whatever was asked for later is
   * refused as well, since it was judged on top of what is not there.
   */
  commit(writes: readonly Write[]): Promise<void> | undefined;
  /** Ends after what was asked for; a promise resolves when that is done. Safe to call twice. */
  close(): Promise<void> | undefined;
}
