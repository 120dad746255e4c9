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
  'What is to be verified; never changed afterwards.',
  {
    correlationID: text('Name of the RemediationRequest.', { min: 1 }),
    remediationRequestPhase: enumOf('Phase of the request when the assessment was ordered.', [
      'Verifying',
      'Completed',
      'Failed',
      'TimedOut',
    ]),
    signalTarget: target('The resource that the signal was about.'),
    remediationTarget: target('The resource that was changed.'),
    config: object('When to look.', {
      stabilizationWindow: duration('How long to wait before anything is judged.'),
      hashComputeDelay: optional(
        duration('How long a change takes to arrive, where others apply it; absent for targets changed directly.'),
      ),
      alertCheckDelay: optional(duration('How much longer to wait before the alert is judged.')),
    }),
    remediationCreatedAt: optional(time('When the request was created.')),
    signalName: optional(text('The alert that should be gone.', { max: 253 })),
    preRemediationSpecHash: optional(digest('Hash of the target and its ConfigMaps before execution.')),
    appliedSpecHash: optional(digest('Hash of the target and its ConfigMaps right after execution; a later difference is drift.')),
    scalesToZero: optional(flag('Whether the workflow meant to leave the target without replicas.')),
    clusterID: optional(clusterID()),
  },
  { rules: [immutable('spec')] },
);

export const effectivenessAssessmentStatus = partial('What was found.', {
  phase: enumOf('Where the assessment stands.', phaseNames(assessmentPhases)),
  assessmentReason: enumOf('How complete the assessment is.', ASSESSMENT_REASONS),
  validityDeadline: time('When the assessment ends with what it has.'),
  prometheusCheckAfter: time('When health and metrics may be judged.'),
  alertManagerCheckAfter: time('When the alert may be judged.'),
  completedAt: time('When the assessment was over.'),
  message: text('What was found, in a sentence.'),
  components: partial('The findings. A score that is absent is unknown, not zero.', {
    healthAssessed: flag('Whether health was looked at.'),
    healthScore: fraction('How healthy the target is.'),
    alertAssessed: flag('Whether the alert was looked at.'),
    alertScore: fraction('1 when the alert is gone, 0 when it still fires.'),
    alertDecayRetries: int32('How often an alert that should be gone was looked at again.', { min: 0 }),
    metricsAssessed: flag('Whether metrics were looked at.'),
    metricsScore: fraction('How much the metrics improved.'),
    hashComputed: flag('Whether the spec was hashed.'),
    baselineSpecHash: digest('Hash at the start of stabilization, for targets that others change; drift is measured from here.'),
    preRemediationSpecHash: digest('Hash before execution, from the store, where the spec does not say it.'),
    postRemediationSpecHash: digest('Hash when the assessment first looked.'),
    currentSpecHash: digest('Hash when the assessment last looked.'),
    rootOwner: text('What manages the target in the end, as namespace/Kind/name; absent where that is the target.', { max: 512 }),
    rootSpecHash: digest('Hash of the root owner when it was looked at; absent where that is the target.'),
  }),
  observedGeneration: int64('Generation that was last looked at.', { min: 0 }),
  conditions: conditions(['Ready', 'AssessmentComplete', 'SpecIntegrity', 'AlertDecayDetected', ALERTMANAGER_ANSWERS]),
});

/** The child that checks whether it helped. */
export const EffectivenessAssessment = defineKind({
  ...PIPELINE,
  kind: 'EffectivenessAssessment',
  plural: 'effectivenessassessments',
  shortNames: ['ea'],
  description:
    'Checks after an execution whether it helped: health of the target, the alert, metrics, and whether the spec stayed as it was left.',
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
