import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deployment, Event, Job, Lease, Namespace } from '../../src/api/builtin/index.ts';
import { RemediationApprovalRequest, RemediationRequest } from '../../src/api/index.ts';
import { admissionPolicies } from '../../src/api/policies/index.ts';
import { ACCOUNT, ownRights } from '../../src/api/rights/index.ts';
import type { Resource } from '../../src/api/resource.ts';
import { LABELS } from '../../src/api/well-known.ts';
import { after, hasCode, MINUTE, steadyClock, systemClock, systemRandom } from '../../src/base/index.ts';
import { decideApproval } from '../../src/actions/decide-approval.ts';
import { PhaseLog } from '../../src/cli/demo/phase-log.ts';
import { BAD, crashLoopAlert, GOOD, openShop, releaseOf, rollOut, untilCrashLoop, untilReady } from '../../src/cli/demo/story.ts';
import { until } from '../../src/cli/demo/until.ts';
import { install } from '../../src/cli/process/install.ts';
import { postSignal } from '../../src/cli/process/post-signal.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { installPolicies } from '../../src/kube/client/install-policies.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { asAccount } from './as-account.ts';
import { startSickbay, type SickbayLife } from './sickbay-process.ts';

const { namespace, executionNamespace } = DEFAULT_SETTINGS;
const PLACES = { namespace, executionNamespace };
const IMAGE = process.env['SICKBAY_TEST_WORKFLOW_IMAGE'] ?? '';

describe.skipIf(IMAGE === '')('with the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
  describeOnCluster('under the rights of deploy/rbac.yaml alone', (kubeconfig) => {
    const folder = mkdtempSync(join(tmpdir(), 'sickbay-rights-'));
    const shop = { namespace: `rights-${systemRandom.uuid().slice(0, 8)}`, name: 'checkout', image: 'sickbay.test/busybox:1' };
    const over = new AbortController();
    let transport: HttpTransport;
    let client: KubeClient;
    let life: SickbayLife;

    beforeAll(async () => {
      transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: kubeconfig() }));
      client = createClient(transport);
      await install({ client, clock: systemClock, settings: DEFAULT_SETTINGS, workflowImage: IMAGE });
      await installPolicies(admissionPolicies(namespace), client);
      await revoke();
      for (const { resource, draft } of ownRights(PLACES)) await client.create(resource, draft);
      const own = join(folder, 'kubeconfig');
      await asAccount(client, { namespace, name: ACCOUNT }, { from: kubeconfig(), to: own });
      const config = join(folder, 'config.yaml');
      await writeFile(config, 'execution:\n  cooldownPeriod: 1s\n');
      life = await startSickbay({ kubeconfig: own, logs: folder, flags: ['--config', config, '--log-level', 'debug'] }, 0);
    }, MINUTE);

    afterAll(async () => {
      over.abort(new Error('the tests are over'));
      await life.kill();
      await revoke();
      await client.delete(Namespace, { namespace: '', name: shop.namespace });
      await transport.close();
      await rm(folder, { recursive: true });
    }, MINUTE);

    const revoke = async (): Promise<void> => {
      for (const { resource, draft } of ownRights(PLACES)) {
        const { name = '', namespace: place = '' } = draft.metadata;
        await client.delete(resource, { namespace: place, name }).catch(unlessGone);
      }
    };

    /** Sends the crash loop alert until the gateway accepts it. */
    const fire = async (): Promise<string> => {
      const pod = await untilCrashLoop(client, shop, over.signal);
      for (;;) {
        if (life.ended()) throw new Error(`it ended: ${life.lastWords()}`);
        const answer = await postSignal(life.signalsUrl, crashLoopAlert(pod, systemClock.now())).catch(() => undefined);
        const name = (answer?.body as { readonly remediationRequestName?: string } | undefined)?.remediationRequestName;
        if (name !== undefined) return name;
        await systemClock.waitUntil(after(systemClock.now(), 200), over.signal);
      }
    };

    const untilAsked = (request: string): Promise<RemediationApprovalRequest> =>
      until(
        client,
        { resource: RemediationApprovalRequest, namespace },
        (all) => all.find(({ spec }) => spec.remediationRequestRef.name === request),
        over.signal,
      );

    const untilNone = (resource: Resource, labelSelector: string): Promise<true> =>
      until(client, { resource, namespace: executionNamespace, labelSelector }, ({ length }) => length === 0 || undefined, over.signal);

    test('a remediation goes from its signal over an approval to its end, and is cleared up', { timeout: 3 * MINUTE }, async () => {
      await openShop(client, shop, { environment: 'production' });
      await untilReady(client, shop, over.signal);
      await rollOut(client, shop, BAD);
      const name = await fire();
      await untilAsked(name);
      await decideApproval(client, systemClock, { namespace, name, decision: 'Approved' });
      const phases = new PhaseLog(steadyClock, () => undefined);
      const find = (all: readonly RemediationRequest[]): RemediationRequest | undefined =>
        phases.judge(all.find(({ metadata }) => metadata.name === name));
      const { status, metadata } = await until(client, { resource: RemediationRequest, namespace }, find, over.signal);
      expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'Remediated' });
      expect(releaseOf(await client.get(Deployment, shop))).toBe(GOOD.version);

      const labelSelector = `${LABELS.targetResource}=${shop.namespace}__Deployment__${shop.name}`;
      for (const resource of [Job, Lease] as readonly Resource[]) await untilNone(resource, labelSelector);
      const told = (await client.list(Event, { namespace, fieldSelector: `involvedObject.uid=${metadata.uid}` })).items;
      expect(told.length).toBeGreaterThan(0);
      expect((await readFile(life.log, 'utf8')).split('\n').filter((line) => /forbidden/i.test(line))).toEqual([]);
    });
  });
});

function unlessGone(error: unknown): void {
  if (!hasCode(error, 'NotFound')) throw error;
}
