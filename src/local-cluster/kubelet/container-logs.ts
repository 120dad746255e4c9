import type { ContainerLog, LogsOf } from '../../apiserver/index.ts';
import type { Clock } from '../../base/index.ts';
import { LogBuffer } from './log-buffer.ts';

/** How many containers' logs are kept; the oldest go first, whether or not their pods are still there. */
const MOST_LOGS = 200;

/** What the containers of a node wrote: the process runner writes it down, the API server reads it out. */
export class ContainerLogs {
  readonly #clock: Clock;
  readonly #logs = new Map<string, LogBuffer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins the log of a container that is started, in the place of any earlier one. */
  begin(podUid: string, container: string): LogBuffer {
    const key = keyOf(podUid, container);
    const log = new LogBuffer(this.#clock);
    this.#logs.delete(key);
    this.#logs.set(key, log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > MOST_LOGS && oldest !== undefined) this.#logs.delete(oldest);
    return log;
  }

  /** For the API server. */
  readonly find: LogsOf = ({ uid }, container): ContainerLog | undefined => this.#logs.get(keyOf(uid, container));
}

const keyOf = (podUid: string, container: string): string => `${podUid}/${container}`;
