import type { AssessmentReason } from '../api/effectiveness-assessment/effectiveness-assessment.ts';
import { measuredShare, overallScore } from '../api/effectiveness-assessment/overall-score.ts';
import { given } from '../base/index.ts';
import type { AuditEvent, AuditType } from './audit-log.ts';

/** One workflow that ran on a target, and what came of it. What is absent is not known. */
export interface HistoryEntry {
  /** Name of the RemediationRequest; names come back, its UID does not. */
  readonly remediation: string;
  readonly remediationUID?: string;
  /** Empty for the local cluster. */
  readonly cluster: string;
  /** As namespace/Kind/name. */
  readonly target: string;
  readonly targetUID?: string;
  /** What manages the target in the end, where that is another resource. */
  readonly root?: string;
  /** When the run was over. */
  readonly completedAt: string;
  readonly workflow: { readonly id: string; readonly name?: string; readonly version?: string };
  readonly actionType?: string;
  readonly signal?: string;
  readonly signalFingerprint?: string;
  readonly execution: 'Completed' | 'Failed';
  /** Of the RemediationRequest. */
  readonly outcome?: string;
  readonly preRemediationSpecHash?: string;
  readonly postRemediationSpecHash?: string;
  /** Of the root, where that is another resource. */
  readonly rootSpecHash?: string;
  readonly assessmentReason?: AssessmentReason;
  readonly assessedAt?: string;
  /** Computed from the recorded results, whenever it is read. */
  readonly effectivenessScore?: number;
  /** The share of the weights that the score rests on, from 0 to 1. */
  readonly measuredShare?: number;
  readonly signalResolved?: boolean;
}

/** What tells that a workflow is over. */
export const RUN_ENDS = [
  'workflowexecution.workflow.completed',
  'workflowexecution.workflow.failed',
] as const satisfies readonly AuditType[];

/** The remediations that the events of one correlation id tell of. Those that failed before anything ran are none. */
export function entriesOf(events: readonly AuditEvent[]): readonly HistoryEntry[] {
  return events
    .filter(({ type, data }) => (RUN_ENDS as readonly AuditType[]).includes(type) && data['wasExecutionFailure'] !== false)
    .map((run) => entryOf(run, new Story(ofSameRequest(events, requestOf(run)))));
}

/** The hash of the target before the workflow ran, as far as the events tell. */
export const preHashIn = (events: readonly AuditEvent[], request?: string): string | undefined =>
  preHashOf(new Story(ofSameRequest(events, request)));

/** Events from before requests were named by UID are taken for the request's: its name is all that is known. */
const ofSameRequest = (events: readonly AuditEvent[], request: string | undefined): readonly AuditEvent[] =>
  events.filter((event) => request === undefined || (requestOf(event) ?? request) === request);

const requestOf = ({ subject, data }: AuditEvent): string | undefined =>
  subject.kind === 'RemediationRequest' ? subject.uid : textIn(data['request']);

/** What the events of one remediation say. */
class Story {
  readonly #events: readonly AuditEvent[];

  constructor(events: readonly AuditEvent[]) {
    this.#events = events;
  }

  event(type: AuditType): AuditEvent | undefined {
    return this.#events.find((event) => event.type === type);
  }

  text(type: AuditType, member: string): string | undefined {
    return textIn(this.event(type)?.data[member]);
  }

  number(type: AuditType, member: string): number | undefined {
    const value = this.event(type)?.data[member];
    return typeof value === 'number' ? value : undefined;
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const ENDED = 'effectiveness.assessment.completed';
const HASHES = 'effectiveness.hash.computed';
const CREATED = 'orchestrator.lifecycle.created';

function entryOf(run: AuditEvent, story: Story): HistoryEntry {
  const told = (member: string): string | undefined => textIn(run.data[member]);
  return {
    remediation: run.correlationId,
    cluster: told('cluster') ?? '',
    target: told('target') ?? '',
    completedAt: run.at,
    workflow: { id: told('workflowId') ?? '', ...given({ name: told('workflow'), version: told('version') }) },
    execution: run.type === 'workflowexecution.workflow.completed' ? 'Completed' : 'Failed',
    ...given({
      remediationUID: requestOf(run) ?? story.event(CREATED)?.subject.uid,
      targetUID: told('targetUID'),
      actionType: told('actionType'),
      signal: story.text(CREATED, 'signal'),
      signalFingerprint: story.text(CREATED, 'fingerprint'),
      outcome: story.text('orchestrator.lifecycle.completed', 'outcome') ?? story.text('orchestrator.lifecycle.transitioned', 'phase'),
      root: story.text(HASHES, 'root'),
      preRemediationSpecHash: preHashOf(story),
      postRemediationSpecHash: story.text(HASHES, 'post'),
      rootSpecHash: story.text(HASHES, 'rootPost'),
      ...resultsOf(story),
    }),
  };
}

/** Recorded with the assessment, and before that with the request. */
const preHashOf = (story: Story): string | undefined =>
  story.text(HASHES, 'pre') ??
  story.text('orchestrator.lifecycle.verifying_started', 'preRemediationSpecHash') ??
  story.text('orchestrator.lifecycle.completed', 'preRemediationSpecHash') ??
  story.text('orchestrator.lifecycle.failed', 'preRemediationSpecHash');

function resultsOf(story: Story) {
  const ended = story.event(ENDED);
  if (!ended) return {};
  const assessmentReason = story.text(ENDED, 'reason') as AssessmentReason | undefined;
  const alertScore = story.number('effectiveness.alert.assessed', 'score');
  const scores = given({
    healthScore: story.number('effectiveness.health.assessed', 'score'),
    alertScore,
    metricsScore: story.number('effectiveness.metrics.assessed', 'score'),
  });
  return {
    assessmentReason,
    assessedAt: ended.at,
    effectivenessScore: overallScore(scores, assessmentReason),
    measuredShare: measuredShare(scores),
    signalResolved: alertScore === undefined ? undefined : alertScore > 0,
  };
}
