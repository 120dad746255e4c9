/** The problem before the first list. */
export const NOT_LISTED = 'its Nodes have not been listed yet';
/** A single lost connection is not reported. */
const FAILURES_TO_REPORT = 2;

/**
 * Whether what is known of a cluster's Nodes is current. It is while the watch runs and the server answers when asked;
 * the moment either fails it is not. Listeners are notified a little later, and of the recovery if a read was refused in between.
 */
export class ConnectionState {
  readonly #tell: (news: 'seen' | 'unseen') => void;
  #watch: string | undefined = NOT_LISTED;
  #probe: string | undefined;
  #failures = 0;
  /** A read failed or a change was missed, so that listeners must be notified after the recovery. */
  #owed = true;

  constructor(tell: (news: 'seen' | 'unseen') => void) {
    this.#tell = tell;
  }

  /** Undefined while the connection works. */
  get problem(): string | undefined {
    return this.#watch ?? this.#probe;
  }

  watching(): void {
    this.#watch = undefined;
    this.#settle();
  }

  watchFailed(why: string): void {
    this.#watch = why;
    this.#fail();
  }

  answered(): void {
    this.#probe = undefined;
    this.#settle();
  }

  /** Probes are rare, so that a single failure is reported. */
  silent(why: string): void {
    this.#probe = why;
    this.#failures = Math.max(this.#failures, FAILURES_TO_REPORT - 1);
    this.#fail();
  }

  /** Requires a notification after the recovery. */
  requireNotification(): void {
    this.#owed = true;
  }

  #fail(): void {
    this.#failures++;
    if (this.#failures !== FAILURES_TO_REPORT) return;
    this.#owed = true;
    this.#tell('unseen');
  }

  #settle(): void {
    if (this.problem !== undefined) return;
    this.#failures = 0;
    if (!this.#owed) return;
    this.#owed = false;
    this.#tell('seen');
  }
}
