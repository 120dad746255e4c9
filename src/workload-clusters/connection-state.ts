/** Before the first list there is nothing to read. */
export const NOT_LISTED = 'its Nodes have not been listed yet';
/** A connection that is lost now and then is nothing to tell of. */
const FAILURES_WORTH_TELLING = 2;

/**
 * Whether what is known of a cluster's Nodes may be taken for the present. It may while the watch runs and the server answers when asked;
 * the moment either fails it may not. Listeners hear of it a little later, and of the end as soon as anybody took it for the past.
 */
export class Standing {
  readonly #tell: (news: 'seen' | 'unseen') => void;
  #watch: string | undefined = NOT_LISTED;
  #probe: string | undefined;
  #failures = 0;
  /** Somebody was turned away, or was not told of a change. */
  #owed = true;

  constructor(tell: (news: 'seen' | 'unseen') => void) {
    this.#tell = tell;
  }

  /** Undefined while all is well. */
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

  /** A probe is asked seldom: one that fails is worth telling. */
  silent(why: string): void {
    this.#probe = why;
    this.#failures = Math.max(this.#failures, FAILURES_WORTH_TELLING - 1);
    this.#fail();
  }

  /** Somebody will have to be told when it can be seen again. */
  owe(): void {
    this.#owed = true;
  }

  #fail(): void {
    this.#failures++;
    if (this.#failures !== FAILURES_WORTH_TELLING) return;
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
