import { describe, expect, test } from 'vitest';
import { Deployment } from '../../../api/builtin/index.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { after, HOUR, parseTime, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { parseConfig } from '../../../config/parse-config.ts';
import { aRig, type Rig } from '../../../gateway/testing/gateway-harness.ts';
import { anAlert, aWebhook } from '../../../gateway/testing/webhook.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Settings } from '../../settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import { all, anEarlyEvidence } from '../routing/testing/builders.ts';
import type { RemediationStatus } from '../status.ts';
import { ABSENT, anAnalysis, aProcessing, effectText, value } from '../testing/builders.ts';

const settingsOf = (text: string): Settings => {
  const parsed = parseConfig(text);
  if (parsed.kind !== 'valid') throw new Error(parsed.problems.map(({ message }) => message).join('; '));
  return parsed.settings;
};

/** What the orchestrator decides about a request that stands in this phase. */
const decided = (request: RemediationRequest, seen: Partial<RemediationSeen>, settings: Settings, now: Instant) => {
  const decision = decide({ ...onlyRequest(request, settings), siblings: { kind: 'value', value: [request] }, ...seen }, now);
  return { status: decision.status as RemediationStatus, does: decision.effects.map(effectText) };
};

const ownedBy = ({ apiVersion, kind, metadata: { name, uid } }: RemediationRequest) => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
});

const FINDINGS = {
  NoActionRequired: { reason: 'WorkflowNotNeeded', selectedWorkflow: undefined, needsHumanReview: false },
  ManualReviewRequired: { selectedWorkflow: undefined, needsHumanReview: true },
} as const;
type Outcome = keyof typeof FINDINGS;

const send = async ({ gateway }: Rig, alerts?: readonly unknown[]): Promise<unknown> =>
  ((await gateway.receive(aWebhook(alerts))).body as { readonly status?: unknown }).status;

/** A signal arrives, and its analysis ends with this outcome: the request records it. */
async function concluded(outcome: Outcome, settings: Settings = DEFAULT_SETTINGS) {
  const rig = await aRig();
  expect(await send(rig)).toBe('created');
  const [request] = await rig.requests();
  if (!request) throw new Error('there is no request');
  const { name } = request.metadata;
  for (const overallPhase of ['Pending', 'Processing', 'Analyzing'] as const) await rig.setStatus(name, { overallPhase });
  const [standing] = await rig.requests();
  const analysis = value(anAnalysis(FINDINGS[outcome], ownedBy(request)));
  const { status } = decided(standing ?? request, { analysis }, settings, rig.clock.now());
  expect(status).toMatchObject({ overallPhase: 'Completed', outcome, completedAt: toTime(rig.clock.now()) });
  await rig.setStatus(name, status);
  return { rig, name, status };
}

const heldFor = ({ completedAt, nextAllowedExecution }: RemediationStatus): number =>
  (parseTime(nextAllowedExecution) ?? 0) - (parseTime(completedAt) ?? 0);

/** Suppressed until the moment, and not longer. */
async function expectSuppression(rig: Rig, ms: number): Promise<void> {
  expect(await send(rig)).toBe('suppressed');
  await rig.clock.advance(ms - SECOND);
  expect(await send(rig)).toBe('suppressed');
  expect(await rig.requests()).toHaveLength(1);
  await rig.clock.advance(SECOND);
  expect(await send(rig)).toBe('created');
  expect(await rig.requests()).toHaveLength(2);
}

