import type { Instant } from '../../../base/index.ts';
import { afterFailure, allowAttempt, CLOSED, type BreakerState } from './circuit-breaker.ts';

/** Failures in a row after which a channel counts as broken: one is a hiccup. */
const MOST_FAILURES = 2;

/** A channel that is not tried for a while. */
export interface Rest {
  readonly until: Instant;
  readonly error: string;
}

/** How the channels of this process do: a breaker for each, and what people are told of those that fail. */
export class ChannelHealth {
  readonly #states = new Map<string, BreakerState>();

  /** Whether an attempt may be made now; one that may counts as begun. */
  allow(channel: string, now: Instant): boolean {
    const state = allowAttempt(this.#states.get(channel) ?? CLOSED, now);
    if (state) this.#states.set(channel, state);
    return state !== undefined;
  }

  succeeded(channel: string): void {
    this.#states.delete(channel);
  }

  failed(channel: string, now: Instant, error: string): void {
    this.#states.set(channel, afterFailure(this.#states.get(channel) ?? CLOSED, now, error));
  }

  /** Until when the channel rests, and why; undefined where it does not. */
  restOf(channel: string, now: Instant): Rest | undefined {
    const { openUntil, error = '' } = this.#states.get(channel) ?? CLOSED;
    return openUntil !== undefined && openUntil > now ? { until: openUntil, error } : undefined;
  }

  /** What is wrong with the channels of the settings; undefined while nothing is known to be. */
  problem(channels: readonly string[]): string | undefined {
    const broken = channels.flatMap((channel) => {
      const { failures = 0, error = '' } = this.#states.get(channel) ?? {};
      return failures < MOST_FAILURES ? [] : [`nothing arrives at ${channel} (${failures} failures in a row): ${error}`];
    });
    return broken.length === 0 ? undefined : broken.join('; ');
  }
}
