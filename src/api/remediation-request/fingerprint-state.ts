import type { RemediationRequest } from './remediation-request.ts';
import { remediationPhases } from './phases.ts';
import { isTerminal } from '../phases.ts';
import { isActive } from './is-active.ts';
import { toTime, type Instant } from '../../base/index.ts';
import { FIRST, requestName } from './request-name.ts';
import { refusalOf } from './refusal.ts';
import { isSuppressed, longestSuppression, type ArrivingSignal, type TargetState } from './suppression.ts';

/** The state of a fingerprint for its next signal, from its earlier requests. */
export type FingerprintState =
  | { readonly kind: 'active'; readonly request: RemediationRequest }
  | {
      readonly kind: 'suppressing';
      readonly request: RemediationRequest;
      readonly until: string;
      /** The person who rejected or cancelled it, where that is what suppresses the signal. */
      readonly refusedBy?: string;
    }
  | { readonly kind: 'free'; readonly name: string };

/** The current time, how long an ineffective chain blocks its signal, and which signal it is about which state of the target, where there is one. */
export interface Moment {
  readonly now: Instant;
  readonly chainIntervalMs: number;
  readonly signal?: ArrivingSignal;
  readonly target?: TargetState | undefined;
}

/** Only an active request, or a completed one with a time to wait for, blocks the next; neither blocks it without end. */
export function fingerprintStateOf(
  fingerprint: string,
  requests: readonly RemediationRequest[],
  { now, chainIntervalMs, signal, target }: Moment,
): FingerprintState {
  const active = activeOf(requests.filter((request) => isActive(request, now, chainIntervalMs)));
  if (active) return { kind: 'active', request: active };
  const refusal = signal && refusalOf(requests, signal.name, now);
  if (refusal) return { kind: 'suppressing', request: refusal.request, until: toTime(refusal.until), refusedBy: refusal.by };
  const suppression = longestSuppression(requests, signal && { signals: [signal], target });
  if (isSuppressed(suppression, now)) return { kind: 'suppressing', request: suppression.request, until: toTime(suppression.until) };
  return { kind: 'free', name: requestName(fingerprint, newestUid(fingerprint, requests)) };
}

/** The active request; the oldest, should there be several, so that all callers get the same one. */
export const activeOf = (requests: readonly RemediationRequest[]): RemediationRequest | undefined =>
  requests.filter(({ status }) => !isTerminal(remediationPhases, status?.overallPhase)).toSorted(byAge)[0];

const byAge = (a: RemediationRequest, b: RemediationRequest): number => compare(ageOf(a), ageOf(b));

const ageOf = ({ metadata }: RemediationRequest): string => `${metadata.creationTimestamp} ${metadata.uid}`;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Of those created in the same second it is the one that no other follows: a name that is taken already opens nothing. */
function newestUid(fingerprint: string, requests: readonly RemediationRequest[]): string {
  const [youngest, ...rest] = requests.toSorted(byAge).toReversed();
  if (!youngest) return FIRST;
  const taken = new Set(requests.map(({ metadata }) => metadata.name));
  const peers = [youngest, ...rest].filter(({ metadata }) => metadata.creationTimestamp === youngest.metadata.creationTimestamp);
  const last = peers.find(({ metadata }) => !taken.has(requestName(fingerprint, metadata.uid)));
  return (last ?? youngest).metadata.uid;
}
