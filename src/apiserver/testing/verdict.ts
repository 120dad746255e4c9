import type { Status } from '../../kube/meta.ts';
import { isObject } from '../../base/index.ts';
import type { ApiResponse } from '../../kube/client/transport.ts';

/** What two servers must agree on in an answer: the code, the reason, and the fields with their reasons. */
export interface Verdict {
  readonly code: number;
  readonly reason: string | undefined;
  readonly causes: readonly string[];
}

/** The verdict of an answer; of a success only the code. */
export function verdictOf({ code, body }: ApiResponse): Verdict {
  if (code < 300) return { code, reason: undefined, causes: [] };
  // For a path that is not served, kube-apiserver answers with a text.
  const status = (isObject(body) ? body : { reason: 'NotFound' }) as unknown as Status;
  const causes = (status.details?.causes ?? []).map(({ reason, field }) => `${reason ?? ''} ${field ?? ''}`);
  return { code, reason: status.reason, causes: [...new Set(causes)].toSorted() };
}
