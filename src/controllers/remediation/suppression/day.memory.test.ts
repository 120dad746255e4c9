import { describe, expect, test } from 'vitest';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { HOUR, MINUTE } from '../../../base/index.ts';
import { aRig, type Rig } from '../../../gateway/testing/gateway-harness.ts';
import { anAlert, aWebhook } from '../../../gateway/testing/webhook.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { endRequest } from '../end/end-request.ts';
import { onlyRequest } from '../observe.ts';
import { analysisResultOf } from '../plan/plan-from-analysis.ts';
import type { RemediationStatus } from '../status.ts';
import { anAnalysis } from '../testing/builders.ts';

type Finding = NonNullable<AIAnalysis['status']>;

const NOTHING_TO_DO: Finding = {
  phase: 'Completed',
  needsHumanReview: false,
  approvalRequired: false,
  reason: 'WorkflowNotNeeded',
  message: 'the volume has room again',
};
const FOR_A_PERSON: Finding = { phase: 'Completed', needsHumanReview: true, approvalRequired: false, message: 'no rule is sure' };

const PVC_ALERT = anAlert({ alertname: 'DiskPressure', persistentvolumeclaim: 'data' });

/** The analysis of the only open request ends it, by the settings as they are by default. */
async function concluded(rig: Rig, status: Finding): Promise<RemediationStatus> {
  const [request] = (await rig.requests()).filter((each) => each.status?.completedAt === undefined);
  if (!request) throw new Error('there is no open request');
  const result = analysisResultOf({ ...anAnalysis(), status }, request, DEFAULT_SETTINGS.routing);
  if (result.kind !== 'End') throw new Error(`the analysis leads to ${result.kind}`);
  const siblings = { kind: 'value', value: [request] } as const;
  const ended = endRequest({ ...onlyRequest(request, DEFAULT_SETTINGS), siblings }, result.ending, rig.clock.now());
  await rig.setStatus(request.metadata.name, ended.status as RemediationStatus);
  return ended.status as RemediationStatus;
}

const fire = async (rig: Rig, alert = anAlert()): Promise<number> => (await rig.gateway.receive(aWebhook([alert]))).code;

describe('an alert that still fires after a remediation that ended without an action', () => {
  test('[CO-002] in scope, with nothing active and nothing that suppresses, it opens exactly one request, which starts in Pending', async () => {
    const rig = await aRig();
    expect(await fire(rig)).toBe(201);
    const requests = await rig.requests();
    expect(requests).toHaveLength(1);
    // The orchestrator's first pass over what the gateway created.
    const first = decide(onlyRequest(requests[0]!, DEFAULT_SETTINGS), rig.clock.now());
    expect(first.status).toMatchObject({ overallPhase: 'Pending' });
  });

  test.each([
    { id: 'CO-022', outcome: 'NoActionRequired', finding: NOTHING_TO_DO },
    { id: 'CO-023', outcome: 'ManualReviewRequired', finding: FOR_A_PERSON },
  ])('[$id] after $outcome it is suppressed for 24 hours, and opens a request then', async ({ outcome, finding }) => {
    const rig = await aRig();
    await fire(rig);
    expect(await concluded(rig, finding)).toMatchObject({ overallPhase: 'Completed', outcome });
    await rig.clock.advance(24 * HOUR - 1_000);
    expect(await fire(rig)).toBe(202);
    expect(await rig.requests()).toHaveLength(1);
    await rig.clock.advance(1_000);
    expect(await fire(rig)).toBe(201);
    expect(await rig.requests()).toHaveLength(2);
  });

  test('[CO-025] DiskPressure on a claim, again every five minutes for 24 hours after NoActionRequired, opens no request in that time', async () => {
    const rig = await aRig();
    expect(await fire(rig, PVC_ALERT)).toBe(201);
    await concluded(rig, NOTHING_TO_DO);
    const answers: number[] = [];
    for (let passed = 5 * MINUTE; passed < 24 * HOUR; passed += 5 * MINUTE) {
      await rig.clock.advance(5 * MINUTE);
      answers.push(await fire(rig, PVC_ALERT));
    }
    expect(answers).toHaveLength(287);
    expect(new Set(answers)).toEqual(new Set([202]));
    expect(await rig.requests()).toHaveLength(1);
  });
});
