import { activeOf } from '../api/remediation-request/fingerprint-state.ts';
import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';

/** Requests that may still be active, by fingerprint: a repeat of their signal needs no list. What it says may be old: only a guarded write proves it. */
export interface ActiveRequests {
  of(fingerprint: string): RemediationRequest | undefined;
  /** A newer version than is known otherwise, as a write has returned it. */
  remember(fingerprint: string, request: RemediationRequest): void;
}

/** Where requests are looked up without asking the server. */
export type Cached = (fingerprint: string) => readonly RemediationRequest[];

/** For one webhook: what its own alerts have written comes before what is cached. */
export function activeRequests(cached: Cached = () => []): ActiveRequests {
  const written = new Map<string, RemediationRequest>();
  return {
    of: (fingerprint) => activeOf([written.get(fingerprint) ?? cached(fingerprint)].flat()),
    remember: (fingerprint, request) => void written.set(fingerprint, request),
  };
}
