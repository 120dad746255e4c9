import type { Target } from '../../src/analyst/index.ts';
import type { Recording, Snapshot } from './recording.ts';

/** An alert as Alertmanager sends it, of which the gateway has found the target. */
export interface Alert {
  readonly name: string;
  readonly severity?: 'critical' | 'high' | 'warning';
  /** What it says: nothing of it may choose an action. */
  readonly says?: Readonly<Record<string, string>>;
  readonly target: Target | ((seen: Snapshot) => Target);
}

/** A change of a target, proposed to be run. */
export interface Plan {
  readonly kind: 'Plan';
  /** A pattern where the library may name it in several ways. */
  readonly action: string | RegExp;
  /** Those that matter; others may be set too. */
  readonly parameters: Readonly<Record<string, string | RegExp>>;
  /** What is changed: `Kind/name`. The target of the alert when absent. */
  readonly on?: string;
}

/** A person is asked. */
export interface HandOver {
  readonly kind: 'HandOver';
  /** Each is in what the person is told, or the cause was not found. */
  readonly says: readonly RegExp[];
}

/** The fault is gone, or never was one. */
export interface NothingToDo {
  readonly kind: 'NothingToDo';
}

export type Answer = Plan | HandOver | NothingToDo;

export const plan = (action: string | RegExp, parameters: Plan['parameters'] = {}, on?: string): Plan => ({
  kind: 'Plan',
  action,
  parameters,
  ...(on !== undefined && { on }),
});
export const handOver = (...says: readonly RegExp[]): HandOver => ({ kind: 'HandOver', says });
export const NOTHING_TO_DO: NothingToDo = { kind: 'NothingToDo' };

/** What is expected of the analysis of an alert: what a good SRE would say of it. */
export interface Expectation {
  readonly alert: Alert;
  /** Any of them is right. */
  readonly expected: readonly Answer[];
  /** What misleads; a hand-over is never wrong then. */
  readonly misleading?: string;
  /** In seconds after the fault: the alert comes once at each of these moments, and the last answer counts. None may be wrong. */
  readonly alertsAt?: readonly number[];
}

/** A state of a cluster, an alert, and what should come of it. */
export interface CorpusCase extends Expectation {
  readonly name: string;
  /** How it got into the corpus. */
  readonly origin: 'recorded' | 'changed' | 'written';
  readonly recording: Recording;
}
