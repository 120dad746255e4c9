import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../api/effectiveness-assessment/overall-score.ts';
import { isTerminal } from '../../api/phases.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { given, parseTime } from '../../base/index.ts';
import type { Workflow } from '../contract/index.ts';
import { median } from './summary.ts';

/** A run of a workflow with what became of its remediation. */
export interface WorkflowRun {
  readonly execution: WorkflowExecution;
  readonly request?: RemediationRequest | undefined;
  readonly assessment?: EffectivenessAssessment | undefined;
}

/** A workflow of the catalogue, with its runs so far. */
export function workflowView({ metadata, spec, status = {} }: RemediationWorkflow, runs: readonly WorkflowRun[]): Workflow {
  const { labels, description, execution } = spec;
  const notReady = status.conditions?.find((one) => one.type === 'Ready' && one.status !== 'True');
  return {
    name: metadata.name,
    version: spec.version,
    revision: metadata.resourceVersion,
    actionType: spec.actionType,
    what: description.what,
    engine: execution.engine,
    status: status.catalogStatus ?? 'Active',
    severities: labels.severity,
    components: labels.component,
    environments: labels.environment,
    dryRun: spec.dryRun ?? false,
    parameters: spec.parameters.map(parameterView),
    statistics: statisticsOf(runs),
    ...given({ whenToUse: description.whenToUse, message: notReady?.message }),
  };
}

type Parameter = RemediationWorkflow['spec']['parameters'][number];

const parameterView = ({
  name,
  type,
  required,
  description,
  default: initial,
  enum: values,
}: Parameter): Workflow['parameters'][number] => ({
  name,
  type,
  required,
  description,
  ...given({ default: initial, enum: values }),
});

/** The workflow that an execution runs, by its name in the catalogue. */
export const workflowNameOf = ({ spec }: WorkflowExecution): string => spec.workflowRef.workflowName ?? spec.workflowRef.workflowId;

/** How well the runs worked. Skipped ones never ran. */
function statisticsOf(all: readonly WorkflowRun[]): Workflow['statistics'] {
  const runs = all.filter(({ execution }) => !execution.status?.skipDetails);
  const finished = runs.filter(({ execution }) => isTerminal(executionPhases, execution.status?.phase));
  const succeeded = finished.filter(({ execution }) => execution.status?.phase === 'Completed');
  const scores = finished.flatMap(({ assessment }) => {
    const { components, assessmentReason } = assessment?.status ?? {};
    return (assessment && overallScore(components, assessmentReason)) ?? [];
  });
  const lastRunAt = runs
    .flatMap(({ execution }) => execution.status?.startTime ?? [])
    .toSorted()
    .at(-1);
  return {
    runs: finished.length,
    succeeded: succeeded.length,
    failed: finished.length - succeeded.length,
    active: runs.length - finished.length,
    remediated: finished.filter(({ request }) => request?.status?.outcome === 'Remediated').length,
    ...given({
      successRate: finished.length === 0 ? undefined : succeeded.length / finished.length,
      averageScore: scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length,
      medianSeconds: median(finished.flatMap(secondsOf)),
      lastRunAt,
    }),
  };
}

function secondsOf({ execution: { status = {} } }: WorkflowRun): readonly number[] {
  const [from, to] = [parseTime(status.startTime), parseTime(status.completionTime)];
  return from === undefined || to === undefined ? [] : [Math.max(0, (to - from) / 1000)];
}
