import { phaseNames } from '../../api/phases.ts';
import { ENGINES } from '../../api/parts/plan.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import {
  any,
  decimal,
  enumOf,
  flag,
  fraction,
  int32,
  list,
  map,
  object,
  optional,
  text,
  textMap,
  texts,
  time,
  type Shape,
} from '../../api/schema/index.ts';
import { approvalSchema } from './approvals.ts';
import { named, resourceRef } from './parts.ts';
import { remediationSummary } from './remediations.ts';

const GATE_STATES = ['open', 'closed', 'unknown', 'ahead'] as const;
const EVENT_KINDS = ['signal', 'phase', 'evidence', 'check', 'approval', 'run', 'verification', 'notification', 'end'] as const;
const EVENT_LOOKS = ['info', 'success', 'warning', 'failure'] as const;

/** One gate on the way to an execution. */
const gateSchema = named(
  'Gate',
  object('One condition that a remediation must meet before a workflow runs.', {
    name: text('Name of the gate.'),
    state: enumOf('`open` lets it pass, `closed` blocks it, `unknown` could not be read, `ahead` is checked later.', GATE_STATES),
    inputs: map('What was compared.', any('A text, a number or a boolean.')),
    message: optional(text('Why, and what opens it.')),
    until: optional(time('When this state ends by itself: the gate opens, or an approval expires.')),
  }),
);

/** One event of the timeline. */
export const timelineEvent = named(
  'TimelineEvent',
  object('One thing that happened.', {
    at: time('When.'),
    kind: enumOf('What it belongs to.', EVENT_KINDS),
    look: enumOf('How good it is.', EVENT_LOOKS),
    title: text('What happened, in a few words.'),
    message: optional(text('What there is to know about it.')),
    object: optional({ ...resourceRef, description: 'The object that says so.' }),
  }),
);
export type TimelineEvent = Shape<typeof timelineEvent>;

const signal = object('The signal as it was received.', {
  firingTime: time('When it began, according to its source.'),
  receivedTime: time('When it was received.'),
  fingerprint: text('Fingerprint of the top owner of the target.'),
  labels: textMap('Labels.'),
  annotations: textMap('Annotations.'),
  alerts: list(
    'The alerts that it stands for.',
    object('One alert.', {
      name: text('Name.'),
      severity: optional(text('Severity.')),
      lastSeenAt: time('When it was last received.'),
      resolvedAt: optional(time('When it was resolved; absent while it fires.')),
    }),
  ),
});

const analysis = object('What was found.', {
  phase: text('Phase of the AIAnalysis.'),
  message: optional(text('The state in one sentence.')),
  cause: optional(text('The root cause in one sentence.')),
  summary: optional(text('What went wrong.')),
  factors: texts('What contributed to it.'),
  evidence: texts('What the finding rests on.'),
  warnings: texts('Warnings of the analyst.'),
  needsReview: flag('Whether a person has to review it.'),
  reviewReason: optional(text('Why.')),
  alternatives: list(
    'What was considered as well.',
    object('One alternative.', { what: text('What would be done.'), why: text('What speaks for and against it.') }),
  ),
  completedAt: optional(time('When it completed.')),
});

const plan = object('What is to be run.', {
  workflow: text('Name of the workflow.'),
  workflowId: text('Its id in the catalogue.'),
  version: text('Its version.'),
  actionType: optional(text('What it does.')),
  engine: optional(enumOf('System that runs it.', ENGINES)),
  bundle: text('Image or bundle.'),
  bundleDigest: optional(text('Digest of its content.')),
  serviceAccount: optional(text('ServiceAccount that it runs as.')),
  parameters: textMap('Parameters.'),
  target: optional({ ...resourceRef, description: 'The resource that it changes.' }),
  rationale: text('Why this workflow.'),
  confidence: fraction('How sure the choice is.'),
  digest: optional(text('Digest of the plan: an approval counts for this plan only.')),
  diff: optional(text('The change as a server-side dry run reports it, as a unified diff; absent where none was recorded.')),
});

const execution = object('The run.', {
  name: text('Name of the WorkflowExecution.'),
  phase: enumOf('Its phase.', phaseNames(executionPhases)),
  message: optional(text('The state in a sentence.')),
  engine: optional(enumOf('System that runs it.', ENGINES)),
  run: optional({ ...resourceRef, description: 'The Job, PipelineRun or AWX job.' }),
  queuePosition: optional(int32('Position in the queue while the budget is used up.')),
  startedAt: optional(time('When the run was released.')),
  completedAt: optional(time('When it completed.')),
  duration: optional(text('How long it took.')),
  failure: optional(
    object('How it failed.', {
      reason: text('The failure in one word.'),
      message: text('The failure as the engine reports it.'),
      summary: text('The failure for people, with advice.'),
      mayHaveChangedTarget: flag(
        'Whether the workflow may have changed the target: then the target is blocked until the block is cleared.',
      ),
    }),
  ),
  clearance: optional(
    object('Who cleared the block on its target.', {
      by: text('The user.'),
      reason: text('Why.'),
      at: optional(time('When.')),
    }),
  ),
});

