import { parameters, planDigest, workflowIdentity, workflowSnapshot } from '../parts/plan.ts';
import { clusterID } from '../parts/signal.ts';
import { duration, flag, fraction, immutable, object, objectReference, optional, partial, text, time } from '../schema/index.ts';

/** What runs, on what. Written once, by the orchestrator. */
export const workflowExecutionSpec = object(
  'What runs, on which target; immutable.',
  {
    remediationRequestRef: objectReference('The RemediationRequest that it belongs to.', { nameRequired: true }),
    targetResource: text('The resource that is changed, as namespace/Kind/name or Kind/name.', { max: 512 }),
    targetUID: optional(text('UID of that resource; a different resource of the same name is not changed.', { max: 128 })),
    workflowRef: object('The workflow, as the catalogue had it when it was selected.', {
      ...workflowIdentity,
      ...workflowSnapshot,
      scalesToZero: optional(flag('Whether the workflow scales the target to zero on purpose.')),
    }),
    parameters: optional(parameters()),
    confidence: optional(fraction('How sure the plan is.')),
    rationale: optional(text('Why this workflow.')),
    planDigest: optional(planDigest()),
    executionConfig: optional(partial('Limits of the run.', { timeout: duration('How long the run may take.') })),
    timesOutAt: optional(time('Deadline of the run.')),
    clusterID: optional(clusterID()),
  },
  { rules: [immutable('spec')] },
);
