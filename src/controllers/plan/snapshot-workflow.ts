import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { clip } from '../../base/index.ts';
import { COMMON_ACCOUNT, workflowIdOf } from '../execution/index.ts';

type SelectedWorkflow = NonNullable<NonNullable<AIAnalysis['status']>['selectedWorkflow']>;

/** Copied from stage to stage, and into messages. */
const LONGEST_RATIONALE = 1_000;

/**
 * The workflow as the catalogue has it now, with its parameters: a later edit of the catalogue does not change the plan. What the entry does
 * not set is recorded as empty, since an execution takes from the catalogue what its plan leaves unset.
 */
export function snapshotWorkflow(
  { metadata, spec, status }: RemediationWorkflow,
  chosen: Pick<SelectedWorkflow, 'confidence' | 'rationale' | 'selectedAt'> & { readonly parameters: Readonly<Record<string, string>> },
): SelectedWorkflow {
  const { engine, bundle = '', bundleDigest, engineConfig = {}, serviceAccountName = COMMON_ACCOUNT } = spec.execution;
  return {
    workflowId: workflowIdOf({ metadata, status }),
    workflowName: metadata.name,
    version: spec.version,
    actionType: spec.actionType,
    executionBundle: bundle,
    executionEngine: engine,
    ...(bundleDigest !== undefined && { executionBundleDigest: bundleDigest }),
    engineConfig,
    serviceAccountName,
    dependencies: spec.dependencies ?? {},
    declaredParameterNames: Object.fromEntries(spec.parameters.map(({ name }) => [name, true])),
    ...chosen,
    rationale: clip(chosen.rationale, LONGEST_RATIONALE),
  };
}
