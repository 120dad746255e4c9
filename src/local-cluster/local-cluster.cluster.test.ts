import { expect, test } from 'vitest';
import {
  Deployment,
  Job,
  Namespace,
  Pod,
  ReplicaSet,
  type ContainerState,
  type PodCondition,
  type PodTemplate,
} from '../api/builtin/index.ts';
import type { ObjectKey } from '../api/meta.ts';
import { after, MINUTE, PlatformError, SECOND, systemClock, systemRandom } from '../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../kube/index.ts';
import { describeOnCluster } from '../testkit/lanes.ts';
import { memoryServer, noProcesses, startCluster } from './testing/local-world.ts';

const REVISION = 'deployment.kubernetes.io/revision';

/** Pods that are to go, go at once: a shell that sleeps does not hear that it should end. */
const template = (app: string, script: string): PodTemplate => ({
  metadata: { labels: { app } },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'app', image: 'sickbay.test/busybox:1', command: ['sh', '-c', script] }],
  },
});

/** Waits on the real clock: what happens here happens on a real cluster. */
const pause = (ms: number): Promise<void> => systemClock.waitUntil(after(systemClock.now(), ms), new AbortController().signal);

async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (const end = after(systemClock.now(), 40 * SECOND); systemClock.now() < end; await pause(200)) {
    const value = await read();
    if (value !== undefined) return value;
  }
  throw new PlatformError('Unavailable', `waiting for ${what}: it did not come`);
}

/** A Deployment, and what there is to see of it. */
class Web {
  readonly #client: KubeClient;
  readonly #key: ObjectKey;

  constructor(client: KubeClient, key: ObjectKey) {
    this.#client = client;
    this.#key = key;
  }

