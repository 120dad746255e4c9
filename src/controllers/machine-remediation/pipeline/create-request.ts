import type { ObjectReference } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import type { Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { draftRequest, type Purpose } from './draft-request.ts';
import type { Cleared } from './eligibility.ts';
import type { PipelineSeen } from './observe.ts';

/** A request that may not be there yet, as it goes on record. */
export const namedRequest = (name: string, { settings }: PipelineSeen) => ({
  apiVersion: apiVersionOf(RemediationRequest),
  kind: RemediationRequest.kind,
  namespace: settings.namespace,
  name,
});

/** The request that a reference means, and none that took its name since; without a UID it was not seen before. */
export const referred = (requests: readonly RemediationRequest[], { name, uid }: ObjectReference): RemediationRequest | undefined =>
  requests.find(({ metadata }) => metadata.name === name && (uid === undefined || metadata.uid === uid));

interface Order {
  readonly name: string;
  readonly purpose: Purpose;
  readonly now: Instant;
}

/** Under a name that whoever opens a request for the same Node at the same time derives too. */
export const creation = ({ object, settings }: PipelineSeen, cleared: Cleared, { name, purpose, now }: Order): Effect => ({
  kind: 'Create',
  resource: RemediationRequest,
  object: draftRequest({ object, settings, ...cleared, purpose, name }, now),
});
