import { phaseNames } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { BLOCK_REASONS, OUTCOMES } from '../../api/remediation-request/status.ts';
import { enumOf, fraction, int32, object, optional, text, time, type Shape } from '../../api/schema/index.ts';
import { named, pageOf, pageQuery, resourceRef } from './parts.ts';

/** What a person has to do. */
const ATTENTION = ['none', 'approval', 'blocked', 'review'] as const;

/** The states by which remediations are filtered. */
const STATES = ['all', 'active', 'attention', 'finished'] as const;

/** Orders of the list; with a minus in front the other way round. */
const SORTS = ['created', '-created', 'severity', '-severity', 'phase', '-phase', 'target', '-target', 'signal', '-signal'] as const;

const phase = () => enumOf('Phase of the remediation.', phaseNames(remediationPhases));

/** A remediation as a row of a list. */
export const remediationSummary = named(
  'RemediationSummary',
  object('A remediation as a row of a list.', {
    name: text('Name of the RemediationRequest.'),
    uid: text('Its UID.'),
    namespace: text('Its namespace.'),
    version: text('Changes whenever the row changes.'),
    createdAt: time('When it was opened.'),
    startedAt: optional(time('When work on it began.')),
    completedAt: optional(time('When it ended.')),
    phase: phase(),
    outcome: optional(enumOf('How it ended.', OUTCOMES)),
    message: optional(text('The state in one sentence.')),
    attention: enumOf(
      'What a person has to do: decide about an approval, see what blocks it, or review its target; `none` for most.',
      ATTENTION,
    ),
    signal: object('What was reported.', {
      name: text('Name of the alert.'),
      source: optional(text('Adapter that received it, e.g. prometheus.')),
      count: int32('How often it was received.', { min: 0 }),
      lastSeenAt: optional(time('When it was last received.')),
    }),
    severity: text('Severity: critical, high, medium, low, warning, info, unknown, or in the words of the source.'),
    priority: optional(text('Priority, P0 to P3.')),
    environment: optional(text('Environment of the target.')),
    cluster: optional(text('Cluster of the target; absent for the local one.')),
    target: resourceRef,
    cause: optional({ ...resourceRef, description: 'The resource that the analysis blames, once it is known.' }),
    workflow: optional(text('The selected workflow with its version.')),
    confidence: optional(fraction('How sure the plan is.')),
    score: optional(fraction('How effective it was; absent while it is unknown.')),
    blockReason: optional(enumOf('The check that blocks it.', BLOCK_REASONS)),
    blockedUntil: optional(time('When the block ends by itself.')),
    failureReason: optional(text('Why it failed.')),
  }),
);
export type RemediationSummary = Shape<typeof remediationSummary>;

export const remediationList = pageOf('RemediationList', remediationSummary);
export type RemediationList = Shape<typeof remediationList>;

export const remediationQuery = object('Filters of the list; all of them apply.', {
  ...pageQuery,
  state: optional(enumOf('Unfinished ones, those that wait for a person, or finished ones.', STATES, { default: 'all' })),
  phase: optional(text('Phases, separated by commas.', { max: 200 })),
  outcome: optional(text('Outcomes, separated by commas.', { max: 200 })),
  severity: optional(text('Severities, separated by commas.', { max: 200 })),
  namespace: optional(text('Namespace of the target.', { max: 63 })),
  kind: optional(text('Kind of the target.', { max: 63 })),
  signal: optional(text('Name of the alert.', { max: 253 })),
  workflow: optional(text('Name of the workflow.', { max: 253 })),
  cluster: optional(text('Cluster of the target.', { max: 253 })),
  search: optional(text('Text that the name, alert, target, workflow or message contains, in any case.', { max: 253 })),
  since: optional(time('Opened at this time or later.')),
  until: optional(time('Opened before this time.')),
  sort: optional(enumOf('The order; with a minus in front the other way round.', SORTS, { default: '-created' })),
});
export type RemediationQuery = Shape<typeof remediationQuery>;
