/** The names of a RemediationRequest's children: derived from its own, so that creating one twice creates it once. */
export const childNames = (request: string) => ({
  signalProcessing: `sp-${request}`,
  analysis: `ai-${request}`,
  execution: `we-${request}`,
  assessment: `ea-${request}`,
  completion: `nr-completion-${request}`,
  manualReview: `nr-manual-review-${request}`,
  escalation: `nr-escalation-${request}`,
});
