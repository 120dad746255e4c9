import type { Clock, Logger } from '../../../base/index.ts';
import type { KubeClient } from '../../../kube/client/client.ts';
import type { Turns } from './turns.ts';

/** What messages are sent with. */
export interface SendDeps {
  /** Reads Secrets. */
  readonly client: KubeClient;
  readonly log: Logger;
  readonly clock: Clock;
  /** A monotonic clock, for time limits. */
  readonly steady: Clock;
  /** How long one attempt may take, with all that belongs to it. */
  readonly timeoutMs: number;
  /** Aborts when this process may no longer send. */
  readonly signal: AbortSignal;
  /** One access at a time to each file and folder: a volume that hangs occupies one thread, not all of them. */
  readonly turns: Turns;
}

/** One attempt within its limit of time. */
export interface AttemptDeps extends SendDeps {
  /** Called when the message goes out to a host: what fails from then on may have arrived. */
  readonly begun: (host: string) => void;
}
