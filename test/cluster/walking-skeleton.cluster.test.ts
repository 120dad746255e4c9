import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deployment, Job, Lease, Namespace } from '../../src/api/builtin/index.ts';
import { RemediationRequest, WorkflowExecution } from '../../src/api/index.ts';
import { LABELS } from '../../src/api/well-known.ts';
import { after, steadyClock, systemClock, systemRandom } from '../../src/base/index.ts';
import { PhaseLog } from '../../src/cli/demo/phase-log.ts';
import {
  BAD,
  crashLoopAlert,
  GOOD,
  openShop,
  releaseOf,
  rollOut,
  untilCrashLoop,
  untilReady,
  type Shop,
} from '../../src/cli/demo/story.ts';
import { until } from '../../src/cli/demo/until.ts';
import { postSignal } from '../../src/cli/process/post-signal.ts';
import { LEADER_LEASE } from '../../src/cli/process/process.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { counted } from '../lives/counted.ts';
import { startSickbay, type SickbayLife, type SickbaySettings } from './sickbay-process.ts';

const { namespace, executionNamespace } = DEFAULT_SETTINGS;
const IMAGE = 'sickbay.test/busybox:1';
const KILLS = 20;
const MINUTES_MS = 60_000;

const WORKFLOW_IMAGE = process.env['SICKBAY_TEST_WORKFLOW_IMAGE'] ?? '';

describe.skipIf(WORKFLOW_IMAGE === '')('with the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
  describeOnCluster('the walking skeleton on a real cluster', (kubeconfig) => {
    let transport: HttpTransport;
    let client: KubeClient;
    const logs = mkdtempSync(join(tmpdir(), 'sickbay-lives-'));
    const shops: Shop[] = [];
    const over = new AbortController();

    beforeAll(async () => {
      transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: kubeconfig() }));
      client = createClient(transport);
    });
    afterAll(async () => {
      over.abort(new Error('the tests are over'));
      for (const shop of shops) await client.delete(Namespace, { namespace: '', name: shop.namespace });
      await transport.close();
      await rm(logs, { recursive: true });
    });

    const settings = (): SickbaySettings => ({
      kubeconfig: kubeconfig(),
      workflowImage: WORKFLOW_IMAGE,
      logs,
    });

    /** A shop whose newest release really crash loops. */
    const brokenShop = async (): Promise<Shop> => {
      const shop = { namespace: `shop-${systemRandom.uuid().slice(0, 8)}`, name: 'checkout', image: IMAGE };
      shops.push(shop);
      await openShop(client, shop);
      await untilReady(client, shop, over.signal);
      await rollOut(client, shop, BAD);
      return shop;
    };

    const fire = async (shop: Shop, life: () => SickbayLife): Promise<string> => {
      const pod = await untilCrashLoop(client, shop, over.signal);
      for (;;) {
        const answer = await postSignal(life().signalsUrl, crashLoopAlert(pod, systemClock.now())).catch(() => undefined);
        const name = (answer?.body as { readonly remediationRequestName?: string } | undefined)?.remediationRequestName;
        if (name !== undefined) return name;
        await sleep(200);
      }
    };

    const follow = (name: string, phases: PhaseLog): Promise<RemediationRequest> =>
      until(
        client,
        { resource: RemediationRequest, namespace },
        (all) => phases.judge(all.find((one) => one.metadata.name === name)),
        over.signal,
      );

    const judge = async (shop: Shop, request: RemediationRequest, jobs: ReadonlySet<string>): Promise<void> => {
      expect(request.status).toMatchObject({ overallPhase: 'Completed', outcome: 'Remediated' });
      expect(releaseOf(await client.get(Deployment, shop))).toBe(GOOD.version);
      expect(jobs.size, 'Jobs that were released').toBe(1);
      const executions = (await client.list(WorkflowExecution, { namespace })).items;
      expect(executions.filter((one) => one.spec.remediationRequestRef.name === request.metadata.name)).toHaveLength(1);
    };

    test('a Deployment that really crash loops is rolled back by a real Job', { timeout: 3 * MINUTES_MS }, async () => {
      const life = await startSickbay(settings(), 0);
      try {
        const shop = await brokenShop();
        const jobs = letGo(client, shop, over.signal);
        const phases = new PhaseLog(steadyClock, () => undefined);
        const request = await follow(await fire(shop, () => life), phases);
        await judge(shop, request, jobs);
        const times = phases.durations().map(({ phase, seconds }) => `${phase} ${seconds.toFixed(1)} s`);
        process.stderr.write(`walking skeleton: ${times.join(', ')}; ${life.memoryMb()} MB resident\n`);
      } finally {
        await life.kill();
      }
    });

    test(`kill -9 at ${KILLS} moments: it goes on, and executes once`, { timeout: 15 * MINUTES_MS }, async () => {
      const lives = new Lives(settings());
      const killedIn: string[] = [];
      let runs = 0;
      try {
        await lives.next();
        // How many fit into one run depends on the machine.
        for (; killedIn.length < KILLS; runs++) {
          const shop = await brokenShop();
          const jobs = letGo(client, shop, over.signal);
          const phases = new PhaseLog(steadyClock, () => undefined);
          const ended = follow(await fire(shop, () => lives.current), phases);
          while (killedIn.length < KILLS && !phases.isOver) {
            await sleep(systemRandom.int(300));
            killedIn.push(phases.phase ?? 'Pending');
            await lives.next();
            await lives.untilItLeads(client, over.signal);
          }
          await judge(shop, await ended, jobs);
        }
        process.stderr.write(`killed ${killedIn.length} times in ${runs} runs: ${counted(killedIn)}\n`);
      } finally {
        await lives.current.kill();
      }
    });
  });
});

/** One life after the other. */
class Lives {
  readonly #settings: SickbaySettings;
  #life: SickbayLife | undefined;
  #count = 0;
  #leader = '';

  constructor(settings: SickbaySettings) {
    this.#settings = settings;
  }

  get current(): SickbayLife {
    if (!this.#life) throw new Error('none has begun');
    return this.#life;
  }

  /** Kills the present life and begins another. */
  async next(): Promise<void> {
    await this.#life?.kill();
    this.#life = await startSickbay(this.#settings, ++this.#count);
  }

  /** Waits until the lease has another holder than it had the last time. */
  async untilItLeads(client: KubeClient, signal: AbortSignal): Promise<void> {
    const isNew = (leases: readonly Lease[]): string | undefined => {
      const holder = leases.find(({ metadata }) => metadata.name === LEADER_LEASE)?.spec?.holderIdentity;
      return holder && holder !== this.#leader ? holder : undefined;
    };
    this.#leader = await until(client, { resource: Lease, namespace }, isNew, signal);
  }
}

/** Every Job that was ever released for the shop's Deployment, by UID, kept up to date. */
function letGo(client: KubeClient, shop: Shop, signal: AbortSignal): ReadonlySet<string> {
  const uids = new Set<string>();
  const target = `${shop.namespace}__Deployment__${shop.name}`;
  const look = (jobs: readonly Job[]): undefined => {
    for (const { metadata, spec } of jobs)
      if (metadata.labels?.[LABELS.targetResource] === target && spec.suspend !== true) uids.add(metadata.uid);
  };
  until(client, { resource: Job, namespace: executionNamespace }, look, signal).catch(() => undefined);
  return uids;
}

const sleep = (ms: number): Promise<void> => systemClock.waitUntil(after(systemClock.now(), ms), new AbortController().signal);
