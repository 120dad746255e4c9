import { after, backoffDelay, messageOf, SECOND, type Backoff, type Clock, type Logger } from '../../../base/index.ts';
import type { AuditEvent, AuditLog } from '../../../store/audit-log.ts';

export interface AuditOutboxOptions {
  readonly audit: AuditLog;
  /** A monotonic clock, for delays. */
  readonly steady: Clock;
  readonly log: Logger;
  /** So many events are held; 20,000 when absent. */
  readonly most?: number;
}

interface Waiting {
  readonly owner: string;
  readonly event: AuditEvent;
}

const MOST = 20_000;
const BATCH = 500;
const BACKOFF: Backoff = { baseMs: SECOND, maxMs: 30 * SECOND };

/** Holds events until the store has acknowledged them. Events of one batch become durable together. */
export class AuditOutbox {
  readonly #options: Required<AuditOutboxOptions>;
  readonly #waiting = new Map<string, Waiting>();
  /** How many events of an object wait. */
  readonly #owners = new Map<string, number>();
  #problem: string | undefined;
  #wake: (() => void) | undefined;

  constructor(options: AuditOutboxOptions) {
    this.#options = { most: MOST, ...options };
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** What keeps the store from being written, while that lasts. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Takes the events of an object; false, and none is taken, when there is no room for them. */
  add(owner: string, events: readonly AuditEvent[]): boolean {
    const added = events.filter(({ id }) => !this.#waiting.has(id));
    if (added.length > 0 && this.#waiting.size + added.length > this.#options.most) return false;
    for (const event of added) this.#waiting.set(event.id, { owner, event });
    if (added.length > 0) this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + added.length);
    this.#wake?.();
    return true;
  }

  /** Whether everything that was taken of an object is durable. */
  isClear(owner: string): boolean {
    return !this.#owners.has(owner);
  }

  /** Appends what comes until the signal aborts, and then tries once to append the rest. `onRoom` is called after every success. */
  async run(signal: AbortSignal, onRoom: () => void): Promise<void> {
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
    // Even where nothing has happened yet, a store that cannot be written should show.
    let succeeded = await this.#append();
    for (let failures = 0; !signal.aborted; succeeded = await this.#append()) {
      failures = succeeded ? 0 : failures + 1;
      if (succeeded) onRoom();
      await this.#untilDue(failures, signal);
    }
    while (succeeded && this.#waiting.size > 0) succeeded = await this.#append();
  }

  async #untilDue(failures: number, signal: AbortSignal): Promise<void> {
    if (failures === 0) return this.#waiting.size > 0 ? undefined : this.#somethingToDo(signal);
    const { steady } = this.#options;
    // The end of the wait is the end of the run: there is one more attempt.
    await steady.waitUntil(after(steady.now(), backoffDelay(BACKOFF, failures)), signal).catch(() => undefined);
  }

  async #somethingToDo(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = undefined;
  }

  async #append(): Promise<boolean> {
    const batch = firstOf(this.#waiting.values(), BATCH);
    try {
      await this.#options.audit.append(batch.map(({ event }) => event));
    } catch (error) {
      this.#failed(messageOf(error));
      return false;
    }
    for (const { owner, event } of batch) this.#acknowledged(owner, event.id);
    if (this.#problem !== undefined) this.#options.log.info('the audit trail is written again', { pending: this.#waiting.size });
    this.#problem = undefined;
    return true;
  }

  #acknowledged(owner: string, id: string): void {
    this.#waiting.delete(id);
    const left = (this.#owners.get(owner) ?? 1) - 1;
    if (left === 0) this.#owners.delete(owner);
    else this.#owners.set(owner, left);
  }

  /** Logged once, not with every attempt. */
  #failed(problem: string): void {
    if (problem !== this.#problem)
      this.#options.log.error('the audit trail cannot be written; remediation continues, and events are kept in memory', {
        error: problem,
        pending: this.#waiting.size,
      });
    this.#problem = problem;
  }
}

function firstOf<T>(values: Iterable<T>, count: number): readonly T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length === count) break;
    first.push(value);
  }
  return first;
}