describe('after an analysis that led to nothing, the signal is left alone', () => {
  test('[RR-158] for 24 h when nothing had to be done', async () => {
    const { rig, status } = await concluded('NoActionRequired');
    expect(heldFor(status)).toBe(24 * HOUR);
    await expectSuppression(rig, 24 * HOUR);
  });

  test('[RR-177] for 24 h when a person has to look, and not longer', async () => {
    const { rig, status } = await concluded('ManualReviewRequired');
    expect(heldFor(status)).toBe(24 * HOUR);
    await expectSuppression(rig, 24 * HOUR);
  });

  test.each([
    'routing: { noActionRequiredDelayHours: 2 }',
    'routing: { NoActionRequiredDelayHours: 2 }',
    'routing: { noActionRequiredDelayHours: 2h }',
  ])('[RR-158, RR-168] or as long as the config says: %s', async (text) => {
    const { rig, status } = await concluded('NoActionRequired', settingsOf(text));
    expect(heldFor(status)).toBe(2 * HOUR);
    await expectSuppression(rig, 2 * HOUR);
  });

  test('[RR-177] as long as the config says, for a person too', async () => {
    const { rig } = await concluded('ManualReviewRequired', settingsOf('routing: { noActionRequiredDelayHours: 2 }'));
    await expectSuppression(rig, 2 * HOUR);
  });

  test('[RR-167] and an alert that still fires then opens a new request, which is analysed afresh', async () => {
    const { rig, name } = await concluded('NoActionRequired');
    await rig.clock.advance(24 * HOUR);
    expect(await send(rig)).toBe('created');
    const requests = await rig.requests();
    const old = requests.find(({ metadata }) => metadata.name === name);
    const next = requests.find(({ metadata }) => metadata.name !== name);
    if (!old || !next) throw new Error('there is no new request');
    expect(next.spec.signalFingerprint).toBe(old.spec.signalFingerprint);
    const now = rig.clock.now();
    const pending: RemediationRequest = { ...next, status: { ...next.status, overallPhase: 'Pending', startTime: toTime(now) } };
    const evidence = anEarlyEvidence({ request: pending, others: all(old) });
    expect(decided(pending, { processing: ABSENT, evidence }, DEFAULT_SETTINGS, now).does).toEqual([
      `Create SignalProcessing sp-${next.metadata.name}`,
    ]);
    // One second earlier the orchestrator would have held it back as well.
    expect(decided(pending, { processing: ABSENT, evidence }, DEFAULT_SETTINGS, after(now, -SECOND)).status).toMatchObject({
      overallPhase: 'Blocked',
      blockReason: 'ExponentialBackoff',
    });
    const processing: RemediationRequest = { ...pending, status: { ...pending.status, overallPhase: 'Processing' } };
    const enriched = value(aProcessing({ phase: 'Completed' }, ownedBy(next)));
    expect(decided(processing, { processing: enriched, analysis: ABSENT }, DEFAULT_SETTINGS, now).does).toEqual([
      `Create AIAnalysis ai-${next.metadata.name}`,
    ]);
  });
});

describe.each(['NoActionRequired', 'ManualReviewRequired'] as const)('after %s', (outcome) => {
  const POD = { pod: 'checkout-1-a' };

  test('the same alert of a lower severity, or from another pod, is suppressed', async () => {
    const { rig } = await concluded(outcome);
    expect(await send(rig, [anAlert({ ...POD, severity: 'warning' })])).toBe('suppressed');
    expect(await send(rig, [anAlert({ pod: 'checkout-1-b' })])).toBe('suppressed');
    expect(await rig.requests()).toHaveLength(1);
  });

  test('another alert on the same target opens a request, which is worked on', async () => {
    const { rig, name } = await concluded(outcome);
    expect(await send(rig, [anAlert({ ...POD, alertname: 'HighErrorRate', severity: 'info' })])).toBe('created');
    const requests = await rig.requests();
    const old = requests.find(({ metadata }) => metadata.name === name);
    const next = requests.find(({ metadata }) => metadata.name !== name);
    if (!old || !next) throw new Error('there is no new request');
    const now = rig.clock.now();
    const pending: RemediationRequest = { ...next, status: { ...next.status, overallPhase: 'Pending', startTime: toTime(now) } };
    const evidence = anEarlyEvidence({ request: pending, others: all(old) });
    expect(decided(pending, { processing: ABSENT, evidence }, DEFAULT_SETTINGS, now).does).toEqual([
      `Create SignalProcessing sp-${next.metadata.name}`,
    ]);
  });

  test('the same alert opens a request once the spec of the target has changed', async () => {
    const { rig, name, status } = await concluded(outcome);
    const { items } = await rig.client.list(Deployment, { namespace: 'shop' });
    const [{ metadata }] = items as [Deployment];
    const { uid, generation = 1 } = metadata;
    const target = { uid, generation, specHash: `sha256:${'a'.repeat(64)}` };
    await rig.setStatus(name, { suppression: { signals: [...(status.suppression?.signals ?? [])], target } });
    expect(await send(rig)).toBe('suppressed');
    const body = { metadata: { uid }, spec: { replicas: 3 } };
    await rig.client.patch(Deployment, { namespace: 'shop', name: 'checkout' }, { type: 'merge', body });
    expect(await send(rig)).toBe('created');
  });
});

test('a more severe alert of the same name is not suppressed', async () => {
  const rig = await aRig();
  const warning = [anAlert({ pod: 'checkout-1-a', severity: 'warning' })];
  expect(await send(rig, warning)).toBe('created');
  const [request] = await rig.requests();
  await rig.setStatus(request?.metadata.name ?? '', {
    overallPhase: 'Completed',
    outcome: 'NoActionRequired',
    nextAllowedExecution: toTime(after(rig.clock.now(), HOUR)),
  });
  expect(await send(rig, warning)).toBe('suppressed');
  expect(await send(rig)).toBe('created');
});
