import type { Outcome } from '../reconcile/reconcile-once.ts';
import type { QueueHooks } from '../queue/work-queue.ts';

/** What the control loop and the leader election report about themselves. `createMetrics` gives it to Prometheus. */
export interface LoopMetrics {
  passed(controller: string, outcome: Outcome, seconds: number): void;
  queueHooks(controller: string): QueueHooks;
  /** The queue's depth is read when metrics are scraped. */
  followQueue(controller: string, depth: () => number): void;
  leading(lease: string, isLeading: boolean): void;
}

/** Reports nothing. */
export const noMetrics: LoopMetrics = { passed() {}, queueHooks: () => ({}), followQueue() {}, leading() {} };
