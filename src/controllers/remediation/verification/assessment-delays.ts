import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { formatDuration } from '../../../base/index.ts';
import { isGitOps, managedBy } from '../../../scope/index.ts';
import type { Settings } from '../../settings.ts';
import type { Target } from '../../target/index.ts';

/** What is known of the remediation: its analysis, and the target as it was read after the run. */
interface Known {
  readonly analysis?: AIAnalysis | undefined;
  readonly object?: KubeObject | undefined;
}

/**
 * When an assessment may read the target and the alert. Where other controllers propagate a change, their time is added: GitOps tools sync
 * it, operators reconcile their custom resources, and a predicted alert takes longer to resolve.
 */
export function assessmentConfig(
  target: Target,
  { analysis, object }: Known,
  { propagation, stabilizationMs }: Settings,
): EffectivenessAssessment['spec']['config'] {
  const gitOpsMs = isAppliedByGitOps(object) || isCalledGitOps(analysis) ? propagation.gitOpsSyncMs : 0;
  const operatorMs = isBuiltIn(target.apiVersion) ? 0 : propagation.operatorReconcileMs;
  const alertMs = isForecast(analysis) ? propagation.proactiveAlertMs : 0;
  return {
    stabilizationWindow: formatDuration(stabilizationMs),
    ...(gitOpsMs + operatorMs > 0 && { hashComputeDelay: formatDuration(gitOpsMs + operatorMs) }),
    ...(alertMs > 0 && { alertCheckDelay: formatDuration(alertMs) }),
  };
}

/** By its own labels and annotations. */
function isAppliedByGitOps(object: KubeObject | undefined): boolean {
  const manager = object && managedBy(object);
  return manager !== undefined && isGitOps(manager);
}

/** Another analyst than Sickbay's own may know more. */
const isCalledGitOps = (analysis: AIAnalysis | undefined): boolean =>
  analysis?.status?.postRCAContext?.detectedLabels?.gitOpsManaged === true;

const isForecast = (analysis: AIAnalysis | undefined): boolean => analysis?.spec.analysisRequest.signalContext.signalMode === 'proactive';

/** Kubernetes' own API groups have no dot (apps, batch, none at all) or end in k8s.io; all others are custom resources. */
function isBuiltIn(apiVersion = ''): boolean {
  const [group = ''] = apiVersion.split('/');
  return !group.includes('.') || group.endsWith('.k8s.io');
}
