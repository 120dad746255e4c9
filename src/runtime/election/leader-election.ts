import { keyText, type ObjectKey } from '../../api/meta.ts';
import { after, instant, messageOf, PlatformError, SECOND, type Clock, type Instant, type Logger, type Random } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { LeaseHolder, type Attempt } from './lease-holder.ts';
import { noMetrics, type LoopMetrics } from '../loop/loop-metrics.ts';
import type { Term, WorkEnd } from './term.ts';

export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** A steady clock; `clock` when absent. */
  readonly steady?: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: LoopMetrics;
  readonly lease: ObjectKey;
  /** Must differ between any two processes, and between two lives of one. */
  readonly identity: string;
  readonly timing?: LeaseTiming;
}

/** `renewWithinMs` is less than `leaseMs`: the replica that loses the lease knows it before another one can have it. */
export interface LeaseTiming {
  readonly leaseMs: number;
  readonly renewWithinMs: number;
  readonly retryMs: number;
}

/** As client-go has it. */
export const LEASE_TIMING: LeaseTiming = { leaseMs: 15 * SECOND, renewWithinMs: 10 * SECOND, retryMs: 2 * SECOND };

/** Candidates that found the lease taken come back at different times. */
const RETRY_JITTER = 1.2;

/** How a term ended: we gave the lease back, it was no longer ours, or we let it run out because work is stuck. */
export type TermEnd = 'released' | 'lost' | 'withheld';

/**
 * One leader among several processes, by a coordination.k8s.io Lease.
 *
 *   candidate ──lease free or run out──▶ leading ──stop──▶ work drains, still renewing ──▶ lease given back
 *                                           └──not renewed in time, or taken──▶ lost: not one more write
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #steady: Clock;
  readonly #timing: LeaseTiming;
  readonly #holder: LeaseHolder;
  readonly #log: Logger;
  /** When the last renewal that succeeded was sent, by both clocks. */
  #renewed: { readonly steady: Instant; readonly wall: Instant } | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#steady = options.steady ?? options.clock;
    this.#timing = options.timing ?? LEASE_TIMING;
    this.#holder = new LeaseHolder({ ...options, steady: this.#steady, durationMs: this.#timing.leaseMs });
    this.#log = options.log.with({ lease: keyText(options.lease), identity: options.identity });
  }

  /** True while no other replica can hold the lease. A steady clock stands still while a machine sleeps, so both clocks are asked. */
  isLeading(): boolean {
    if (this.#renewed === undefined) return false;
    const { clock } = this.#options;
    const elapsed = Math.max(this.#steady.now() - this.#renewed.steady, clock.now() - this.#renewed.wall);
    return elapsed < this.#timing.renewWithinMs;
  }

  /** Who leads, as far as we have seen. */
  get leader(): string {
    return this.#holder.holder;
  }

  /**
   * Waits for the lease, works through one term, and gives it back. Resolves after `work`, whatever became of the lease.
   * While work is stuck, this process may still act: the lease then expires instead of being released.
   */
  async lead(work: (term: Term) => Promise<WorkEnd | void>, stop: AbortSignal): Promise<TermEnd> {
    if (!(await this.#acquire(stop))) return 'released';
    this.#report(true);
    const lost = new AbortController();
    const workEnded = new AbortController();
    const renewing = this.#renew(workEnded.signal, lost);
    let end: WorkEnd | void = 'ended';
    try {
      end = await work({ stop, lost: lost.signal, mayAct: () => !lost.signal.aborted && this.isLeading() });
    } finally {
      workEnded.abort();
      await renewing;
      this.#renewed = undefined;
      this.#report(false);
      if (!lost.signal.aborted && end !== 'stuck') await this.#release();
    }
    if (end === 'stuck') this.#log.error('lease not given back: work is stuck; it runs out by itself');
    return lost.signal.aborted ? 'lost' : end === 'stuck' ? 'withheld' : 'released';
  }

  async #acquire(stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      const begun = this.#steady.now();
      if ((await this.#try()) === 'ours') return true;
      const jitter = 1 + RETRY_JITTER * this.#options.random.next();
      await this.#sleepUntil(after(begun, this.#timing.retryMs * jitter), stop);
    }
    return false;
  }

  /** Renews until `ended`, or until the lease is lost. */
  async #renew(ended: AbortSignal, lost: AbortController): Promise<void> {
    for (let begun = this.#steady.now(); ;) {
      await this.#sleepUntil(after(begun, this.#timing.retryMs), ended);
      if (ended.aborted) return;
      begun = this.#steady.now();
      const attempt = await this.#try();
      if (attempt === 'ours' || (attempt !== 'theirs' && this.#steady.now() < this.#deadline())) continue;
      this.#renewed = undefined;
      this.#report(false);
      this.#log.error('lease lost', { leader: this.leader });
      return lost.abort(new PlatformError('Conflict', 'the lease is lost'));
    }
  }

  /** By when the next attempt must have succeeded. */
  #deadline(): Instant {
    return after(this.#renewed?.steady ?? this.#steady.now(), this.#timing.renewWithinMs);
  }

  /** One attempt takes at most half the time there is: a connection that went dead leaves time for another. */
  async #try(): Promise<Attempt | 'unanswered'> {
    const halfTime = after(this.#steady.now(), this.#timing.renewWithinMs / 2);
    const deadline = instant(Math.min(this.#deadline(), halfTime));
    const sent = { steady: this.#steady.now(), wall: this.#options.clock.now() };
    try {
      const attempt = await this.#before(deadline, (signal) => this.#holder.takeOrRenew(signal));
      if (attempt === 'ours') this.#renewed = sent;
      return attempt;
    } catch (error) {
      this.#log.warn('lease neither renewed nor refused', { error: messageOf(error) });
      return 'unanswered';
    }
  }

  /** Ends a call at the deadline, whether or not the other side heeds the signal: a later answer is of no use. */
  async #before<T>(deadline: Instant, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const overdue = new AbortController();
    const answered = new AbortController();
    const timer = this.#steady.waitUntil(deadline, answered.signal).then(
      () => overdue.abort(new PlatformError('Unavailable', 'no answer in time')),
      () => undefined,
    );
    try {
      return await Promise.race([call(overdue.signal), rejection(overdue.signal)]);
    } finally {
      answered.abort();
      await timer;
    }
  }

  async #release(): Promise<void> {
    try {
      await this.#before(this.#deadline(), (signal) => this.#holder.release(signal));
      this.#log.info('lease given back');
    } catch (error) {
      this.#log.warn('lease not given back; it runs out by itself', { error: messageOf(error) });
    }
  }

  #report(leading: boolean): void {
    (this.#options.metrics ?? noMetrics).leading(keyText(this.#options.lease), leading);
    if (leading) this.#log.info('leading');
  }

  async #sleepUntil(at: Instant, signal: AbortSignal): Promise<void> {
    await this.#steady.waitUntil(at, signal).catch(() => undefined);
  }
}

/** Rejects when the signal aborts. */
const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
