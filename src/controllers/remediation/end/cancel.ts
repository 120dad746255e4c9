import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Ending } from './end-request.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';

/** Where nobody signed the wish: admission signs it wherever it is asked. */
const SOMEBODY = 'somebody';

/** The end that an operator asked for by annotation; undefined where nobody did. An empty reason is a wish too. */
export function cancelled({ metadata, spec, status }: RemediationRequest, now: Instant): Ending | undefined {
  const reason = metadata.annotations?.[ANNOTATIONS.cancel];
  if (reason === undefined) return undefined;
  const by = metadata.annotations?.[ANNOTATIONS.cancelBy] ?? SOMEBODY;
  const why = reason === '' ? '' : `: ${reason}`;
  const after =
    status?.overallPhase === 'Executing'
      ? `. What was running is stopped: look at ${describeTarget(status.remediationTarget ?? spec.targetResource)}`
      : '';
  return {
    phase: 'Cancelled',
    message: `${by} cancelled it${why}${after}`,
    status: { cancellation: { by, requestedAt: toTime(now), ...(reason !== '' && { reason }) } },
  };
}
