import type { WorkflowRequirements } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { Target } from '../target/index.ts';
import { targetParameters } from '../target/index.ts';

/** An action on a target. */
interface WantedAction {
  readonly actionType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly target: Target;
}

/** What a workflow must match to be selected. The target parameters come from the target that was read; nothing else may set them. */
export function workflowRequirements(spec: AIAnalysis['spec'], { actionType, parameters, target }: WantedAction): WorkflowRequirements {
  const { severity, environment, businessPriority, enrichmentResults } = spec.analysisRequest.signalContext;
  return {
    actionType,
    severity,
    component: target.kind,
    environment,
    priority: businessPriority,
    cluster: spec.clusterID ?? '',
    customLabels: enrichmentResults.kubernetesContext?.customLabels ?? {},
    parameters: { ...parameters, ...targetParameters(target) },
  };
}
