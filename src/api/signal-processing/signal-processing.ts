import { AGE, defineKind, readyReason } from '../define-kind.ts';
import { businessClassification, kubernetesContext } from '../parts/context.ts';
import { PIPELINE } from '../parts/group.ts';
import { clusterID, fingerprint, severity, signalMode, signalName, targetType } from '../parts/signal.ts';
import { target } from '../parts/target.ts';
import { phaseNames } from '../phases.ts';
import type { ObjectOf } from '../resource.ts';
import {
  conditions,
  duration,
  enumOf,
  flag,
  immutable,
  int32,
  int64,
  object,
  objectReference,
  optional,
  partial,
  text,
  textMap,
  time,
} from '../schema/index.ts';
import { signalProcessingPhases } from './phases.ts';
import { signalProcessingSample } from './sample.ts';

export const signalProcessingSpec = object(
  'The signal that is enriched and classified; immutable.',
  {
    remediationRequestRef: objectReference('The RemediationRequest that it belongs to.', { nameRequired: true }),
    signal: object('The signal, copied from the request.', {
      fingerprint: fingerprint(),
      name: signalName(),
      severity: text('Severity in the words of the source.'),
      type: text('Kind of signal.'),
      source: optional(text('Adapter that received the signal.', { max: 63 })),
      targetType: targetType(),
      targetResource: target('The resource that the signal is about.'),
      receivedTime: time('When the gateway received it.'),
      firingTime: optional(time('When the signal began, according to its source.')),
      labels: optional(textMap('Labels of the signal.')),
      annotations: optional(textMap('Annotations of the signal.')),
      providerData: optional(text('What else the source says, as JSON text.')),
      clusterID: optional(clusterID()),
    }),
    enrichmentConfig: optional(
      partial('What enrichment reads.', {
        enableClusterState: flag('Whether to read the target and its surroundings.'),
        enableMetrics: flag('Whether to read metrics.'),
        enableHistorical: flag('Whether to read earlier remediations.'),
        timeout: duration('How long enrichment may take.'),
      }),
    ),
    timesOutAt: optional(time('The deadline.')),
  },
  { rules: [immutable('spec')] },
);

export const signalProcessingStatus = partial('Result of enrichment and classification.', {
  phase: enumOf('Phase of the work.', phaseNames(signalProcessingPhases)),
  startTime: time('When the work began.'),
  completionTime: time('When the work completed.'),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  kubernetesContext: kubernetesContext(),
  environmentClassification: object('Which environment the target belongs to.', {
    environment: enumOf('The environment.', ['Production', 'Staging', 'Development', 'Test', 'Unknown']),
    source: text('What told us.'),
    classifiedAt: time('When it was decided.'),
  }),
  priorityAssignment: object('How urgent it is.', {
    priority: text('The priority, P0 to P3.'),
    source: text('What told us.'),
    policyName: optional(text('Policy rule that decided.')),
    assignedAt: time('When it was decided.'),
  }),
  businessClassification: businessClassification(),
  severity: severity('The normalised severity.'),
  signalMode: signalMode(),
  signalName: text('Name of the signal after mapping, e.g. the fault that a prediction is about.', { max: 253 }),
  sourceSignalName: text('Name of the signal before mapping.', { max: 253 }),
  policyHash: text('Hash of the policy text that decided.', { max: 128 }),
  error: text('Why it failed.'),
  consecutiveFailures: int32('Attempts that failed in a row.', { min: 0 }),
  lastFailureTime: time('When an attempt last failed.'),
  conditions: conditions(['EnrichmentComplete', 'ClassificationComplete', 'CategorizationComplete', 'ProcessingComplete', 'Ready']),
});

/** The first child: who and what is affected, and how much it matters. */
export const SignalProcessing = defineKind({
  ...PIPELINE,
  kind: 'SignalProcessing',
  plural: 'signalprocessings',
  shortNames: ['sp'],
  description: 'Enriches a signal with what surrounds its target and classifies environment, priority, severity and business meaning.',
  spec: signalProcessingSpec,
  status: signalProcessingStatus,
  phases: signalProcessingPhases,
  selectableFields: ['spec.remediationRequestRef.name'],
  columns: [
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Severity', type: 'string', path: '.status.severity' },
    { name: 'Environment', type: 'string', path: '.status.environmentClassification.environment' },
    { name: 'Priority', type: 'string', path: '.status.priorityAssignment.priority' },
    readyReason(),
    AGE,
  ],
  sample: signalProcessingSample,
});
export type SignalProcessing = ObjectOf<typeof SignalProcessing>;
