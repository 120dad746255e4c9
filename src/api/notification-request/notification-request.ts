import { AGE, defineKind, readyReason } from '../define-kind.ts';
import { PIPELINE } from '../parts/group.ts';
import { clusterID } from '../parts/signal.ts';
import { phaseNames } from '../phases.ts';
import type { ObjectOf } from '../resource.ts';
import {
  conditions,
  decimal,
  enumOf,
  flag,
  immutable,
  int32,
  int64,
  list,
  object,
  objectReference,
  optional,
  partial,
  text,
  textMap,
  time,
} from '../schema/index.ts';
import { notificationContext } from './context.ts';
import { notificationPhases } from './phases.ts';
import { notificationRequestSample } from './sample.ts';

export const notificationRequestSpec = object(
  'The message; immutable.',
  {
    type: enumOf('What kind of message it is.', ['Escalation', 'Simple', 'StatusUpdate', 'Approval', 'ManualReview', 'Completion']),
    priority: enumOf('How urgent it is.', ['Critical', 'High', 'Medium', 'Low'], { default: 'Medium' }),
    subject: text('The message in one line.', { min: 1, max: 500 }),
    body: text('The message.', { min: 1 }),
    severity: optional(text('Severity of the signal.')),
    phase: optional(text('Phase of the request when the message was written.')),
    reviewSource: optional(enumOf('What asks for the review.', ['AIAnalysis', 'WorkflowExecution', 'RoutingEngine'])),
    remediationRequestRef: optional(objectReference('The RemediationRequest that the message is about.')),
    actionLinks: optional(
      list(
        'Where the reader can act.',
        object('One link.', {
          service: text('What it leads to.'),
          url: text('Its address.'),
          label: text('What to show for it.'),
        }),
      ),
    ),
    extensions: optional(textMap('Further attributes for routes.')),
    retentionDays: optional(int32('How long the message is kept.', { min: 1, max: 90, default: 7 })),
    retryPolicy: optional(
      partial('How delivery is retried.', {
        maxAttempts: int32('Attempts at most, per channel.', { min: 1, max: 10, default: 5 }),
        initialBackoffSeconds: int32('Wait after the first failure.', { min: 1, max: 300, default: 30 }),
        backoffMultiplier: decimal('Factor from one wait to the next.', { min: 1, max: 10, default: 2 }),
        maxBackoffSeconds: int32('Longest wait.', { min: 60, max: 3600, default: 480 }),
      }),
    ),
    context: optional(notificationContext()),
    clusterID: optional(clusterID()),
  },
  { rules: [immutable('spec')] },
);

export const notificationRequestStatus = partial('How delivery went.', {
  phase: enumOf('Where delivery stands.', phaseNames(notificationPhases)),
  deliveryAttempts: list(
    'Every attempt.',
    object('One attempt.', {
      channel: text('Channel that was tried.'),
      attempt: int32('Which attempt on this channel.', { min: 1 }),
      timestamp: time('When it was made.'),
      status: enumOf('How it went: invalid is not tried again; sending has no result, because it runs or was interrupted.', [
        'success',
        'failed',
        'timeout',
        'invalid',
        'sending',
      ]),
      error: optional(text('What went wrong.')),
      mayHaveArrived: optional(flag('Whether the message may be there although no result says so.')),
      durationSeconds: optional(decimal('How long it took.', { min: 0 })),
      retryAt: optional(time('The channel is not tried again before this time.')),
      reference: optional(text('What the provider calls the message; follow-ups of the remediation refer to it.')),
    }),
  ),
  totalAttempts: int32('Attempts so far.', { min: 0 }),
  successfulDeliveries: int32('Channels that accepted the message.', { min: 0 }),
  failedDeliveries: int32('Attempts that failed.', { min: 0 }),
  queuedAt: time('When the message was queued.'),
  processingStartedAt: time('When delivery began.'),
  completionTime: time('When delivery completed.'),
  reason: text('The state in one word.'),
  message: text('The state in a sentence.'),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  conditions: conditions(['Ready', 'RoutingResolved']),
});

/** A message to people. */
export const NotificationRequest = defineKind({
  ...PIPELINE,
  kind: 'NotificationRequest',
  plural: 'notificationrequests',
  shortNames: ['notif', 'notifs'],
  description: 'A message to people. Who gets it, and through which channels, is decided by routing rules alone.',
  spec: notificationRequestSpec,
  status: notificationRequestStatus,
  phases: notificationPhases,
  selectableFields: ['spec.remediationRequestRef.name', 'spec.type', 'spec.severity'],
  columns: [
    { name: 'Type', type: 'string', path: '.spec.type' },
    { name: 'Priority', type: 'string', path: '.spec.priority' },
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Attempts', type: 'integer', path: '.status.totalAttempts' },
    readyReason(),
    AGE,
  ],
  sample: notificationRequestSample,
});
export type NotificationRequest = ObjectOf<typeof NotificationRequest>;
