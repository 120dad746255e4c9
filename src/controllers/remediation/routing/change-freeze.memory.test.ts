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
import type { WindowScope } from '../../change-window-settings.ts';
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
  /** The settings with the freeze. */
  frozen: Settings;
  identityIsChecked: boolean;
}

interface Around {
  readonly identityIsChecked?: boolean;
  readonly isFrozen?: boolean;
  readonly scope?: WindowScope;
  readonly severity?: string;
}

const containing = (text: string): unknown => expect.stringContaining(text);

const MANAGED: WindowScope = { labels: { 'kubernaut.ai/managed': 'true' } };
type Writable<T> = { -readonly [key in keyof T]: T[key] };

/** A plan that needs no approval, half an hour before the end of a change freeze. */
async function duringFreeze(
  plan: object = {},
  { identityIsChecked = true, isFrozen = true, scope = MANAGED, severity }: Around = {},
): Promise<Story> {
  const story = { settings: DEFAULT_SETTINGS, frozen: DEFAULT_SETTINGS, end: instant(0), identityIsChecked } as Writable<Story>;
  const around = { settings: () => story.settings, identityIsChecked: () => story.identityIsChecked, isAudited: () => true };
  story.here = open = await OrchestratorFixture.open([createRemediationController(around) as Controller]);
  const now = story.here.stage.clock.now();
  story.end = after(now, 30 * HOUR);
  const freeze = windowAround(now, 30 * HOUR, scope);
  story.frozen = { ...DEFAULT_SETTINGS, changeWindows: { changeFreezes: [freeze], maintenanceWindows: [] } };
  if (isFrozen) story.settings = story.frozen;
  const { here } = story;
  await here.signal('rr', severity === undefined ? {} : { severity });
  await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
  await here.report(AIAnalysis, 'ai-rr', await here.plan(plan));
  await here.stage.settle();
  return story;
}

const override = async ({ here }: Story, reason = 'customers cannot pay'): Promise<void> => {
  const annotations = { [ANNOTATIONS.overrideFreeze]: reason, [ANNOTATIONS.overrideFreezeBy]: 'dana@example.com' };
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
    // What was analysed 30 hours ago does not run.
    expect(await here.names(WorkflowExecution)).toEqual([]);
    expect(await here.status()).toMatchObject({ overallPhase: 'Analyzing', analysisAttempt: 2, analysesAfterFreeze: 1 });
    await here.report(AIAnalysis, 'ai-rr-2', await here.plan());
    expect(await here.names(WorkflowExecution)).toEqual(['we-rr']);
    const status = await here.status();
    expect(status.overallPhase).toBe('Executing');
    expect([status.blockReason, status.changeWindow, status.blockedUntil]).toEqual([undefined, undefined, undefined]);
  });

  test('runs at once when a person overrides the freeze', async () => {
    const story = await duringFreeze();
    await override(story);
    expect(await story.here.names(WorkflowExecution)).toEqual(['we-rr']);
    expect((await story.here.status()).freezeOverride).toMatchObject({ by: 'dana@example.com', reason: 'customers cannot pay' });
  });

  test('an override counts only where names are checked', async () => {
    const story = await duringFreeze({}, { identityIsChecked: false });
    await override(story);
    const status = await story.here.status();
    expect(status).toMatchObject({ overallPhase: 'Blocked', ignoredOverride: containing('sha256:') });
    expect(status.blockMessage).toContain('The override of dana@example.com does not count');
    expect(status).not.toHaveProperty('freezeOverride');
  });

  test('an override that was given before names were checked does not begin to count when they are', async () => {
    const story = await duringFreeze({}, { identityIsChecked: false });
    await override(story);
    story.identityIsChecked = true;
    await story.here.stage.advance(2 * MINUTE);
    expect((await story.here.status()).overallPhase).toBe('Blocked');
    await override(story, 'customers cannot pay, and names are checked now');
    expect((await story.here.status()).overallPhase).toBe('Executing');
  });

  test('an approval that was given as the freeze began is void at its end', async () => {
    const story = await duringFreeze({ approvalRequired: true, approvalReason: 'production' }, { isFrozen: false });
    const { here } = story;
    expect((await here.status()).overallPhase).toBe('AwaitingApproval');
    story.settings = story.frozen;
    const approval = { decision: 'Approved', decidedBy: 'dana@example.com', decidedAt: toTime(here.stage.clock.now()) };
    await here.report(RemediationApprovalRequest, 'rar-rr', approval);
    expect(await here.status()).toMatchObject({ overallPhase: 'Blocked', blockReason: 'ChangeFreeze' });
    await here.stage.advance(30 * HOUR + MINUTE);
    await here.report(AIAnalysis, 'ai-rr-2', await here.plan({ approvalRequired: true, approvalReason: 'production' }));
    expect((await here.status()).overallPhase).toBe('AwaitingApproval');
    expect(await here.names(RemediationApprovalRequest)).toContain('rar-rr-2');
    expect(await here.names(WorkflowExecution)).toEqual([]);
  });

  test('leaves the freeze at once when a critical alert joins that the freeze is not about', async () => {
    const story = await duringFreeze({}, { scope: { severities: ['warning', 'info'] }, severity: 'warning' });
    expect((await story.here.status()).overallPhase).toBe('Blocked');
    const seenAt = toTime(story.here.stage.clock.now());
    const alerts = [{ name: 'Down', instance: 'a', severity: 'critical', firstSeenAt: seenAt, lastSeenAt: seenAt }];
    const status = { deduplication: { alerts } };
    await story.here.report(RemediationRequest, 'rr', status);
    expect(await story.here.names(WorkflowExecution)).toEqual(['we-rr']);
  });

  test('continues within a minute once the configuration no longer has the freeze', async () => {
    const story = await duringFreeze();
    story.settings = DEFAULT_SETTINGS;
    await story.here.stage.advance(MINUTE);
    expect(await story.here.names(WorkflowExecution)).toEqual(['we-rr']);
  });
});
