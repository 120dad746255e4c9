import { businessClassification, kubernetesContext } from '../parts/context.ts';
import { clusterID, severity, signalMode, signalName } from '../parts/signal.ts';
import { target } from '../parts/target.ts';
import {
  duration,
  enumOf,
  immutable,
  int32,
  list,
  localReference,
  object,
  objectReference,
  optional,
  partial,
  text,
  textMap,
  time,
} from '../schema/index.ts';

/** What is to be analysed. Written once, by the orchestrator, from the request and its SignalProcessing. */
export const aiAnalysisSpec = object(
  'What is analysed; immutable.',
  {
    remediationRequestRef: objectReference('The RemediationRequest that it belongs to.', { nameRequired: true }),
    remediationId: text('Name of the RemediationRequest, which ties all records together.', { min: 1 }),
    analysisRequest: object('The question.', {
      signalContext: object('The signal with what is known about it.', {
        fingerprint: text('Fingerprint of the signal.', { max: 64 }),
        severity: severity('How bad it is.'),
        signalName: signalName(),
        signalMode: optional(signalMode()),
        environment: text('Environment of the target.', { min: 1, max: 63 }),
        businessPriority: text('Priority of the target.', { min: 1, max: 63 }),
        targetResource: target('The resource that the signal is about.'),
        signalAnnotations: optional(textMap('Annotations of the signal.')),
        cluster: optional(text('Name of the cluster.', { max: 253 })),
        enrichmentResults: partial('What enrichment found.', {
          kubernetesContext: kubernetesContext(),
          businessClassification: businessClassification(),
        }),
      }),
      analysisTypes: list('What is asked for.', enumOf('One part of the answer.', ['Investigation', 'RootCause', 'WorkflowSelection']), {
        min: 1,
      }),
    }),
    undoOf: optional(
      localReference('The RemediationRequest whose change is to be rolled back: no cause is sought, its rollback is proposed.'),
    ),
    attempt: optional(int32('Which plan of the request this is; above 1 when the target changed before execution.', { min: 1, max: 3 })),
    timeoutConfig: optional(
      partial('Limits of this analysis.', {
        investigatingTimeout: duration('Time for Investigating.'),
        analyzingTimeout: duration('Time for Analyzing.'),
      }),
    ),
    timesOutAt: optional(time('The deadline.')),
    clusterID: optional(clusterID()),
  },
  { rules: [immutable('spec')] },
);
