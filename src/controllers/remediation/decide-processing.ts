import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { toTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { childOf } from './child.ts';
import { referenceToBe, signalProcessingFor } from './children.ts';
import { failed, followChild, gaveUpAt } from './follow.ts';
import { healed } from './healed.ts';
import type { RemediationSeen } from './observe.ts';
import { describeTarget } from './plan.ts';
import { end, enter, stay } from './status.ts';
import { deadlineIn } from './timeouts.ts';

/** Waits for the SignalProcessing. It changes nothing in the cluster, so that one that was deleted is simply made again. */
export function decideProcessing({ object, processing }: RemediationSeen, now: Instant, settings: Settings): Decision {
  const gone = healed(object);
  if (gone) return end(object, gone, now);
  const deadline = deadlineIn('Processing', object, settings);
  return followChild(
    object,
    {
      phase: 'Processing',
      stage: 'SignalProcessing',
      reference: 'signalProcessingRef',
      child: childOf(processing, { owner: object }),
      deadline,
      create: () => {
        const create = { kind: 'Create', resource: SignalProcessing, object: signalProcessingFor(object, deadline.at) } as const;
        return stay(object, { now, deadline: deadline.at }, { effects: [create] });
      },
      follow: (child, request) =>
        child.status?.phase === 'Failed' && gaveUpAt(deadline, child.status.completionTime)
          ? undefined
          : followProcessing(child, request, now),
      describe: ({ metadata, status }) =>
        status?.error ?? `${metadata.name} was still ${status?.phase ?? 'new'}; see whether its target can be read`,
    },
    now,
  );
}

function followProcessing({ metadata, status }: SignalProcessing, request: RemediationRequest, now: Instant): Decision | undefined {
  if (status?.phase === 'Failed')
    return end(request, failed('SignalProcessing', status.error ?? `${metadata.name} failed without a reason`), now);
  if (status?.phase !== 'Completed') return undefined;
  return enter(request, 'Analyzing', now, {
    analyzingStartTime: toTime(now),
    aiAnalysisRef: referenceToBe(AIAnalysis, request, childNames(request.metadata.name).analysis),
    message: `looking for the cause of ${request.spec.signalName} on ${describeTarget(request.spec.targetResource)}`,
  });
}
