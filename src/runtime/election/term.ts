/** A time during which this process may act, from being given leave to giving it back or losing it. */
export interface Term {
  /** Aborts when work should come to a good end: passes under way finish, no new ones begin. */
  readonly stop: AbortSignal;
  /** Aborts when somebody else may be acting already: not one more write. */
  readonly lost: AbortSignal;
  /** Asked before every write. A process that stood still learns here that its time is over before any timer could tell it. */
  mayAct(): boolean;
}

/** How the work of a term ended: nothing is under way any more, or something is that heeds no signal and may still act. */
export type WorkEnd = 'ended' | 'stuck';

/** The term of a process that shares its work with nobody: it ends when `stop` aborts. */
export const soleTerm = (stop: AbortSignal): Term => ({ stop, lost: new AbortController().signal, mayAct: () => true });
