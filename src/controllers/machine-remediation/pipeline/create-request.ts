import type { ObjectReference } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import type { Instant } from '../../../base/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { draftMachineRequest, type Purpose } from './draft-request.ts';
import type { EligibleTarget } from './eligibility.ts';
import type { PipelineSeen } from './observe.ts';

/** The reference that status records before the request exists. */
export const namedRequest = (name: string, { settings }: PipelineSeen) => ({
  apiVersion: apiVersionOf(RemediationRequest),
  kind: RemediationRequest.kind,
  namespace: settings.namespace,
  name,
});

/** The request with the name and UID of a reference. A reference without a UID means a request that was not read back yet. */
export const findReferenced = (requests: readonly RemediationRequest[], { name, uid }: ObjectReference): RemediationRequest | undefined =>
  requests.find(({ metadata }) => metadata.name === name && (uid === undefined || metadata.uid === uid));

interface Order {
  readonly name: string;
  readonly purpose: Purpose;
  readonly now: Instant;
}

/** Creates the request under a name that the gateway derives too, so that only one of them can create it. */
export const createRequest = ({ object, settings }: PipelineSeen, eligible: EligibleTarget, { name, purpose, now }: Order): Effect => ({
  kind: 'Create',
  resource: RemediationRequest,
  object: draftMachineRequest({ object, settings, ...eligible, purpose, name }, now),
});
