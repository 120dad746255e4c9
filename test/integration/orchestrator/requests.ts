import { expect, test } from 'vitest';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { fingerprintOf } from '../../../src/testkit/orchestrator/index.ts';
import type { Stages } from './fixtures.ts';

const stalls = { processing: () => ({ does: 'stall' as const }) };

/** What may be written on a request, and how long it stays. */
export function requestScenarios(stages: Stages): void {
  test.each([
    { field: 'spec', change: { signalName: 'OtherAlert' } },
    { field: 'spec', change: { targetResource: { name: 'other' } } },
    { field: 'spec.signalFingerprint', change: { signalFingerprint: fingerprintOf('other') } },
  ])('what the signal said cannot be changed: $field by $change', async ({ field, change }) => {
    const rr = await stages.calm.fire(`edited-${Object.keys(change).join('').toLowerCase()}`, { fates: stalls });
    await rr.reaches('Processing');
    const attempt = stages.calm.admin.patch(RemediationRequest, rr.key, { type: 'merge', body: { spec: change } });
    const causes = expect.arrayContaining([expect.objectContaining({ field })]) as unknown;
    await expect(attempt).rejects.toMatchObject({ code: 'Invalid', httpCode: 422, causes });
    await rr.cancel('mara', 'done');
    await rr.ends();
  });

  test.each(['-5m', '0s', '0', '0m0.0s', 'soon'])('a limit of %s is refused, whichever it is', async (limit) => {
    const rr = await stages.calm.fire(`limit-${limit.replaceAll(/[^a-z0-9]/g, 'x')}`, { fates: stalls });
    await rr.reaches('Processing');
    for (const scope of ['global', 'processing', 'analyzing', 'awaitingApproval', 'executing', 'verifying'] as const) {
      const causes = expect.arrayContaining([expect.objectContaining({ field: `status.timeoutConfig.${scope}` })]) as unknown;
      await expect(rr.write({ timeoutConfig: { [scope]: limit } })).rejects.toMatchObject({ code: 'Invalid', httpCode: 422, causes });
    }
    await rr.cancel('mara', 'done');
    await rr.ends();
  });

  test('[RR-196] the limits are recorded from the first check, and limits that were set before stay', async () => {
    const rr = await stages.calm.fire('limits', { fates: stalls });
    const limits = {
      global: '2m0s',
      processing: '2m0s',
      analyzing: '2m0s',
      awaitingApproval: '2m0s',
      executing: '2m0s',
      verifying: '2m0s',
    };
    expect((await rr.reaches('Pending')).timeoutConfig).toEqual(limits);
    await rr.reaches('Processing');
    await rr.write({ timeoutConfig: { verifying: '7m' } });
    await rr.cancel('mara', 'done');
    expect((await rr.ends()).status.timeoutConfig).toEqual({ ...limits, verifying: '7m' });
  });

  test('what has ended is deleted when its time has come, with all its children', async () => {
    const { brief } = stages;
    const rr = await brief.fire('kept');
    const { status } = await rr.ends();
    expect(status.retentionExpiryTime).toBeDefined();
    await brief.until('it is deleted', async () => ((await brief.find(RemediationRequest, rr.name)) ? undefined : true));
    // Elsewhere that is up to the garbage collector of the cluster.
    if (stages.isOurs) await brief.until('its children go', async () => ((await rr.childNames()).length === 0 ? true : undefined));
  });
}
