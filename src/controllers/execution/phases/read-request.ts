import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { readTarget, type SeenTarget } from '../../target/index.ts';
import { requestOwner } from '../admission/admit.ts';
import { NOT_READ, type NotRead, type ReadContext } from '../observed-execution.ts';

/** The owner of the execution; a live read before a run is released, since the request may have been cancelled. */
export async function readRequest({ object, reader }: ReadContext, isLive: boolean): Promise<Read<RemediationRequest>> {
  const owner = requestOwner(object);
  if (!owner) return { kind: 'absent' };
  const key = { namespace: object.metadata.namespace ?? '', name: owner.name };
  const cached = reader.get(RemediationRequest, key);
  const isTheOne = cached.kind === 'unreadable' || (cached.kind === 'value' && cached.value.metadata.uid === owner.uid);
  return isTheOne && !isLive ? cached : reader.fetch(RemediationRequest, key);
}

/** The resource that the request decided to work on, as it is now; needed while a run can be released. */
export async function readTargetOf(
  request: Read<RemediationRequest>,
  isReleasable: boolean,
  reader: Reader,
): Promise<Read<SeenTarget> | NotRead> {
  const planned = request.kind === 'value' ? request.value.status?.remediationTarget : undefined;
  return planned && isReleasable ? readTarget(reader, planned) : NOT_READ;
}
