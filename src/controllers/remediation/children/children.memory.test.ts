import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Resource } from '../../../api/resource.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { MINUTE, parseTime, toTime } from '../../../base/index.ts';
import { CHILDREN, SYSTEM, OrchestratorFixture } from '../testing/orchestrator-fixture.ts';

const RR = { namespace: SYSTEM, name: 'rr' };
let ward: OrchestratorFixture;
beforeEach(async () => {
  ward = await OrchestratorFixture.open();
});
afterEach(() => ward.stage.end());

/** From the signal to the message about its end, with a person who says yes: every kind of child is needed. */
async function goAllTheWay(): Promise<void> {
  await ward.signal();
  await settled();
  await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
  await settled();
  await ward.report(AIAnalysis, 'ai-rr', await ward.plan({ approvalRequired: true, approvalReason: 'production' }));
  await settled();
  const decidedAt = toTime(ward.stage.clock.now());
  await ward.report(RemediationApprovalRequest, 'rar-rr', { decision: 'Approved', decidedBy: 'alex@example.com', decidedAt });
  await settled();
  await ward.report(WorkflowExecution, 'we-rr', { phase: 'Completed' });
  await settled();
  await ward.report(EffectivenessAssessment, 'ea-rr', { phase: 'Failed', assessmentReason: 'Unrecoverable' });
  await settled();
}

/** What was refused is tried again. */
const settled = (): Promise<void> => ward.stage.advance(20_000);

const childCounts = async (): Promise<readonly number[]> =>
  (await Promise.all(CHILDREN.map((kind) => ward.names(kind as Resource)))).map(({ length }) => length);

describe('the children of a request', () => {
  test('[RR-207] are one of each kind, and an approval notice besides', async () => {
    await goAllTheWay();
    expect((await ward.status()).overallPhase).toBe('Completed');
    expect(await childCounts()).toEqual([1, 1, 1, 1, 1, 2]);
    expect(ward.stage.troubles).toEqual([]);
  });

  test('[RR-207, CO-121] are no more when every transition has to be made twice, because its first write is lost', async () => {
    const refused = new Set<string>();
    ward.stage.intercept = ({ method, path, body }) => {
      const [, phase] = /overallPhase"(?:,"value")?:"(\w+)"/.exec(JSON.stringify(body) ?? '') ?? [];
      if (!path.endsWith('/remediationrequests/rr/status') || method === 'GET' || phase === undefined || refused.has(phase))
        return undefined;
      refused.add(phase);
      const message = 'the connection was lost';
      return {
        code: 503,
        body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'ServiceUnavailable', message, code: 503 },
      };
    };
    await goAllTheWay();
    expect(refused).toEqual(new Set(['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing', 'Verifying', 'Completed']));
    expect((await ward.status()).overallPhase).toBe('Completed');
    expect(await childCounts()).toEqual([1, 1, 1, 1, 1, 2]);
    expect((await ward.names(NotificationRequest)).toSorted()).toEqual(['nr-approval-rr', 'nr-manual-review-rr']);
  });

  test('[RR-208, RR-210] are controlled by it, and hold up its deletion, but for the EffectivenessAssessment', async () => {
    await goAllTheWay();
    const { metadata, apiVersion, kind } = await ward.get(RemediationRequest, 'rr');
    for (const resource of CHILDREN as readonly Resource[]) {
      const children = await ward.all(resource);
      expect(children.length).toBeGreaterThan(0);
      for (const child of children)
        expect([resource.kind, child.metadata.ownerReferences]).toEqual([
          resource.kind,
          [{ apiVersion, kind, name: 'rr', uid: metadata.uid, controller: true, blockOwnerDeletion: resource !== EffectivenessAssessment }],
        ]);
    }
  });

  test('[RR-188] the question is asked for 15 min from its creation on', async () => {
    await ward.signal();
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await ward.stage.advance(3 * MINUTE);
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan({ approvalRequired: true, approvalReason: 'production' }));
    const { metadata, spec } = await ward.get(RemediationApprovalRequest, 'rar-rr');
    expect((parseTime(spec.requiredBy) ?? 0) - (parseTime(metadata.creationTimestamp) ?? 0)).toBe(15 * MINUTE);
    expect((await ward.status()).awaitingApprovalStartTime).toBe(metadata.creationTimestamp);
  });
});

describe('a request that is deleted in the foreground', () => {
  /** A child that takes its time to go. */
  const hold = (resource: Resource, name: string) =>
    ward.stage.admin.patch(
      resource,
      { namespace: SYSTEM, name },
      { type: 'merge', body: { metadata: { finalizers: ['example.com/slow'] } } },
    );
  const remove = async (): Promise<void> => {
    await ward.stage.admin.delete(RemediationRequest, RR, { propagationPolicy: 'Foreground' });
    await ward.stage.advance(MINUTE);
  };

  test('[CO-044, CO-085] takes its SignalProcessing and its AIAnalysis along', async () => {
    await goAllTheWay();
    expect([(await ward.all(SignalProcessing)).length, (await ward.all(AIAnalysis)).length]).toEqual([1, 1]);
    await remove();
    expect([...(await ward.all(RemediationRequest)), ...(await ward.all(SignalProcessing)), ...(await ward.all(AIAnalysis))]).toEqual([]);
  });

  test('[RR-211] is gone although its EffectivenessAssessment is still there', async () => {
    await goAllTheWay();
    await hold(EffectivenessAssessment, 'ea-rr');
    await remove();
    expect(await ward.names(RemediationRequest)).toEqual([]);
    expect(await ward.names(EffectivenessAssessment)).toEqual(['ea-rr']);
  });

  test('[RR-211] waits for every other child', async () => {
    await goAllTheWay();
    await hold(WorkflowExecution, 'we-rr');
    await remove();
    expect(await ward.names(RemediationRequest)).toEqual(['rr']);
    await ward.stage.admin.patch(
      WorkflowExecution,
      { namespace: SYSTEM, name: 'we-rr' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await ward.stage.advance(MINUTE);
    expect(await ward.names(RemediationRequest)).toEqual([]);
  });
});
