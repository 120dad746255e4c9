import type { AwxSend } from './client/awx-request.ts';
import type { AwxFailure } from './observed-awx.ts';

/** Where a playbook finds the cluster. */
export interface ClusterAddress {
  readonly host: string;
  readonly ca: string;
}

/** All of the world that this engine needs besides the cluster. */
export interface AwxConnection {
  readonly send: AwxSend;
  /** Undefined where the cluster has no address that AWX could reach; jobs are launched without a token then. */
  readonly cluster?: ClusterAddress;
  readonly notes: AwxFailures;
}

/** Executions that troubles are remembered of. */
const MOST_NOTES = 1_000;

/** What a note is about: the launch, whose answer counts until the end, or whatever was tried last besides. */
export type Noted = 'launch' | 'rest';

/**
 * What went wrong with the last calls for an execution, by UID. Calls have no other way to say it. It is told to people and never decided on
 * alone, so that it may be lost with the process.
 */
export class AwxFailures {
  readonly #notes = new Map<string, AwxFailure>();

  of(uid: string, about: Noted): AwxFailure | undefined {
    return this.#notes.get(`${uid} ${about}`);
  }

  set(uid: string, about: Noted, trouble: AwxFailure | undefined): void {
    const key = `${uid} ${about}`;
    this.#notes.delete(key);
    if (!trouble) return;
    this.#notes.set(key, trouble);
    const [oldest] = this.#notes.keys();
    if (this.#notes.size > MOST_NOTES && oldest !== undefined) this.#notes.delete(oldest);
  }
}
