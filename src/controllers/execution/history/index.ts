/**
 * What earlier executions on a target mean for the next one. Everything follows from the status of executions that are over; nothing is
 * kept anywhere else.
 *
 * - `record.ts`   the target's record: how many failures in a row before anything ran, and who blocks the target. Start there.
 * - `judge.ts`    whether that keeps an execution waiting, or from running at all, and in which words.
 * - `backoff.ts`  how long a target is left alone.
 * - `read.ts`     when the cache's word will do, and when the server is asked.
 */
export * from './backoff.ts';
export * from './judge.ts';
export * from './read.ts';
export * from './record.ts';
