import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { formatDuration } from '../../../base/index.ts';
import type { Settings } from '../../settings.ts';
import type { Target } from '../../target/index.ts';

/**
 * When an assessment may look. Where others carry on what a workflow changed, their time is added: GitOps tools sync it, operators reconcile
 * what is of a kind of their own, and the alert of a forecast takes longer to go.
 */
export function assessmentConfig(
  target: Target,
  analysis: AIAnalysis | undefined,
  { propagation, stabilizationMs }: Settings,
): EffectivenessAssessment['spec']['config'] {
  const gitOpsMs = isGitOps(analysis) ? propagation.gitOpsSyncMs : 0;
  const operatorMs = isBuiltIn(target.apiVersion) ? 0 : propagation.operatorReconcileMs;
  const alertMs = isForecast(analysis) ? propagation.proactiveAlertMs : 0;
  return {
    stabilizationWindow: formatDuration(stabilizationMs),
    ...(gitOpsMs + operatorMs > 0 && { hashComputeDelay: formatDuration(gitOpsMs + operatorMs) }),
    ...(alertMs > 0 && { alertCheckDelay: formatDuration(alertMs) }),
  };
}

const isGitOps = (analysis: AIAnalysis | undefined): boolean => analysis?.status?.postRCAContext?.detectedLabels?.gitOpsManaged === true;

const isForecast = (analysis: AIAnalysis | undefined): boolean => analysis?.spec.analysisRequest.signalContext.signalMode === 'proactive';

/** Groups of Kubernetes itself have no dot (apps, batch, none at all) or end in k8s.io; everything else is somebody's own kind. */
function isBuiltIn(apiVersion = ''): boolean {
  const [group = ''] = apiVersion.split('/');
  return !group.includes('.') || group.endsWith('.k8s.io');
}
