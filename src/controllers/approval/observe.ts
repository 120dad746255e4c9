import type { ObjectKey } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { isPastDeadline } from '../retry-times.ts';

/** Everything that a decision about an approval request rests on: the object itself. */
export interface ApprovalRequestSeen {
  readonly object: RemediationApprovalRequest;
  /** Why it is unknown whether a decision came in time; undefined when that is known. */
  readonly doubt?: string;
}

/** Reads the request; the server is read before it counts as expired. */
export async function observe(key: ObjectKey, reader: Reader, now: Instant): Promise<ApprovalRequestSeen | undefined> {
  const cached = reader.get(RemediationApprovalRequest, key);
  if (cached.kind !== 'value') return undefined;
  const object = cached.value;
  if ((object.status?.decision ?? '') !== '' || !isPastDeadline(object.spec.requiredBy, now)) return { object };
  const current = await reader.fetch(RemediationApprovalRequest, key);
  if (current.kind === 'absent') return undefined;
  return current.kind === 'value' ? { object: current.value } : { object, doubt: current.reason };
}
