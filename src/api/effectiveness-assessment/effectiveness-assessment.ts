import { AGE, defineKind, readyReason } from '../define-kind.ts';
import { PIPELINE } from '../parts/group.ts';
import { clusterID } from '../parts/signal.ts';
import { target } from '../parts/target.ts';
import { phaseNames } from '../phases.ts';
import type { ObjectOf } from '../resource.ts';
import {
  conditions,
  digest,
  duration,
  enumOf,
  flag,
  fraction,
  immutable,
  int32,
  int64,
  object,
  optional,
  partial,
  text,
  time,
} from '../schema/index.ts';
import { assessmentPhases } from './phases.ts';
import { effectivenessAssessmentSample } from './sample.ts';

export const ASSESSMENT_REASONS = [
  'Full',
  'Partial',
  'NoExecution',
  'MetricsTimedOut',
  'Expired',
  'SpecDrift',
  'AlertDecayTimeout',
  'Unrecoverable',
] as const;
export type AssessmentReason = (typeof ASSESSMENT_REASONS)[number];

/** Condition: whether Alertmanager answered when the alert was last asked about. Not there where it always did, or was never asked. */
export const ALERTMANAGER_ANSWERS = 'AlertmanagerAnswers';

export const effectivenessAssessmentSpec = object(
  'What is verified; immutable.',
  {
    correlationID: text('Name of the RemediationRequest.', { min: 1 }),
    remediationRequestPhase: enumOf('Phase of the request when the assessment was created.', [
      'Verifying',
      'Completed',
      'Failed',
      'TimedOut',
    ]),
    signalTarget: target('The resource that the signal was about.'),
    remediationTarget: target('The resource that was changed.'),
    config: object('When to look.', {
      stabilizationWindow: duration('How long to wait before anything is assessed.'),
      hashComputeDelay: optional(
        duration(
          'How long a change takes to arrive, where a GitOps tool or an operator applies it; absent for targets that are changed directly.',
        ),
      ),
      alertCheckDelay: optional(duration('How much longer to wait before the alert is assessed.')),
    }),
    remediationCreatedAt: optional(time('When the request was created.')),
    signalName: optional(text('The alert that should be gone.', { max: 253 })),
    cause: optional(text('What the analysis found to be the cause.', { max: 512 })),
    faultStartedAt: optional(time('When the first signal began; metrics are compared with the time from here to the start of execution.')),
    executionStartedAt: optional(time('When the workflow started.')),
    preRemediationSpecHash: optional(digest('Hash of the target and its ConfigMaps before execution.')),
    appliedSpecHash: optional(digest('Hash of the target and its ConfigMaps right after execution; a later difference is drift.')),
    scalesToZero: optional(flag('Whether the workflow scaled the target to zero on purpose.')),
    clusterID: optional(clusterID()),
  },
  { rules: [immutable('spec')] },
);

export const effectivenessAssessmentStatus = partial('What was found.', {
  phase: enumOf('Phase of the assessment.', phaseNames(assessmentPhases)),
  assessmentReason: enumOf('How complete the assessment is.', ASSESSMENT_REASONS),
  validityDeadline: time('When the assessment completes with the results that it has.'),
  prometheusCheckAfter: time('When health and metrics may be assessed.'),
  alertManagerCheckAfter: time('When the alert may be assessed.'),
  completedAt: time('When the assessment completed.'),
  message: text('What was found, in a sentence.'),
  components: partial('The findings. A score that is absent is unknown, not zero.', {
    healthAssessed: flag('Whether health was assessed.'),
    healthScore: fraction('How healthy the target is.'),
    alertAssessed: flag('Whether the alert was assessed.'),
    alertScore: fraction('1 when the alert is gone, 0 when it still fires.'),
    alertDecayRetries: int32('How often an alert that should be gone was checked again.', { min: 0 }),
    metricsAssessed: flag('Whether metrics were assessed.'),
    metricsScore: fraction('How much the metrics improved.'),
    hashComputed: flag('Whether the spec was hashed.'),
    baselineSpecHash: digest(
      'Hash at the start of stabilization, for targets that a GitOps tool or an operator changes; drift is measured from here.',
    ),
    preRemediationSpecHash: digest('Hash before execution, from the audit trail, where the spec has none.'),
    postRemediationSpecHash: digest('Hash at the first check of the assessment.'),
    currentSpecHash: digest('Hash at the last check of the assessment.'),
    rootOwner: text('The root owner of the target, as namespace/Kind/name; absent where the target has no owner.', { max: 512 }),
    rootSpecHash: digest('Hash of the root owner when it was checked; absent where the target has no owner.'),
  }),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  conditions: conditions(['Ready', 'AssessmentComplete', 'SpecIntegrity', 'AlertDecayDetected', ALERTMANAGER_ANSWERS]),
});

/** The child that checks whether it helped. */
export const EffectivenessAssessment = defineKind({
  ...PIPELINE,
  kind: 'EffectivenessAssessment',
  plural: 'effectivenessassessments',
  shortNames: ['ea'],
  description:
    'Checks after an execution whether it helped: health of the target, the alert, metrics, and whether the spec has drifted since.',
  spec: effectivenessAssessmentSpec,
  status: effectivenessAssessmentStatus,
  phases: assessmentPhases,
  columns: [
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Reason', type: 'string', path: '.status.assessmentReason' },
    { name: 'CorrelationID', type: 'string', path: '.spec.correlationID' },
    readyReason('ReadyReason'),
    AGE,
  ],
  sample: effectivenessAssessmentSample,
});
export type EffectivenessAssessment = ObjectOf<typeof EffectivenessAssessment>;
