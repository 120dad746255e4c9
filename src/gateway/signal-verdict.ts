import type { Deduplication } from './occurrences.ts';

/** The decision on a signal. Every signal gets exactly one; after `put-off` the source has to send the signal again. */
export type SignalVerdict =
  | { readonly verdict: 'created'; readonly fingerprint: string; readonly request: RequestName }
  | {
      readonly verdict: 'duplicate';
      readonly fingerprint: string;
      readonly request: RequestName;
      readonly seen: Deduplication;
      /** Set where the request has ended because a person refused it: who, and until when the same is not proposed again. */
      readonly refused?: { readonly by: string; readonly until: string };
    }
  | {
      readonly verdict: 'suppressed';
      readonly fingerprint: string;
      readonly request: RequestName;
      readonly seen: Deduplication;
      /** When signals are accepted again. */
      readonly until: string;
      /** Set where only the signals that were judged are suppressed: the outcome, e.g. NoActionRequired. */
      readonly judged?: string;
    }
  | { readonly verdict: 'out-of-scope'; readonly resource: string; readonly message: string }
  /** The alert is about a short-lived resource that no longer exists: there is nothing left to remediate. */
  | { readonly verdict: 'outdated'; readonly resource: string }
  | { readonly verdict: 'resolved'; readonly fingerprint: string; readonly request: RequestName | undefined }
  | Rejected
  | PutOff;

/** The RemediationRequest that a verdict is about. */
export interface RequestName {
  readonly namespace: string;
  readonly name: string;
}

/** The signal opens nothing, and sending it again would change nothing. */
export interface Rejected {
  readonly verdict: 'rejected';
  /** `malformed`: it is no alert; `no target`: it names no object; `refused`: the API server does not accept the request. */
  readonly because: 'malformed' | 'no target' | 'refused';
  /** Name of the signal, where it has one. */
  readonly signal?: string;
  readonly message: string;
}

/** Nothing was opened, for a temporary reason. */
export interface PutOff {
  readonly verdict: 'put-off';
  readonly because: 'unavailable' | 'too-many-open' | 'unforeseen';
  readonly message: string;
}

export const malformedAlert = (message: string, signal = ''): Rejected => rejected('malformed', message, signal);

/** Alertmanager would repeat for ever what is answered with an error: an alert that names nothing is received, and ends here. */
export const noTarget = (message: string, signal = ''): Rejected => rejected('no target', message, signal);

export const refused = (message: string, signal: string): Rejected => rejected('refused', message, signal);

const rejected = (because: Rejected['because'], message: string, signal: string): Rejected => ({
  verdict: 'rejected',
  because,
  ...(signal !== '' && { signal }),
  message: `rejected: ${because}: ${message}`,
});

export const unavailable = (message: string): PutOff => ({ verdict: 'put-off', because: 'unavailable', message });
