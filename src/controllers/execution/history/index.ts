/**
 * What earlier executions on a target mean for the next one. Everything follows from the status of executions that are over. Only where such
 * an execution goes without anybody having decided about its failure, the target's lock keeps what it says.
 *
 * - `record.ts`   the target's record: how many failures in a row before anything ran, and who blocks the target. Start there.
 * - `judge.ts`    whether that keeps an execution waiting, or from running at all, and in which words.
 * - `backoff.ts`  how long a target is left alone.
 * - `legacy.ts`   what an execution that is deleted leaves to its target; `kept-block.ts` how the lock keeps it.
 * - `block-on.ts`  what keeps workflows off a target, for who asks about it from outside.
 * - `read.ts`     when the cache's word will do, and when the server is asked.
 */
export * from './backoff.ts';
export * from '../target-block/find-block.ts';
export * from './judge-history.ts';
export * from '../target-block/stored-block.ts';
export * from '../target-block/block-after-deletion.ts';
export * from './read-history.ts';
export * from './target-record.ts';
