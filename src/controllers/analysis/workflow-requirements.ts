import type { Circumstances } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { Target } from '../target/index.ts';

/** What is to be done to what. */
interface Wish {
  readonly actionType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly target: Target;
}

/** What a workflow must fit. Target parameters come from the target that was looked at, and nothing else may set them. */
export function circumstances(spec: AIAnalysis['spec'], { actionType, parameters, target }: Wish): Circumstances {
  const { severity, environment, businessPriority, enrichmentResults } = spec.analysisRequest.signalContext;
  return {
    actionType,
    severity,
    component: target.kind,
    environment,
    priority: businessPriority,
    cluster: spec.clusterID ?? '',
    customLabels: enrichmentResults.kubernetesContext?.customLabels ?? {},
    parameters: {
      ...parameters,
      TARGET_RESOURCE_KIND: target.kind,
      TARGET_RESOURCE_NAME: target.name,
      TARGET_RESOURCE_NAMESPACE: target.namespace ?? '',
    },
  };
}
