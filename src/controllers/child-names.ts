import { createHash } from 'node:crypto';

/** The longest name that an object may have. */
const LONGEST = 253;

/** The names of a RemediationRequest's children: derived from its own, so that creating one twice creates it once. */
export const childNames = (request: string) => ({
  signalProcessing: named('sp', request),
  analysis: named('ai', request),
  execution: named('we', request),
  assessment: named('ea', request),
  completion: named('nr-completion', request),
  manualReview: named('nr-manual-review', request),
  escalation: named('nr-escalation', request),
});

/** Where both together are too long, what is cut off is told apart by its digest. */
function named(prefix: string, request: string): string {
  const name = `${prefix}-${request}`;
  if (name.length <= LONGEST) return name;
  const end = `-${createHash('sha256').update(request).digest('hex').slice(0, 16)}`;
  return `${name.slice(0, LONGEST - end.length).replace(/[^a-z0-9]+$/, '')}${end}`;
}
