import { createHash } from 'node:crypto';

/** The longest name that an object may have. */
const LONGEST = 253;

/** The names of a RemediationRequest's children: derived from its own, so that creating one twice creates it once. */
export const childNames = (request: string) => ({
  signalProcessing: named('sp', request),
  /** A stale plan is replaced by a new analysis, under its own name. */
  analysis: (attempt = 1) => named('ai', request, again(attempt)),
  approval: (attempt = 1) => named('rar', request, again(attempt)),
  execution: named('we', request),
  assessment: named('ea', request),
  approvalNotice: (attempt = 1) => named('nr-approval', request, again(attempt)),
  /** Sent again where a signal that joined made the decision more urgent. */
  raisedNotice: (attempt = 1, priority = '') => named('nr-approval', request, `${again(attempt)}-${priority.toLowerCase()}`),
  completion: named('nr-completion', request),
  selfResolved: named('nr-self-resolved', request),
  manualReview: named('nr-manual-review', request),
  escalation: named('nr-escalation', request),
  bulk: named('nr-bulk', request),
  blockNotice: (reason: string) => named(`nr-block-${reason.toLowerCase()}`, request),
  /** The run has not started for a while. */
  waitNotice: named('nr-wait', request),
  timeout: named('timeout', request),
  phaseTimeout: (phase: string) => named(`phase-timeout-${phase.toLowerCase()}`, request),
});

const again = (attempt: number): string => (attempt > 1 ? `-${attempt}` : '');

/** A name that is too long is cut, and ends with a digest of the full name. */
function named(prefix: string, request: string, suffix = ''): string {
  const name = `${prefix}-${request}${suffix}`;
  if (name.length <= LONGEST) return name;
  const end = `-${createHash('sha256').update(request).digest('hex').slice(0, 16)}${suffix}`;
  return `${name.slice(0, LONGEST - end.length).replace(/[^a-z0-9]+$/, '')}${end}`;
}
