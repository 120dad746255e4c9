import type { ObjectKey } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { isPastDeadline } from '../retry-times.ts';

/** All that a decision about an approval request rests on: itself. */
export interface AskedSeen {
  readonly object: RemediationApprovalRequest;
  /** Why nobody knows whether it was decided in time; undefined when that is known. */
  readonly doubt?: string;
}

/** Reads the request; whether nobody decided in time is asked of the server. */
export async function observe(key: ObjectKey, reader: Reader, now: Instant): Promise<AskedSeen | undefined> {
  const cached = reader.get(RemediationApprovalRequest, key);
  if (cached.kind !== 'value') return undefined;
  const object = cached.value;
  if ((object.status?.decision ?? '') !== '' || !isPastDeadline(object.spec.requiredBy, now)) return { object };
  const current = await reader.fetch(RemediationApprovalRequest, key);
  if (current.kind === 'absent') return undefined;
  return current.kind === 'value' ? { object: current.value } : { object, doubt: current.reason };
}