  async create(script: string, minReadySeconds: number): Promise<void> {
    const selector = { matchLabels: { app: this.#key.name } };
    const spec = { replicas: 2, minReadySeconds, selector, template: template(this.#key.name, script) };
    await this.#client.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...this.#key }, spec });
  }

  async roll(script: string): Promise<void> {
    const containers = [{ name: 'app', command: ['sh', '-c', script] }];
    await this.#client.patch(Deployment, this.#key, { type: 'strategic', body: { spec: { template: { spec: { containers } } } } });
  }

  async pods(): Promise<readonly Pod[]> {
    const { items } = await this.#client.list(Pod, this.#ours());
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** What matters of the Deployment: its counts, its conditions, its revisions and how many pods each is to have. */
  async summary(): Promise<Summary> {
    const { metadata, status = {} } = await this.#client.get(Deployment, this.#key);
    const { items: sets } = await this.#client.list(ReplicaSet, this.#ours());
    const {
      replicas = 0,
      updatedReplicas = 0,
      readyReplicas = 0,
      availableReplicas = 0,
      unavailableReplicas = 0,
      conditions = [],
    } = status;
    return {
      revision: metadata.annotations?.[REVISION] ?? '',
      counts: `${replicas} pods, ${updatedReplicas} updated, ${readyReplicas} ready, ${availableReplicas} available, ${unavailableReplicas} not`,
      conditions: conditions.map(({ type, status: state, reason }) => `${type} ${state} ${reason}`).toSorted(),
      replicaSets: sets.map((set) => `${set.metadata.annotations?.[REVISION]}: ${set.spec.replicas}`).toSorted(),
    };
  }

  /** The Deployment once it shows these counts at that revision. */
  reaches(revision: string, counts: string): Promise<Summary> {
    return until(`${this.#key.name}: ${counts}`, async () => {
      const summary = await this.summary();
      return summary.revision === revision && summary.counts === counts ? summary : undefined;
    });
  }

  /** Breaks it, and tells what its new pods go through until so many of them are in their first back-off. */
  async crashes(script: string, pods: number): Promise<readonly (readonly string[])[]> {
    const old = new Set((await this.pods()).map(({ metadata }) => metadata.name));
    const { resourceVersion } = await this.#client.list(Pod, this.#ours());
    const stop = new AbortController();
    const lines = await this.#client.watch(Pod, { ...this.#ours(), resourceVersion }, stop.signal);
    await this.roll(script);
    const lives = new Map<string, string[]>();
    for await (const batch of lines) {
      for (const { object } of batch) if (!old.has((object as Pod).metadata.name)) note(lives, object as Pod);
      if ([...lives.values()].filter((life) => life.at(-1)?.startsWith('CrashLoopBackOff')).length === pods) break;
    }
    stop.abort();
    return [...lives.values()];
  }

  #ours(): { readonly namespace: string; readonly labelSelector: string } {
    return { namespace: this.#key.namespace, labelSelector: `app=${this.#key.name}` };
  }
}

interface Summary {
  readonly revision: string;
  readonly counts: string;
  readonly conditions: readonly string[];
  readonly replicaSets: readonly string[];
}

/** Notes the state that a pod shows, up to its first back-off. */
function note(lives: Map<string, string[]>, pod: Pod): void {
  const life = lives.get(pod.metadata.name) ?? [];
  lives.set(pod.metadata.name, life);
  const state = stateText(pod);
  if (state !== undefined && state !== life.at(-1) && !life.at(-1)?.startsWith('CrashLoopBackOff')) life.push(state);
}

/** The state of a pod's container and what the pod makes of it, without what differs from pod to pod. */
function stateText({ metadata, status }: Pod): string | undefined {
  const [container] = status?.containerStatuses ?? [];
  if (!container) return undefined;
  const { restartCount, state = {} } = container;
  const ready = readyText(status?.conditions ?? []);
  const what = whatText(state).replace(`${metadata.name}_${metadata.namespace}(${metadata.uid})`, 'POD');
  return `${what}; restarts ${restartCount}; ${status?.phase}; ready ${ready}`;
}

function readyText(conditions: readonly PodCondition[]): string {
  const { status = 'not said', reason = '' } = conditions.find(({ type }) => type === 'Ready') ?? {};
  return `${status} ${reason}`.trimEnd();
}

function whatText({ waiting, terminated }: ContainerState): string {
  if (waiting) return [waiting.reason, waiting.message].filter(Boolean).join(': ');
  return terminated ? `${terminated.reason} ${terminated.exitCode}` : 'running';
}

const UP = '2 pods, 2 updated, 2 ready, 2 available, 0 not';

/** Pods that must be ready for a while before they count: the bad revision never replaces the good one. */
async function guarded(client: KubeClient, namespace: string): Promise<unknown> {
  const web = new Web(client, { namespace, name: 'guarded' });
  await web.create('sleep 3600', 5);
  const up = await web.reaches('1', UP);
  const before = (await web.pods()).map(({ metadata }) => metadata.uid).toSorted();
  const crashes = await web.crashes('sleep 1; exit 1', 1);
  const broken = await web.reaches('2', '3 pods, 1 updated, 2 ready, 2 available, 1 not');
  await web.roll('sleep 3600');
  const back = await web.reaches('3', UP);
  const after = (await web.pods()).map(({ metadata }) => metadata.uid).toSorted();
  return { up, crashes, broken, back, kept: after.join() === before.join() };
}

/** Pods that count as soon as they run: the bad revision replaces the good one before it shows that it is bad. */
async function unguarded(client: KubeClient, namespace: string): Promise<unknown> {
  const web = new Web(client, { namespace, name: 'unguarded' });
  await web.create('sleep 3600', 0);
  const up = await web.reaches('1', UP);
  const crashes = await web.crashes('sleep 2; exit 1', 2);
  const broken = await web.reaches('2', '2 pods, 2 updated, 0 ready, 0 available, 2 not');
  await web.roll('sleep 3600');
  return { up, crashes, broken, back: await web.reaches('3', UP) };
}

/** Jobs that go well, go wrong, take too long, and are held first. */
async function jobs(client: KubeClient, namespace: string): Promise<unknown> {
  const run = async (name: string, script: string, extra: Partial<Job['spec']> = {}): Promise<unknown> => {
    const container = { name: 'app', image: 'sickbay.test/busybox:1', command: ['sh', '-c', script] };
    const pod = { terminationGracePeriodSeconds: 1, restartPolicy: 'Never' as const, containers: [container] };
    const spec = { backoffLimit: 0, template: { spec: pod }, ...extra };
    await client.create(Job, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace }, spec });
    const read = (): Promise<Job> => client.get(Job, { namespace, name });
    const held = extra.suspend && (await until(`${name} to be held`, async () => conditionsOf(await read())));
    if (held) await client.patch(Job, { namespace, name }, { type: 'merge', body: { spec: { suspend: false } } });
    const ended = await until(`${name} to end`, async () => {
      const job = await read();
      return /(Complete|Failed) True/.test(conditionsOf(job)?.join() ?? '') ? job : undefined;
    });
    const { items: pods } = await client.list(Pod, { namespace, labelSelector: `job-name=${name}` });
    const { active = 0, succeeded = 0, failed = 0 } = ended.status ?? {};
    return { held, conditions: conditionsOf(ended), counts: { active, succeeded, failed }, pods: pods.map(stateText) };
  };
  return Promise.all([
    run('good', 'sleep 1'),
    run('bad', 'sleep 1; exit 3', { suspend: true }),
    run('late', 'sleep 3600', { activeDeadlineSeconds: 3 }),
  ]);
}

const conditionsOf = ({ status }: Job): readonly string[] | undefined =>
  status?.conditions?.map(({ type, status: state, reason }) => `${type} ${state} ${reason}`);

describeOnCluster('the local cluster against a real one', (kubeconfig) => {
  test.concurrent.each([
    { name: 'a bad revision kept back, and back', story: guarded, hint: ['kept', true] },
    {
      name: 'a bad revision rolled out, and back',
      story: unguarded,
      hint: ['back.replicaSets', ['2: 0', '3: 2']],
    },
    { name: 'Jobs', story: jobs, hint: ['1.pods', ['Error 3; restarts 0; Failed; ready False PodFailed']] },
  ] as const)('$name: the same on both', { timeout: 2 * MINUTE }, async ({ story, hint: [path, value] }) => {
    const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: kubeconfig() }));
    const real = createClient(transport);
    const namespace = `local-cluster-${systemRandom.uuid().slice(0, 8)}`;
    await real.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const server = memoryServer(systemClock);
    const cluster = await startCluster({ transport: server.transport, clock: systemClock, runProcess: noProcesses });
    try {
      const [theirs, ours] = await Promise.all([story(real, namespace), story(server.admin, 'default')]);
      expect(ours).toEqual(theirs);
      expect(ours).toHaveProperty(path, value);
    } finally {
      await cluster.stop();
      await real.delete(Namespace, { namespace: '', name: namespace });
      await transport.close();
    }
  });
});
