import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { RequestEnding } from './end-request.ts';
import { describeTargetOf } from '../request-target.ts';

/** Who cancelled, where admission did not record a name. */
const UNKNOWN_USER = 'an unknown user';

/** The end of a request that an operator cancelled by annotation; undefined without the annotation. An empty reason counts. */
export function cancelledEnding(request: RemediationRequest, now: Instant): RequestEnding | undefined {
  const { metadata, status } = request;
  const reason = metadata.annotations?.[ANNOTATIONS.cancel];
  if (reason === undefined) return undefined;
  const by = metadata.annotations?.[ANNOTATIONS.cancelBy] ?? UNKNOWN_USER;
  const why = reason === '' ? '' : `: ${reason}`;
  const after = status?.overallPhase === 'Executing' ? `. Its run is stopped: check ${describeTargetOf(request)}` : '';
  return {
    phase: 'Cancelled',
    message: `${by} cancelled it${why}${after}`,
    status: { cancellation: { by, requestedAt: toTime(now), ...(reason !== '' && { reason }) } },
  };
}
