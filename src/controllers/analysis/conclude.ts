import {
  objectSeen,
  selectWorkflow,
  targetName,
  type Diagnosis,
  type Evidence,
  type PastRemediation,
  type Selection,
} from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { toTime, type Instant } from '../../base/index.ts';
import { fingerprint, knownSpecHash } from '../target/index.ts';
import { circumstances } from './workflow-requirements.ts';
import { snapshotWorkflow } from './snapshot-workflow.ts';

type Status = NonNullable<AIAnalysis['status']>;
type Diagnosed = Extract<Diagnosis, { kind: 'Diagnosed' }>;

/** What an investigation came to, as it will stand on the status. */
export type Conclusion =
  { readonly phase: 'Analyzing'; readonly status: Partial<Status> } | { readonly phase: 'Completed'; readonly status: Partial<Status> };

/** Why nothing can be concluded yet. */
export interface NotYet {
  readonly phase: 'Investigating';
  readonly reason: string;
}

/** The target is well: nothing is to be done. */
export const nothingToDo = ({ spec }: AIAnalysis, reason: string): Conclusion => ({
  phase: 'Completed',
  status: {
    reason: 'WorkflowNotNeeded',
    subReason: 'ProblemResolved',
    needsHumanReview: false,
    message: `${reason}: nothing to do. If ${spec.analysisRequest.signalContext.signalName} still fires, look at what it measures.`,
  },
});

/** No rule knows the cause: a person has to look. */
export const askPerson = ({ spec }: AIAnalysis, { reason, advice }: Extract<Diagnosis, { kind: 'Unclear' }>): Conclusion => ({
  phase: 'Completed',
  status: {
    reason: 'NoWorkflowSelected',
    subReason: 'InvestigationInconclusive',
    needsHumanReview: true,
    humanReviewReason: 'investigation_inconclusive',
    message: `${reason}; ${advice}`,
    rootCauseAnalysis: { summary: reason, signalType: spec.analysisRequest.signalContext.signalName },
  },
});

/** What a plan is made from. */
interface Grounds {
  readonly diagnosis: Diagnosed;
  readonly evidence: Evidence;
  readonly catalogue: readonly RemediationWorkflow[];
  readonly past: readonly PastRemediation[];
}

/** The cause is known: is there a workflow against it? */
export function choosePlan({ spec }: AIAnalysis, found: Grounds, now: Instant): Conclusion | NotYet {
  const { diagnosis, evidence, catalogue, past } = found;
  const selection = selectWorkflow(catalogue, circumstances(spec, diagnosis), past);
  const cause = causeOf(spec, diagnosis, evidence);
  if (selection.kind === 'None') return { phase: 'Completed', status: { ...cause, ...withoutWorkflow(diagnosis, selection) } };
  if (selection.workflow.spec.dryRun === true)
    return { phase: 'Completed', status: { ...cause, ...onlyProposed(diagnosis, selection.workflow.metadata.name) } };
  const unseen = whyNotWhole(evidence);
  if (unseen !== undefined) return { phase: 'Investigating', reason: unseen };
  return {
    phase: 'Analyzing',
    status: {
      ...cause,
      selectedWorkflow: snapshotWorkflow(selection.workflow, {
        confidence: diagnosis.confidence,
        rationale: [selection.workflow.spec.description.what, ...selection.notes].join('; '),
        parameters: selection.parameters,
        selectedAt: toTime(now),
      }),
      ...(selection.notes.length > 0 && { warnings: selection.notes }),
      message: `${diagnosis.cause}; ${selection.workflow.metadata.name} is proposed`,
    },
  };
}

function causeOf(spec: AIAnalysis['spec'], diagnosis: Diagnosed, evidence: Evidence): Partial<Status> {
  return {
    rootCause: diagnosis.cause,
    rootCauseAnalysis: {
      summary: diagnosis.cause,
      signalType: diagnosis.fault,
      severity: spec.analysisRequest.signalContext.severity,
      contributingFactors: diagnosis.evidence,
      remediationTarget: pinned(diagnosis, evidence),
    },
    actionability: 'Actionable',
  };
}

/** The very object that was looked at: a plan for it is void once it is another one, has another spec or other ConfigMaps. */
function pinned({ target: { kind, name, namespace } }: Diagnosed, evidence: Evidence) {
  const at = { kind, name, ...(namespace !== undefined && { namespace }) };
  const object = objectSeen(evidence);
  if (!object) return at;
  const specHash = knownSpecHash(object);
  const apiVersion = evidence.kind === 'Node' ? 'v1' : 'apps/v1';
  return { ...at, apiVersion, uid: object.metadata.uid, ...(specHash !== undefined && { specHash }) };
}

/** A plan for what was not seen whole could not be told from a stale one. */
function whyNotWhole(evidence: Evidence): string | undefined {
  const object = objectSeen(evidence);
  const seen = object && fingerprint(object);
  return !seen || seen.isComplete ? undefined : `reading what the pods of ${targetName(evidence.target)} are given: ${seen.reason}`;
}

const withoutWorkflow = (diagnosis: Diagnosed, { cause, reason }: Extract<Selection, { kind: 'None' }>): Partial<Status> => ({
  ...(cause === 'unfit'
    ? { reason: 'NoWorkflowSelected', subReason: 'ParameterValidationFailed', humanReviewReason: 'parameter_validation_failed' }
    : { reason: 'AnalysisCompleted', subReason: 'NoMatchingWorkflows', humanReviewReason: 'no_matching_workflows' }),
  needsHumanReview: true,
  message: `${diagnosis.cause}. Nothing is done about ${targetName(diagnosis.target)}: ${reason}`,
});

/** Whoever marked the workflow wants to see what it would do before it does anything. */
const onlyProposed = ({ cause, target }: Diagnosed, workflow: string): Partial<Status> => ({
  reason: 'NoWorkflowSelected',
  needsHumanReview: true,
  message: `${cause}. ${workflow} would be run on ${targetName(target)}, but is marked dryRun: nothing was run`,
});
