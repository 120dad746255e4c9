import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { hasCode } from '../../base/index.ts';
import { targetAddress, type Target } from '../../controllers/target/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { analysisEnd, assessmentEnd, LEAVES, notificationEnd, processingEnd } from './child-results.ts';
import { Executions, type ExecutionWorld } from './fake-executions.ts';
import { decideApproval } from './decide-approval.ts';
import { playStandIn, report } from './fake-controller.ts';

/** Plays the controllers of all six kinds of children, on whatever API the client reaches, until the signal. */
export async function playStandIns(world: ExecutionWorld, signal: AbortSignal): Promise<void> {
  const { fates, ledger, clock } = world;
  await Promise.all([
    playStandIn(
      world,
      {
        resource: SignalProcessing,
        fate: fates.processing,
        otherwise: 'Completed',
        end: (object, end) => report(world, SignalProcessing, object, processingEnd(end, clock.now())),
      },
      signal,
    ),
    playStandIn(
      world,
      { resource: AIAnalysis, fate: fates.analysis, otherwise: 'Plan', end: (object, end) => analyse(world, object, end) },
      signal,
    ),
    playStandIn(
      world,
      {
        resource: RemediationApprovalRequest,
        fate: fates.approval,
        otherwise: 'Approved',
        end: (object, end) => decideApproval(world, ledger, object, end),
      },
      signal,
    ),
    new Executions(world, signal).run(),
    playStandIn(
      world,
      {
        resource: EffectivenessAssessment,
        fate: fates.assessment,
        otherwise: 'Remediated',
        end: (object, end) => report(world, EffectivenessAssessment, object, assessmentEnd(end, clock.now())),
      },
      signal,
    ),
    playStandIn(
      world,
      {
        resource: NotificationRequest,
        fate: fates.notification,
        otherwise: 'Sent',
        end: (object, end) => report(world, NotificationRequest, object, notificationEnd(end, clock.now())),
      },
      signal,
    ),
  ]);
}

async function analyse(world: ExecutionWorld, analysis: AIAnalysis, end: Parameters<typeof analysisEnd>[0]): Promise<void> {
  const target = analysis.spec.analysisRequest.signalContext.targetResource;
  const found = await look(world.client, target);
  world.ledger.noteAnalysis(analysis.metadata.uid, LEAVES[end]);
  await report(world, AIAnalysis, analysis, analysisEnd(end, target, { found, now: world.clock.now() }));
}

/** The target as it is; undefined when there is none. */
async function look(client: KubeClient, target: Target): Promise<KubeObject | undefined> {
  const address = targetAddress(target);
  if (!address) return undefined;
  try {
    return await client.get(address.resource, address.key);
  } catch (error) {
    if (hasCode(error, 'NotFound')) return undefined;
    throw error;
  }
}
