import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { Deployment } from '../../src/api/builtin/index.ts';
import { isTerminal, remediationPhases, RemediationRequest, WorkflowExecution } from '../../src/api/index.ts';
import { after, systemClock, systemRandom } from '../../src/base/index.ts';
import { BAD, crashLoopAlert, openShop, rollOut, SHOP, untilCrashLoop, untilReady, type Shop } from '../../src/cli/demo/story.ts';
import { until } from '../../src/cli/demo/until.ts';
import { postSignal } from '../../src/cli/process/post-signal.ts';
import { SIGNALS_PATH } from '../../src/cli/process/serve.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { freePorts } from '../../src/testkit/free-ports.ts';
import { seedsPerTest } from '../../src/testkit/run-seeds.ts';
import { startServer, type ServerProcess } from '../../src/testkit/server-process.ts';
import { counted } from '../lives/counted.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const { namespace } = DEFAULT_SETTINGS;
/** As often as there are tens of seeds: five times by default, twenty times in CI. */
const KILLS = Math.min(20, Math.ceil(seedsPerTest() / 10));
const LIMIT_MS = 15 * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'sickbay-lives-'));
const over = new AbortController();
afterAll(async () => {
  over.abort(new Error('the test is over'));
  await rm(folder, { recursive: true });
});

/** Lives of `sickbay up` on one folder, one after the other. */
class Lives {
  #count = 0;
  #process: ServerProcess | undefined;
  #transport: HttpTransport | undefined;
  client: KubeClient = createClient({ request: notYet, watch: notYet });
  signalsUrl = '';

  async next(): Promise<void> {
    await this.end();
    const [port] = await freePorts(1);
    const log = join(folder, `life-${++this.#count}.log`);
    const args = [MAIN, 'up', '--empty', '--state', join(folder, 'state'), '--port', String(port), '--stabilization', '20'];
    this.#process = startServer(process.execPath, args, log, { HOME: folder });
    while (!readFileSync(log, 'utf8').includes('Ready: ')) {
      if (this.#process.ended()) throw new Error(this.#process.lastWords());
      await sleep(50);
    }
    this.#transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: join(folder, 'state', 'kubeconfig') }));
    this.client = createClient(this.#transport);
    this.signalsUrl = `http://127.0.0.1:${port}${SIGNALS_PATH}`;
  }

  /** Kills the present life, which hears nothing of it. */
  async end(): Promise<void> {
    await this.#process?.kill();
    await this.#transport?.close();
  }
}

const notYet = (): Promise<never> => Promise.reject(new Error('no life has begun'));
const sleep = (ms: number): Promise<void> => systemClock.waitUntil(after(systemClock.now(), ms), over.signal);

async function breakAShop(lives: Lives): Promise<{ readonly shop: Shop; readonly name: string }> {
  const shop = { ...SHOP, namespace: `shop-${systemRandom.uuid().slice(0, 8)}` };
  await openShop(lives.client, shop);
  await untilReady(lives.client, shop, over.signal);
  await rollOut(lives.client, shop, BAD);
  const pod = await untilCrashLoop(lives.client, shop, over.signal);
  const { body } = await postSignal(lives.signalsUrl, crashLoopAlert(pod, systemClock.now()));
  return { shop, name: (body as { readonly remediationRequestName: string }).remediationRequestName };
}

const isOver = ({ status }: RemediationRequest): boolean => isTerminal(remediationPhases, status?.overallPhase);

/** Every process that was ever started for a workflow, over all lives. */
const processesStarted = (): number =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"msg":"container started"')).length;

test(`kill -9 of a local run at ${KILLS} moments: it goes on, and executes at most once`, { timeout: LIMIT_MS }, async () => {
  const lives = new Lives();
  const killedIn: string[] = [];
  const ends: string[] = [];
  try {
    await lives.next();
    // How many fit into one remediation depends on where they strike: one that ends a workflow half-way ends the remediation.
    while (killedIn.length < KILLS) {
      const { shop, name } = await breakAShop(lives);
      const started = processesStarted();
      const look = (): Promise<RemediationRequest> => lives.client.get(RemediationRequest, { namespace, name });
      for (let request = await look(); killedIn.length < KILLS && !isOver(request); request = await look()) {
        await sleep(systemRandom.int(4_000));
        killedIn.push((await look()).status?.overallPhase ?? 'new');
        await lives.next();
      }
      const find = (all: readonly RemediationRequest[]) => all.find((one) => one.metadata.name === name && isOver(one));
      const request = await until(lives.client, { resource: RemediationRequest, namespace }, find, over.signal);
      ends.push([request.status?.overallPhase, request.status?.outcome].filter(Boolean).join(' '));
      expect(request.status?.message).not.toBe('');
      const executions = (await lives.client.list(WorkflowExecution, { namespace })).items;
      expect(executions.filter(({ spec }) => spec.remediationRequestRef.name === name).length).toBeLessThanOrEqual(1);
      expect(processesStarted() - started).toBeLessThanOrEqual(1);
      // The good release, the bad one, and at most one return.
      const { metadata } = await lives.client.get(Deployment, shop);
      expect(Number(metadata.annotations?.['deployment.kubernetes.io/revision'])).toBeLessThanOrEqual(3);
    }
    process.stderr.write(`killed ${killedIn.length} times: ${counted(killedIn)}; remediations ended ${counted(ends)}\n`);
  } finally {
    await lives.end();
  }
});
