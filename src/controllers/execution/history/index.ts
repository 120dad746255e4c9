/**
 * What earlier executions on a target mean for the next one. Everything follows from the status of finished executions. Where a failed
 * execution is deleted and no operator decided about its failure, the target's lock stores the block (`../target-block`).
 *
 * - `target-record.ts`  the target's record: failures in a row before anything ran, and the execution that blocks the target. Start there.
 * - `judge-history.ts`  whether that delays an execution or skips it, and the message.
 * - `backoff.ts`        how long the target is left alone after such a failure.
 * - `read-history.ts`   when the cache is enough, and when the API server is asked.
 * - `../target-block/`  `stored-block.ts` how the lock stores a block, `block-after-deletion.ts` what a deleted execution leaves to its
 *                       target, `find-block.ts` the block of a target for other controllers.
 */
export * from './backoff.ts';
export * from '../target-block/find-block.ts';
export * from './judge-history.ts';
export * from '../target-block/stored-block.ts';
export * from '../target-block/block-after-deletion.ts';
export * from './read-history.ts';
export * from './target-record.ts';
