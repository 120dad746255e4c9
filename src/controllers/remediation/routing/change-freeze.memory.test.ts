import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, HOUR, instant, MINUTE, toTime, type Instant } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Settings } from '../../settings.ts';
import { createRemediationController } from '../index.ts';
import type { Controller } from '../../../runtime/index.ts';
import { OrchestratorFixture, SYSTEM } from '../testing/orchestrator-fixture.ts';
import { windowAround } from '../testing/change-evidence.ts';

let open: OrchestratorFixture | undefined;
afterEach(() => open?.stage.end());

interface Story {
  readonly here: OrchestratorFixture;
  /** The freeze ends at this moment. */
  readonly end: Instant;
  settings: Settings;
}

/** A plan that needs no approval, half an hour before the end of a change freeze. */
async function duringFreeze(plan: object = {}, { identityIsChecked = true } = {}): Promise<Story> {
  const story = { settings: DEFAULT_SETTINGS, end: instant(0) } as { settings: Settings; end: Instant; here: OrchestratorFixture };
  const around = { settings: () => story.settings, identityIsChecked: () => identityIsChecked, isAudited: () => true };
  story.here = open = await OrchestratorFixture.open([createRemediationController(around) as Controller]);
  const now = story.here.stage.clock.now();
  story.end = after(now, 30 * HOUR);
  const freeze = windowAround(now, 30 * HOUR, { labels: { 'kubernaut.ai/managed': 'true' } });
  story.settings = { ...DEFAULT_SETTINGS, changeWindows: { changeFreezes: [freeze], maintenanceWindows: [] } };
  const { here } = story;
  await here.signal();
  await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
  await here.report(AIAnalysis, 'ai-rr', await here.plan(plan));
  await here.stage.settle();
  return story;
}

const override = async ({ here }: Story): Promise<void> => {
  const annotations = { [ANNOTATIONS.overrideFreeze]: 'customers cannot pay', [ANNOTATIONS.overrideFreezeBy]: 'dana@example.com' };
  await here.stage.admin.patch(
    RemediationRequest,
    { namespace: SYSTEM, name: 'rr' },
    { type: 'merge', body: { metadata: { annotations } } },
  );
  await here.stage.settle();
};

describe('a remediation in a change freeze', () => {
  test('is analysed and notified once, and waits: nothing is run and no approval is requested', async () => {
    const { here, end } = await duringFreeze({ approvalRequired: true, approvalReason: 'production' });
    expect(await here.status()).toMatchObject({
      overallPhase: 'Blocked',
      blockReason: 'ChangeFreeze',
      blockedUntil: toTime(end),
      changeWindow: { kind: 'ChangeFreeze', name: 'year-end' },
    });
    expect([await here.names(WorkflowExecution), await here.names(RemediationApprovalRequest)]).toEqual([[], []]);
    const notices = await here.all(NotificationRequest);
    expect(notices.map(({ spec }) => spec.type)).toEqual(['StatusUpdate']);
    expect(notices[0]?.spec.body).toContain(toTime(end));
  });

  test('continues by itself at its end, later than any other block could last', async () => {
    const { here, end } = await duringFreeze();
    await here.stage.advance(end - here.stage.clock.now() - MINUTE);
    expect((await here.status()).overallPhase).toBe('Blocked');
    await here.stage.advance(2 * MINUTE);
    expect(await here.names(WorkflowExecution)).toEqual(['we-rr']);
    const status = await here.status();
    expect(status.overallPhase).toBe('Executing');
    expect([status.blockReason, status.changeWindow, status.blockedUntil]).toEqual([undefined, undefined, undefined]);
  });

  test('runs at once when a person overrides the freeze', async () => {
    const story = await duringFreeze();
    await override(story);
    expect(await story.here.names(WorkflowExecution)).toEqual(['we-rr']);
  });

  test('an override counts only where names are checked', async () => {
    const story = await duringFreeze({}, { identityIsChecked: false });
    await override(story);
    expect((await story.here.status()).overallPhase).toBe('Blocked');
  });

  test('continues within a minute once the configuration no longer has the freeze', async () => {
    const story = await duringFreeze();
    story.settings = DEFAULT_SETTINGS;
    await story.here.stage.advance(MINUTE);
    expect(await story.here.names(WorkflowExecution)).toEqual(['we-rr']);
  });
});
