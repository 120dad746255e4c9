import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminal } from '../api/phases.ts';
import { remediationPhases } from '../api/remediation-request/phases.ts';
import { PlatformError, turn } from '../base/index.ts';
import type { Transport } from '../kube/index.ts';
import { aRig, type Rig } from './testing/gateway-harness.ts';
import { anAlert, aWebhook } from './testing/webhook.ts';

const PODS = ['checkout-1-a', 'checkout-1-b'];

/** Alerts about pods of one Deployment, each in a webhook of its own. */
const webhooks = fc.array(fc.constantFrom(...PODS), { minLength: 2, maxLength: 5 });

/** Every call to the API waits for its turn, and is carried out whole when it comes; then its reply may get lost. */
function shuffled(api: Transport, scheduler: fc.Scheduler, isLost: () => boolean = () => false): Transport {
  return {
    ...api,
    request: (request) =>
      scheduler.schedule(Promise.resolve(), `${request.method} ${request.path}`).then(async () => {
        const answer = await api.request(request);
        if (isLost()) throw new PlatformError('Unavailable', 'the reply was lost');
        return answer;
      }),
  };
}

async function openOnes({ requests }: Rig): Promise<number> {
  return (await requests()).filter(({ status }) => !isTerminal(remediationPhases, status?.overallPhase)).length;
}

test('[CO-020] any interleaving of webhooks of one fingerprint opens one request and counts each of them', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), webhooks, async (scheduler, pods) => {
      const rig = await aRig();
      const gateway = rig.behind(shuffled(rig.api, scheduler));
      const replies = Promise.all(pods.map((pod) => gateway.receive(aWebhook([anAlert({ pod })]))));
      const codes = (await scheduler.waitFor(replies)).map(({ code }) => code);
      expect(codes.filter((code) => code === 201)).toHaveLength(1);
      expect(codes.filter((code) => code === 202)).toHaveLength(pods.length - 1);
      const requests = await rig.requests();
      expect(requests.map(({ status }) => status?.deduplication?.occurrenceCount)).toEqual([pods.length]);
    }),
    { numRuns: 150 },
  ));

test('never are two open at once, whatever replies are lost and whenever requests come to their end', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), webhooks, fc.infiniteStream(fc.integer({ min: 0, max: 5 })), async (scheduler, pods, chance) => {
      const rig = await aRig();
      const gateway = rig.behind(shuffled(rig.api, scheduler, () => chance.next().value === 0));
      const replies = pods.map((pod) => gateway.receive(aWebhook([anAlert({ pod })])));
      const ends = pods.map(() => scheduler.schedule(Promise.resolve(), 'end').then(() => endAll(rig)));
      for (await turn(); scheduler.count() > 0; await turn()) {
        await scheduler.waitOne();
        expect(await openOnes(rig)).toBeLessThanOrEqual(1);
      }
      await Promise.all(ends);
      const codes = (await Promise.all(replies)).map(({ code }) => code);
      expect(codes.every((code) => [201, 202, 503].includes(code))).toBe(true);
      // What was promised is there.
      expect((await rig.requests()).length).toBeGreaterThanOrEqual(codes.filter((code) => code === 201).length);
    }),
    { numRuns: 150 },
  ));

async function endAll(rig: Rig): Promise<void> {
  for (const { metadata } of await rig.requests()) await rig.setStatus(metadata.name, { overallPhase: 'Completed' });
}
