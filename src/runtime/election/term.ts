/** The time during which this process may act, from acquiring the lease to releasing or losing it. */
export interface Term {
  /** Aborts when work should end in order: running passes finish, no new ones start. */
  readonly stop: AbortSignal;
  /** Aborts when another replica may already be acting: no further write is allowed. */
  readonly lost: AbortSignal;
  /** Asked before every write. A process that stood still learns here that its time is over before any timer could tell it. */
  mayAct(): boolean;
}

/** How the work of a term ended: nothing is under way any more, or something is that heeds no signal and may still act. */
export type WorkEnd = 'ended' | 'stuck';

/** The term of a process without other replicas: it ends when `stop` aborts. */
export const soleTerm = (stop: AbortSignal): Term => ({ stop, lost: new AbortController().signal, mayAct: () => true });
