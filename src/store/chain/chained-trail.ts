import type { Checkpoint } from './checkpoint.ts';
import type { ChainEnd } from './trail-row.ts';
import type { Verification } from './verify-trail.ts';

/** A trail whose events are chained, so that it can prove itself. */
export interface ChainedTrail {
  /** The last event; what a checkpoint is made of. */
  end(): Promise<ChainEnd>;
  /** Reads the whole trail. Rejects where it cannot be read, or when the signal aborts, which proves nothing. */
  verify(checkpoints: readonly Checkpoint[], signal?: AbortSignal): Promise<Verification>;
}
