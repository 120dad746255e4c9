import {
  objectSeen,
  selectWorkflow,
  targetName,
  type Diagnosis,
  type Evidence,
  type EarlierRemediation,
  type Selection,
} from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { toTime, type Instant } from '../../base/index.ts';
import { fingerprint, knownSpecHash } from '../target/index.ts';
import { workflowRequirements } from './workflow-requirements.ts';
import { snapshotWorkflow } from '../plan/index.ts';
import { handOverText } from './hand-over-text.ts';

type Status = NonNullable<AIAnalysis['status']>;
type Diagnosed = Extract<Diagnosis, { kind: 'Diagnosed' }>;

/** The result of an investigation, as it is written to status. */
export type Conclusion =
  { readonly phase: 'Analyzing'; readonly status: Partial<Status> } | { readonly phase: 'Completed'; readonly status: Partial<Status> };

/** Why there is no conclusion yet. */
export interface NotYet {
  readonly phase: 'Investigating';
  readonly reason: string;
  /** Set while the target is seen and may settle by itself; absent when something could not be read. */
  readonly settlesBy?: Instant;
}

/** The target is healthy: no action is needed. */
export const noActionNeeded = ({ spec }: AIAnalysis, reason: string): Conclusion => ({
  phase: 'Completed',
  status: {
    reason: 'WorkflowNotNeeded',
    subReason: 'ProblemResolved',
    needsHumanReview: false,
    message: `${reason}: no action is needed. If ${spec.analysisRequest.signalContext.signalName} still fires, check what it measures.`,
  },
});

/** No rule is sure of the cause: it needs manual review, with all that was found. */
export const requestReview = ({ spec }: AIAnalysis, unclear: Extract<Diagnosis, { kind: 'Unclear' }>): Conclusion => ({
  phase: 'Completed',
  status: {
    reason: 'NoWorkflowSelected',
    subReason: 'InvestigationInconclusive',
    needsHumanReview: true,
    humanReviewReason: 'investigation_inconclusive',
    message: handOverText(unclear),
    rootCauseAnalysis: {
      summary: unclear.reason,
      signalType: spec.analysisRequest.signalContext.signalName,
      ...(unclear.facts && unclear.facts.length > 0 && { contributingFactors: unclear.facts }),
    },
  },
});

/** What a plan is made from. */
interface Grounds {
  readonly diagnosis: Diagnosed;
  readonly evidence: Evidence;
  readonly catalogue: readonly RemediationWorkflow[];
  readonly history: readonly EarlierRemediation[];
}

/** The cause is known: selects a workflow against it. */
export function choosePlan({ spec }: AIAnalysis, found: Grounds, now: Instant): Conclusion | NotYet {
  const { diagnosis, evidence, catalogue, history } = found;
  const selection = selectWorkflow(catalogue, workflowRequirements(spec, diagnosis), history);
  const cause = causeOf(spec, diagnosis, evidence);
  if (selection.kind === 'None') return { phase: 'Completed', status: { ...cause, ...withoutWorkflow(diagnosis, selection) } };
  if (selection.workflow.spec.dryRun === true)
    return { phase: 'Completed', status: { ...cause, ...onlyProposed(diagnosis, selection.workflow.metadata.name) } };
  const incomplete = whyIncomplete(evidence);
  if (incomplete !== undefined) return { phase: 'Investigating', reason: incomplete };
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
      remediationTarget: pinnedTarget(diagnosis, evidence),
    },
    actionability: 'Actionable',
  };
}

/** Exactly the object that was read: a plan for it is void once the object is replaced, or its spec or ConfigMaps change. */
function pinnedTarget({ target: { kind, name, namespace } }: Diagnosed, evidence: Evidence) {
  const at = { kind, name, ...(namespace !== undefined && { namespace }) };
  const object = objectSeen(evidence);
  if (!object) return at;
  const specHash = knownSpecHash(object);
  const apiVersion = evidence.kind === 'Node' ? 'v1' : 'apps/v1';
  return { ...at, apiVersion, uid: object.metadata.uid, ...(specHash !== undefined && { specHash }) };
}

/** Without all its ConfigMaps a target has no digest, so that a stale plan for it could not be detected. */
function whyIncomplete(evidence: Evidence): string | undefined {
  const object = objectSeen(evidence);
  const seen = object && fingerprint(object);
  return !seen || seen.isComplete
    ? undefined
    : `reading the ConfigMaps that the pods of ${targetName(evidence.target)} use: ${seen.reason}`;
}

const withoutWorkflow = (diagnosis: Diagnosed, { cause, reason }: Extract<Selection, { kind: 'None' }>): Partial<Status> => ({
  ...(cause === 'unfit'
    ? { reason: 'NoWorkflowSelected', subReason: 'ParameterValidationFailed', humanReviewReason: 'parameter_validation_failed' }
    : { reason: 'AnalysisCompleted', subReason: 'NoMatchingWorkflows', humanReviewReason: 'no_matching_workflows' }),
  needsHumanReview: true,
  message: `${diagnosis.cause}. Nothing is run on ${targetName(diagnosis.target)}: ${reason}`,
});

/** A catalogue entry marked dryRun is only proposed. */
const onlyProposed = ({ cause, target }: Diagnosed, workflow: string): Partial<Status> => ({
  reason: 'NoWorkflowSelected',
  needsHumanReview: true,
  message: `${cause}. ${workflow} would be run on ${targetName(target)}, but is marked dryRun: nothing was run`,
});
