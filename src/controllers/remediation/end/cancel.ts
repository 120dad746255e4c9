import { ANNOTATIONS } from '../../../api/well-known.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { RequestEnding } from './end-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTargetOf } from '../request-target.ts';
import { recordRefusal } from './refusal.ts';

/** Who cancelled, where admission did not record a name. */
const UNKNOWN_USER = 'an unknown user';

/** The end of a request that an operator cancelled by annotation; undefined without the annotation. An empty reason counts. */
export function cancelledEnding({ object: request, settings, account }: RemediationSeen, now: Instant): RequestEnding | undefined {
  const { metadata, status } = request;
  const reason = metadata.annotations?.[ANNOTATIONS.cancel];
  if (reason === undefined) return undefined;
  const by = metadata.annotations?.[ANNOTATIONS.cancelBy] ?? UNKNOWN_USER;
  const why = reason === '' ? '' : `: ${reason}`;
  const after = status?.overallPhase === 'Executing' ? `. Its run is stopped: check ${describeTargetOf(request)}` : '';
  return {
    phase: 'Cancelled',
    message: `${by} cancelled it${why}${after}`,
    status: {
      cancellation: { by, requestedAt: toTime(now), ...(reason !== '' && { reason }) },
      // A controller of Sickbay withdraws a request that is no longer needed: no person refused anything.
      ...(by !== account && recordRefusal(by, request, settings, now)),
    },
  };
}
