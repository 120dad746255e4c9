import type { Instant } from '../../base/index.ts';
import type { Signal } from '../signal.ts';
import type { Rejected } from '../signal-verdict.ts';

/** What a body of a source holds: each alert is a signal, or is rejected because the alert itself is invalid. */
export type Batch =
  | { readonly kind: 'alerts'; readonly alerts: readonly (Signal | Rejected)[]; readonly truncated: number }
  | { readonly kind: 'malformed'; readonly reason: string };

/** A source of signals: where its bodies are received, and how they are read. */
export interface SignalAdapter {
  /** `spec.signalSource` of what it opens. */
  readonly source: string;
  readonly path: string;
  /** Reads a parsed body; never throws. Unknown members are ignored. */
  read(body: unknown, now: Instant): Batch;
}

export const malformed = (reason: string): Batch => ({ kind: 'malformed', reason });