const assessment = object('Whether it helped.', {
  name: text('Name of the EffectivenessAssessment.'),
  phase: text('Its phase.'),
  reason: optional(text('How complete it is.')),
  message: optional(text('What was found, in a sentence.')),
  score: optional(fraction('The score; absent while nothing is known.')),
  measured: fraction('The share of the weights that was measured.'),
  components: list(
    'What the score is made of.',
    object('One component.', {
      name: enumOf('Its name.', ['health', 'alert', 'metrics']),
      weight: fraction('Its weight.'),
      assessed: flag('Whether it was assessed.'),
      score: optional(fraction('Its score; absent while it is unknown.')),
    }),
  ),
  spec: object('The spec of the target before and after.', {
    before: optional(text('Hash before the execution.')),
    after: optional(text('Hash at the first check.')),
    now: optional(text('Hash at the last check.')),
    drifted: optional(flag('Whether it changed since it was first checked.')),
  }),
  deadline: optional(time('When it completes with the results that it has.')),
  completedAt: optional(time('When it completed.')),
});

const notification = object('One message.', {
  name: text('Name of the NotificationRequest.'),
  type: text('What kind of message it is.'),
  subject: text('The message in one line.'),
  phase: text('State of its delivery.'),
  createdAt: time('When it was created.'),
  completedAt: optional(time('When its delivery ended.')),
  attempts: list(
    'Attempts to deliver it.',
    object('One attempt.', {
      channel: text('Channel.'),
      at: time('When.'),
      status: text('How it went.'),
      error: optional(text('What went wrong.')),
    }),
  ),
});

/** One remediation whole. */
export const remediationSchema = named(
  'Remediation',
  object('One remediation with everything that is known about it.', {
    summary: remediationSummary,
    signal,
    gates: list('Every gate on the way to an execution, in their order.', gateSchema),
    blocker: optional(
      object('What blocks it now, or its signal where it has ended.', {
        gate: text('The gate.'),
        state: enumOf('`unknown`: whether it blocks could not be read.', ['closed', 'unknown']),
        message: text('Why.'),
        object: optional(object('The object that blocks.', { kind: text('Kind.'), name: text('Name.') })),
      }),
    ),
    next: object('What moves it on.', {
      what: text('What happens next.'),
      at: optional(time('When it happens, or is decided at the latest.')),
      checkAgainAt: optional(time('When it is checked again if nothing happens before.')),
      commands: texts('Commands with which a person can move it on.'),
    }),
    timeline: list('What happened, the oldest first.', timelineEvent),
    analysis: optional(analysis),
    plan: optional(plan),
    approval: optional(approvalSchema),
    execution: optional(execution),
    assessment: optional(assessment),
    notifications: list('Messages about it.', notification),
    limits: object('Time limits.', {
      deadline: optional(time('When the limit of its phase passes.')),
      activeSeconds: optional(decimal('Active time so far; time in Blocked does not count.')),
    }),
    related: object('Other remediations.', {
      duplicateOf: optional(text('The remediation that works on the same problem.')),
      duplicates: texts('Remediations that wait for this one.'),
      undoOf: optional(text('The remediation whose change this one rolls back.')),
      undoneBy: optional(text('The remediation that rolls this one back.')),
    }),
    mayCancel: flag('Whether it can be cancelled: it has not ended.'),
    refusal: optional(
      object('A person rejected or cancelled it.', { by: text('The user.'), until: time('Until then the same plan is not proposed.') }),
    ),
  }),
);
export type Remediation = Shape<typeof remediationSchema>;

/** What a run wrote. */
export const runLogs = named(
  'RunLogs',
  object('The last lines of the containers of a run.', {
    containers: list(
      'One entry per container.',
      object('One container.', {
        pod: text('Name of the pod.'),
        container: text('Name of the container.'),
        text: text('The last lines.'),
        truncated: flag('Whether there are earlier lines.'),
      }),
    ),
    message: optional(text('Why there are none.')),
  }),
);
export type RunLogs = Shape<typeof runLogs>;

export const logsQuery = object('How much of the logs.', {
  lines: optional(int32('Lines per container at most.', { min: 1, max: 5000, default: 500 })),
});

export const cancelBody = object('Why it is cancelled.', {
  reason: text('What is recorded as the reason.', { min: 1, max: 1024 }),
});

export const cancelled = named(
  'Cancelled',
  object('The recorded request to cancel.', { name: text('Name of the RemediationRequest.'), by: text('The user.') }),
);
export type Cancelled = Shape<typeof cancelled>;

export const clearBody = object('Which block is cleared, and why.', {
  name: text('A WorkflowExecution on the target, or the target itself, e.g. shop/Deployment/checkout.', { min: 1, max: 512 }),
  reason: text('What was found and done; it is recorded.', { min: 1, max: 1024 }),
});

export const clearedBlock = named(
  'ClearedBlock',
  object('What was cleared.', {
    target: text('The target.'),
    executions: texts('Executions that blocked it.'),
    requests: texts('Remediations that suppressed its signals.'),
    by: text('The user.'),
  }),
);
export type ClearedBlock = Shape<typeof clearedBlock>;
