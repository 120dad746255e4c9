import { flag, object, optional, partial, text } from '../schema/index.ts';

/** What a message is about, in fields that routes and templates can use. All but flags are text, for the same reason. */
export const notificationContext = () =>
  partial('What the message is about, for routes and templates.', {
    lineage: partial('Where it comes from.', {
      remediationRequest: text('Name of the RemediationRequest.'),
      aiAnalysis: text('Name of the AIAnalysis.'),
    }),
    workflow: partial('The workflow that the message is about.', {
      selectedWorkflow: text('The workflow in one word.'),
      workflowId: text('Its id in the catalogue.'),
      workflowName: text('Its name.'),
      actionType: text('What it does.'),
      confidence: text('How sure the choice is.'),
      executionEngine: text('What runs it.'),
    }),
    analysis: partial('What was found.', {
      rootCause: text('The cause.'),
      outcome: text('The outcome.'),
      approvalReason: text('Why approval is needed.'),
    }),
    review: partial('Why a person has to review it.', {
      reason: text('The reason.'),
      subReason: text('The reason in more detail.'),
      humanReviewReason: text('The reason of the analyst.'),
      rootCauseAnalysis: text('The cause in detail.'),
      alignmentVerdict: text('Whether the investigation was led astray.'),
      circuitBreakerActivated: text('Whether the investigation was stopped for it.'),
    }),
    execution: partial('How the execution went.', {
      retryCount: text('Attempts so far.'),
      maxRetries: text('Attempts at most.'),
      lastExitCode: text('Exit code of the last attempt.'),
      previousExecution: text('The execution before.'),
      timeoutPhase: text('Phase that timed out.'),
      phaseTimeout: text('Time limit of that phase.'),
    }),
    dedup: partial('Duplicates.', { duplicateCount: text('How many requests waited for this one.') }),
    target: partial('The resource.', { targetResource: text('The resource, as namespace/Kind/name.') }),
    verification: object('Whether it helped.', {
      assessed: flag('Whether effectiveness was assessed.'),
      outcome: optional(text('What was found.')),
      reason: optional(text('How complete the assessment is.')),
      summary: optional(text('The finding in a sentence.')),
      degraded: optional(flag('Whether part of the evidence was missing.')),
      degradedReason: optional(text('What was missing.')),
    }),
  });
