import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { NOW, TARGET } from '../../../analyst/testing/a-deployment.ts';
import { after, MINUTE, toTime } from '../../../base/index.ts';

type Spec = AIAnalysis['spec'];
type Status = NonNullable<AIAnalysis['status']>;

export { NOW };
export const TIMES_OUT_AT = toTime(after(NOW, 10 * MINUTE));

export interface Options {
  readonly status?: Partial<Status>;
  readonly context?: Partial<Spec['analysisRequest']['signalContext']>;
  readonly timesOutAt?: string | undefined;
}

/** An analysis of a Deployment in staging, ten minutes before its time is over. */
export function anAnalysis(options: Options = {}): AIAnalysis {
  const timesOutAt = 'timesOutAt' in options ? options.timesOutAt : TIMES_OUT_AT;
  return {
    apiVersion: apiVersionOf(AIAnalysis),
    kind: 'AIAnalysis',
    metadata: {
      name: 'ai-rr-1',
      namespace: 'sickbay-system',
      uid: 'uid-ai',
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: toTime(NOW),
    },
    spec: {
      remediationRequestRef: { name: 'rr-1' },
      remediationId: 'rr-1',
      analysisRequest: {
        signalContext: {
          fingerprint: 'b7'.repeat(32),
          severity: 'critical',
          signalName: 'KubePodCrashLooping',
          environment: 'Staging',
          businessPriority: 'P1',
          targetResource: TARGET,
          enrichmentResults: {},
          ...options.context,
        },
        analysisTypes: ['Investigation', 'RootCause', 'WorkflowSelection'],
      },
      ...(timesOutAt !== undefined && { timesOutAt }),
    },
    ...(options.status && { status: { phase: 'Investigating', needsHumanReview: false, approvalRequired: false, ...options.status } }),
  };
}
