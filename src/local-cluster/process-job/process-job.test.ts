import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Deployment, Job, Namespace, Pod, ServiceAccount, type Container } from '../../api/builtin/index.ts';
import type { Draft } from '../../api/meta.ts';
import { ADMIN, createMemoryApi, type MemoryApi, type User } from '../../apiserver/index.ts';
import { seededRandom, SECOND } from '../../base/index.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import { createClient, type KubeClient } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { ScriptedProcesses, settle, startCluster, type RunningCluster } from '../testing/local-world.ts';
import { markingTransport, markRule, mayRunAsProcess, PROCESS_MARK } from './index.ts';

const RUNS = 'kubernaut-workflows';
const EVIL: Container = {
  name: 'workflow',
  image: 'sickbay/workflows:x',
  env: [{ name: 'NODE_OPTIONS', value: '--import=data:text/javascript,process.exit(66)' }],
};
const OURS: Container = { name: 'workflow', image: 'sickbay/workflows:1', args: ['restart-workload'], env: [{ name: 'MARK', value: '' }] };
const FORGED = { [PROCESS_MARK]: 'f'.repeat(64) };

const aPod = (namespace: string, metadata: Partial<Draft['metadata']> = {}, container = EVIL): Draft<Pod> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'evil', namespace, ...metadata },
  spec: { restartPolicy: 'Never', containers: [container] },
});

const aJob = (container: Container, { suspend = false, annotations = {}, inner = {} } = {}): Draft<Job> => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'fix', namespace: RUNS, annotations },
  spec: {
    suspend,
    backoffLimit: 0,
    template: { metadata: { annotations: inner }, spec: { restartPolicy: 'Never', containers: [container] } },
  },
});

const FIX = { namespace: RUNS, name: 'fix' };

/** A server with users, a local cluster on it, and Sickbay's own way to it. */
class World {
  readonly clock = new ManualClock();
  readonly api: MemoryApi = createMemoryApi({
    clock: this.clock,
    random: seededRandom(3),
    accounts: true,
    rights: { admissionRules: [markRule] },
  });
  readonly processes = new ScriptedProcesses();
  readonly sickbay: KubeClient = createClient(markingTransport(this.api, () => RUNS));
  /** The administrator of the whole server, who may do more than any editor. */
  readonly admin: KubeClient = this.as(ADMIN);
  #cluster: RunningCluster | undefined;

  as(user: User): KubeClient {
    const { gate } = this.api;
    return createClient({
      request: (request, signal) => gate.admit(user, request).request(request, signal),
      watch: (request, signal) => gate.admit(user, request).watch(request, signal),
    });
  }

  async start(): Promise<void> {
    for (const name of [RUNS, 'team']) await this.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    this.#cluster = await startCluster({
      transport: this.api,
      clock: this.clock,
      runProcess: this.processes,
      mayRun: mayRunAsProcess,
    });
    await this.pass(1);
  }

  async stop(): Promise<void> {
    await this.#cluster?.stop();
    this.api.close();
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      await this.clock.advance(SECOND);
      await settle();
    }
  }

  async ran(): Promise<readonly (string | undefined)[]> {
    await this.pass(5);
    return this.processes.started.map(({ container }) => container.image);
  }
}

let world: World;
beforeEach(async () => {
  world = new World();
  await world.start();
});
afterEach(() => world.stop());

/** Leaves Sickbay's own Job waiting, so that something can be done to it before its pod runs. */
const heldJob = (): Promise<Job> => world.sickbay.create(Job, aJob(OURS, { suspend: true }));

const release = (): Promise<Job> => world.sickbay.patch(Job, FIX, { type: 'merge', body: { spec: { suspend: false } } });

interface Attempt {
  readonly what: string;
  readonly attempt: () => Promise<unknown>;
  /** What the server answers, where it refuses. */
  readonly refused?: number;
}

const ATTEMPTS: readonly Attempt[] = [
  { what: 'a Pod of the workflow image in a namespace of theirs', attempt: () => world.admin.create(Pod, aPod('team')) },
  { what: 'a Pod of the workflow image in the execution namespace', attempt: () => world.admin.create(Pod, aPod(RUNS)) },
  { what: 'a Job in the execution namespace', attempt: () => world.admin.create(Job, aJob(EVIL)) },
  { what: "a Job with a mark on its pods' template", attempt: () => world.admin.create(Job, aJob(EVIL, { inner: FORGED })) },
  { what: 'a Job with a mark', attempt: () => world.admin.create(Job, aJob(EVIL, { annotations: FORGED })), refused: 403 },
  { what: 'a Pod with a mark', attempt: () => world.admin.create(Pod, aPod(RUNS, { annotations: FORGED })), refused: 403 },
  {
    what: 'a mark patched onto a Job',
    attempt: async () => {
      await world.admin.create(Job, aJob(EVIL, { suspend: true }));
      await world.admin.patch(Job, FIX, { type: 'merge', body: { metadata: { annotations: FORGED } } });
    },
    refused: 403,
  },
  {
    what: "another program in the template of Sickbay's own Job",
    attempt: async () => {
      await heldJob();
      await world.admin.patch(Job, FIX, { type: 'merge', body: { spec: { template: { spec: { containers: [EVIL] } } } } });
      await release();
    },
  },
  {
    what: "another account in the template of Sickbay's own Job",
    attempt: async () => {
      await world.admin.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'mighty', namespace: RUNS } });
      await heldJob();
      await world.admin.patch(Job, FIX, { type: 'merge', body: { spec: { template: { spec: { serviceAccountName: 'mighty' } } } } });
      await release();
    },
  },
  {
    what: "a Pod that calls Sickbay's own Job its owner",
    attempt: async () => {
      const job = await heldJob();
      const ownerReferences = [ownerReference(job, { controller: true, blockOwnerDeletion: true })];
      await world.admin.create(Pod, aPod(RUNS, { ownerReferences, labels: { 'job-name': 'fix' } }, OURS));
    },
  },
  {
    what: "a Pod of a Deployment with a mark on its pods' template",
    attempt: () =>
      world.admin.create(Deployment, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'evil', namespace: RUNS },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'evil' } },
          template: { metadata: { labels: { app: 'evil' }, annotations: FORGED }, spec: { containers: [EVIL] } },
        },
      }),
  },
];

describe('what runs as a process of this machine (ruling 121)', () => {
  test('a Job that Sickbay creates in the execution namespace', async () => {
    await heldJob();
    await release();
    expect(await world.ran()).toEqual([OURS.image]);
  });

  test('no Job that Sickbay creates elsewhere', async () => {
    const elsewhere = { ...aJob(OURS), metadata: { name: 'fix', namespace: 'team' } };
    await world.sickbay.create(Job, elsewhere);
    expect(await world.ran()).toEqual([]);
  });

  test.each(ATTEMPTS)('not $what, even of an administrator', async ({ attempt, refused }) => {
    const answer = await attempt().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(answer === undefined ? undefined : (answer as { httpCode?: number }).httpCode).toBe(refused);
    expect(await world.ran()).toEqual([]);
  });
});
