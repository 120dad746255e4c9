/**
 * The one place where Kubernetes Events are made. Who records what:
 * - Narration derives Events from changes that the watch shows. Whatever a status shows is recorded there, and nowhere else.
 * - A decision records an Event as an effect (`normalEvent`, `warningEvent`) only for what no later state shows: the object is about to be
 *   deleted, the change happens to another object (a lock, a Node, a Machine), nothing is written at all, or an Event repeats the reason of a
 *   condition of a kind that narration does not follow.
 *
 * Both are written by the same recorder (../kube/objects/events.ts), which names Events, counts repeated ones and limits their number.
 */
import { clip } from '../base/index.ts';
import type { EventNote } from '../kube/objects/events.ts';
import type { Effect } from '../runtime/reconcile/controller.ts';

/** Every reason of an Event, by the kind of the object that it is recorded on. Reasons are an interface: they are never renamed. */
export const EVENT_REASONS = {
  RemediationRequest: [
    'RemediationCreated',
    'PhaseTransition',
    'ApprovalRequired',
    'ApprovalGranted',
    'ApprovalRejected',
    'ApprovalExpired',
    'OperatorOverride',
    'ConsecutiveFailureBlocked',
    'DuplicateBlocked',
    'ResourceBusyBlocked',
    'CooldownActive',
    'UnmanagedResourceBlocked',
    'IneffectiveChainDetected',
    'ChangeFreezeBlocked',
    'HashCaptureDegraded',
    'EscalatedToManualReview',
    'RemediationCompleted',
    'RemediationFailed',
    'RemediationTimeout',
    'DryRunCompleted',
    'InheritedCompleted',
    'InheritedFailed',
    'UndoOpened',
    'UndoNotOpened',
    'IllegalTransition',
  ],
  WorkflowExecution: [
    'ExecutionCreated',
    'WorkflowCompleted',
    'WorkflowFailed',
    'LockReleased',
    'CleanupFailed',
    'WorkflowExecutionDeleted',
    'WorkflowValidationFailed',
    'CooldownActive',
  ],
  EffectivenessAssessment: ['EffectivenessAssessed', 'SpecDriftDetected', 'AssessmentExpired', 'AssessmentFailed'],
  MachineHealthCheck: ['RemediationRestricted', 'NotKeptOff', 'RemediationRequested', 'RemediationWithdrawn', 'RemediationEnded'],
  Machine: ['MachineMarkedUnhealthy', 'RemediateAnnotationIgnored', 'NodeLeft', 'DrainTimedOut'],
  MachineSet: ['ReplacingMachine'],
  PipelineRemediation: ['NodeLeftCordoned'],
} as const;

export type EventReason = (typeof EVENT_REASONS)[keyof typeof EVENT_REASONS][number];

type EventEffect = Extract<Effect, { readonly kind: 'Event' }>;

/** Records what happened as it should. */
export const normalEvent = (reason: EventReason, message: string): EventEffect => ({ kind: 'Event', type: 'Normal', reason, message });

/** Records what an operator should look at. */
export const warningEvent = (reason: EventReason, message: string): EventEffect => ({ kind: 'Event', type: 'Warning', reason, message });

/** Repeats a condition as an Event: its reason is the reason of the condition. */
export const conditionEvent = ({ type, reason, message }: EventNote): EventEffect => ({ kind: 'Event', type, reason, message });

/** Longer messages are cut; the status has the full text. */
const MESSAGE_LIMIT = 1_000;

/** An Event that narration derives from a change. */
export const normalNote = (reason: EventReason, message: string): EventNote => noteOf('Normal', reason, message);

/** The same, for what an operator should look at. */
export const warningNote = (reason: EventReason, message: string): EventNote => noteOf('Warning', reason, message);

const noteOf = (type: EventNote['type'], reason: EventReason, message: string): EventNote => ({
  type,
  reason,
  message: clip(message, MESSAGE_LIMIT),
});
