import { describe, expect, test } from 'vitest';
import { Deployment, Job, Node, Pod, ReplicaSet, type PodTemplate } from '../api/builtin/index.ts';
import type { Draft } from '../api/meta.ts';
import { hasCode, SECOND, silent } from '../base/index.ts';
import type { KubeClient } from '../kube/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { createProcessRunner, type RunProcess } from './index.ts';
import { memoryServer, noProcesses, ScriptedProcesses, settle, startCluster, type RunningCluster } from './testing/local-world.ts';

const WEB = { namespace: 'default', name: 'web' };

const template = (script: string): PodTemplate => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'app', image: 'sickbay.test/busybox:1', command: ['sh', '-c', script] }] },
});

const aDeployment = (script: string): Draft<Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...WEB },
  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template(script) },
});

const aJob = (extra: Partial<Job['spec']> = {}): Draft<Job> => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { namespace: 'default', name: 'fix' },
  spec: {
    backoffLimit: 0,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'workflow', image: 'sickbay/workflows:1', args: ['rollback'] }] } },
    ...extra,
  },
});

/** A world in which a test moves the clock. */
class World {
  readonly clock = new ManualClock();
  readonly server = memoryServer(this.clock);
  readonly admin: KubeClient = this.server.admin;
  #cluster: RunningCluster | undefined;
  #lives = 0;

  async start(runProcess: RunProcess = noProcesses): Promise<void> {
    this.#cluster = await startCluster({ transport: this.server.transport, clock: this.clock, runProcess, seed: ++this.#lives });
    await settle();
  }

  async stop(): Promise<void> {
    await this.#cluster?.stop();
    expect(this.#cluster?.outcomes.filter((outcome) => outcome.endsWith('failed'))).toEqual([]);
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      await this.clock.advance(SECOND);
      await settle();
    }
  }

  async roll(script: string): Promise<void> {
    await this.admin.patch(Deployment, WEB, { type: 'merge', body: { spec: { template: template(script) } } });
    await settle();
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.admin.list(Pod, { namespace: 'default' })).items;
  }

  async revisions(): Promise<Readonly<Record<string, number>>> {
    const sets = (await this.admin.list(ReplicaSet, { namespace: 'default' })).items;
    const entries = sets.map(({ metadata, spec }): [string, number] => [
      metadata.annotations?.['deployment.kubernetes.io/revision'] ?? '',
      spec.replicas ?? -1,
    ]);
    return Object.fromEntries(entries);
  }
}

const stateOf = (pod: Pod): string => {
  const [container] = pod.status?.containerStatuses ?? [];
  const { waiting, running, terminated } = container?.state ?? {};
  const state = waiting?.reason ?? (running ? 'running' : `exit ${terminated?.exitCode}`);
  return `${state} ${container?.restartCount}`;
};

describe('a Deployment on the local cluster', () => {
  test('comes up', async () => {
    const world = new World();
    await world.start();
    await world.admin.create(Deployment, aDeployment('sleep 3600'));
    await world.pass(3);
    const { metadata, status } = await world.admin.get(Deployment, WEB);
    expect(metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1');
    expect(status).toMatchObject({ observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 });
    expect(status?.unavailableReplicas).toBeUndefined();
    expect(status?.conditions?.map(({ type, status: state, reason }) => `${type} ${state} ${reason}`)).toEqual([
      'Available True MinimumReplicasAvailable',
      'Progressing True NewReplicaSetAvailable',
    ]);
    expect((await world.pods()).map(stateOf)).toEqual(['running 0', 'running 0']);
    const node = await world.admin.get(Node, { namespace: '', name: 'local' });
    expect(node.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
    await world.stop();
  });

  test('whose new revision exits at once goes through CrashLoopBackOff beside its old pods, and recovers with the old template', async () => {
    const world = new World();
    await world.start();
    await world.admin.create(Deployment, aDeployment('sleep 3600'));
    await world.pass(3);
    const before = (await world.pods()).map(({ metadata }) => metadata.uid);
    await world.roll('exit 1');
    const states: string[] = [];
    for (let i = 0; i < 45; i++) {
      await world.pass(1);
      const broken = (await world.pods()).find(({ metadata }) => !before.includes(metadata.uid));
      if (broken && states.at(-1) !== stateOf(broken)) states.push(stateOf(broken));
    }
    expect(states).toEqual([
      'exit 1 0',
      'exit 1 1',
      'CrashLoopBackOff 1',
      'exit 1 2',
      'CrashLoopBackOff 2',
      'exit 1 3',
      'CrashLoopBackOff 3',
    ]);
    expect((await world.pods()).filter(({ metadata }) => before.includes(metadata.uid)).map(stateOf)).toEqual(['running 0', 'running 0']);
    expect(await world.revisions()).toEqual({ 1: 2, 2: 1 });
    expect((await world.admin.get(Deployment, WEB)).status).toMatchObject({
      replicas: 3,
      updatedReplicas: 1,
      availableReplicas: 2,
      unavailableReplicas: 1,
    });

    await world.roll('sleep 3600');
    await world.pass(3);
    expect(await world.revisions()).toEqual({ 2: 0, 3: 2 });
    const { metadata, status } = await world.admin.get(Deployment, WEB);
    expect(metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3');
    expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });
    expect((await world.pods()).map(({ metadata: { uid } }) => uid)).toEqual(before);
    await world.stop();
  });

  test('whose new revision runs for a moment is rolled out all the way, as on a real cluster, and is then unavailable', async () => {
    const world = new World();
    await world.start();
    await world.admin.create(Deployment, aDeployment('sleep 3600'));
    await world.pass(3);
    await world.roll('sleep 1; exit 1');
    await world.pass(12);
    expect(await world.revisions()).toEqual({ 1: 0, 2: 2 });
    expect((await world.pods()).map(stateOf)).toEqual(['CrashLoopBackOff 1', 'CrashLoopBackOff 1']);
    expect((await world.admin.get(Deployment, WEB)).status).toMatchObject({
      unavailableReplicas: 2,
      conditions: [{ type: 'Available', status: 'False' }, {}],
    });
    await world.stop();
  });

  test('follows its number of replicas, and deleting it takes everything along', async () => {
    const world = new World();
    await world.start();
    await world.admin.create(Deployment, aDeployment('sleep 3600'));
    await world.pass(3);
    await world.admin.patch(Deployment, WEB, { type: 'merge', body: { spec: { replicas: 3 } } });
    await world.pass(3);
    expect(await world.pods()).toHaveLength(3);
    await world.admin.patch(Deployment, WEB, { type: 'merge', body: { spec: { replicas: 1 } } });
    await world.pass(3);
    expect(await world.pods()).toHaveLength(1);
    await world.admin.delete(Deployment, WEB);
    await world.pass(3);
    expect(await world.pods()).toEqual([]);
    expect((await world.admin.list(ReplicaSet)).items).toEqual([]);
    await world.stop();
  });

  test('replaces a pod that a user deletes', async () => {
    const world = new World();
    await world.start();
    await world.admin.create(Deployment, aDeployment('sleep 3600'));
    await world.pass(3);
    const [gone] = await world.pods();
    await world.admin.delete(Pod, { namespace: 'default', name: gone?.metadata.name ?? '' });
    await world.pass(3);
    const uids = (await world.pods()).map(({ metadata }) => metadata.uid);
    expect(uids).toHaveLength(2);
    expect(uids).not.toContain(gone?.metadata.uid);
    await world.stop();
  });
});

describe('a Job on the local cluster', () => {
  const FIX = { namespace: 'default', name: 'fix' };

  test('that is suspended has no pod, and once resumed runs its process once', async () => {
    const world = new World();
    const processes = new ScriptedProcesses();
    await world.start(processes);
    await world.admin.create(Job, aJob({ suspend: true }));
    await world.pass(3);
    expect(await world.pods()).toEqual([]);
    expect((await world.admin.get(Job, FIX)).status?.conditions).toMatchObject([{ type: 'Suspended', status: 'True' }]);
    await world.admin.patch(Job, FIX, { type: 'merge', body: { spec: { suspend: false } } });
    await world.pass(5);
    expect(processes.started.map(({ container }) => container.args)).toEqual([['rollback']]);
    expect((await world.admin.get(Job, FIX)).status).toMatchObject({ active: 1, ready: 1 });
    processes.started[0]?.end({ exitCode: 0, message: 'rolled back' });
    await world.pass(2);
    const [pod] = await world.pods();
    expect(pod?.status).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ state: { terminated: { exitCode: 0, message: 'rolled back' } } }],
    });
    expect(pod?.metadata.labels).toMatchObject({ 'job-name': 'fix', 'batch.kubernetes.io/job-name': 'fix' });
    const { status } = await world.admin.get(Job, FIX);
    expect(status).toMatchObject({
      succeeded: 1,
      conditions: [{ type: 'Suspended', status: 'False' }, { type: 'SuccessCriteriaMet' }, { type: 'Complete', status: 'True' }],
    });
    expect(status?.completionTime).toBeDefined();
    expect(status?.active).toBeUndefined();
    await world.pass(120);
    expect(processes.started).toHaveLength(1);
    await world.stop();
  });

  test('whose process exits 1 has failed', async () => {
    const world = new World();
    const processes = new ScriptedProcesses();
    await world.start(processes);
    await world.admin.create(Job, aJob());
    await world.pass(3);
    processes.started[0]?.end({ exitCode: 1, message: 'deployment web does not exist' });
    await world.pass(2);
    const [pod] = await world.pods();
    expect(pod?.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 1,
      reason: 'Error',
      message: 'deployment web does not exist',
    });
    const { status } = await world.admin.get(Job, FIX);
    expect(status).toMatchObject({
      failed: 1,
      conditions: [{ type: 'FailureTarget' }, { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }],
    });
    await world.stop();
  });

  test('that takes too long is stopped, and fails when nothing of it runs any more', async () => {
    const world = new World();
    const processes = new ScriptedProcesses();
    await world.start(processes);
    await world.admin.create(Job, aJob({ activeDeadlineSeconds: 5 }));
    await world.pass(4);
    expect(processes.stopped).toEqual([]);
    await world.pass(4);
    expect(processes.stopped).toEqual([processes.started[0]?.podUid]);
    expect(await world.pods()).toEqual([]);
    const { status } = await world.admin.get(Job, FIX);
    expect(status).toMatchObject({ failed: 1, conditions: [{ type: 'FailureTarget' }, { type: 'Failed', reason: 'DeadlineExceeded' }] });
    await world.stop();
  });

  test('whose pod is taken away by force loses its process, and is never run again', async () => {
    const world = new World();
    const processes = new ScriptedProcesses();
    await world.start(processes);
    await world.admin.create(Job, aJob());
    await world.pass(3);
    const [pod] = await world.pods();
    await world.admin.delete(Pod, { namespace: 'default', name: pod?.metadata.name ?? '' }, { gracePeriodSeconds: 0 });
    await world.pass(60);
    expect(processes.stopped).toContain(processes.started[0]?.podUid);
    expect(processes.started).toHaveLength(1);
    expect((await world.admin.get(Job, FIX)).status?.conditions).toMatchObject([{}, { type: 'Failed', reason: 'BackoffLimitExceeded' }]);
    await world.stop();
  });

  test('that was running when the cluster was started again has failed: its process is unknown', async () => {
    const world = new World();
    const first = new ScriptedProcesses();
    await world.start(first);
    await world.admin.create(Job, aJob());
    await world.pass(3);
    expect(first.started).toHaveLength(1);
    await world.stop();
    const second = new ScriptedProcesses();
    await world.start(second);
    await world.pass(3);
    expect(second.started).toEqual([]);
    const [pod] = await world.pods();
    expect(pod?.status).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } } }],
    });
    expect((await world.admin.get(Job, FIX)).status?.conditions).toMatchObject([{}, { type: 'Failed', status: 'True' }]);
    await world.stop();
  });

  test('that is deleted takes its process along', async () => {
    const world = new World();
    const processes = new ScriptedProcesses();
    await world.start(processes);
    await world.admin.create(Job, aJob());
    await world.pass(3);
    await world.admin.delete(Job, FIX, { propagationPolicy: 'Background' });
    await world.pass(3);
    expect(processes.stopped).toHaveLength(1);
    expect(await world.pods()).toEqual([]);
    await world.stop();
  });

  test('runs as a real process, with nothing but what it was given', async () => {
    const world = new World();
    const runner = createProcessRunner({
      programs: {
        'sickbay/workflows': {
          command: () => [
            process.execPath,
            '-e',
            'console.log(JSON.stringify(process.env), process.argv.slice(1)); process.exitCode = 3;',
            '--',
          ],
          variables: new Set(['TARGET']),
        },
      },
      env: { KUBECONFIG: '/somewhere' },
      log: silent,
    });
    const ended = new Promise<void>((resolve) => {
      const start: RunProcess['start'] = (podUid, container, account) => runner.start(podUid, container, account).finally(resolve);
      void world.start({ ...runner, start });
    });
    const container = {
      name: 'workflow',
      image: 'sickbay/workflows:1',
      args: ['rollback', 'web'],
      env: [{ name: 'TARGET', value: 'shop/web' }],
    };
    await world.admin.create(Job, aJob({ template: { spec: { restartPolicy: 'Never', containers: [container] } } }));
    await settle();
    await world.pass(3);
    await ended;
    await world.pass(3);
    const [pod] = await world.pods();
    const { exitCode, message } = pod?.status?.containerStatuses?.[0]?.state?.terminated ?? {};
    expect({ exitCode, message }).toEqual({
      exitCode: 3,
      message: `{"TARGET":"shop/web","KUBECONFIG":"/somewhere"} [ 'rollback', 'web' ]\n`,
    });
    expect((await world.admin.get(Job, FIX)).status?.conditions).toMatchObject([{}, { type: 'Failed', reason: 'BackoffLimitExceeded' }]);
    await world.stop();
  });

  test('of an image that is not here waits, says so, and ends at its deadline', async () => {
    const world = new World();
    await world.start();
    await world.admin.create(Job, aJob({ activeDeadlineSeconds: 60 }));
    await world.pass(5);
    const waitingFor = async () => (await world.pods())[0]?.status?.containerStatuses?.[0]?.state?.waiting;
    expect((await waitingFor())?.reason).toBe('ErrImagePull');
    expect((await waitingFor())?.message).toContain('sickbay/workflows:1');
    await world.pass(15);
    expect((await waitingFor())?.reason).toBe('ImagePullBackOff');
    await world.pass(60);
    expect((await world.admin.get(Job, FIX)).status?.conditions).toMatchObject([{}, { type: 'Failed', reason: 'DeadlineExceeded' }]);
    await world.stop();
  });
});

describe('a second node of the local cluster', () => {
  const OTHER = { namespace: '', name: 'worker-1' };
  const kubelet = (world: World, state: string) =>
    world.admin.patch(Node, OTHER, { type: 'merge', body: { metadata: { annotations: { 'local.sickbay.dev/kubelet': state } } } });

  const worldWithTwo = async (): Promise<World> => {
    const world = new World();
    await world.start();
    const metadata = { name: OTHER.name, annotations: { 'local.sickbay.dev/kubelet': 'running' } };
    await world.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata });
    await settle();
    await world.admin.create(Deployment, aDeployment('sleep 3600'));
    await world.pass(4);
    return world;
  };
  const places = async (world: World): Promise<readonly string[]> =>
    (await world.pods())
      .map(({ metadata, spec }) => `${spec.nodeName ?? ''}${metadata.deletionTimestamp === undefined ? '' : ' leaving'}`)
      .toSorted((a, b) => a.localeCompare(b));
  const onOther = async (world: World) => (await world.pods()).find(({ spec }) => spec.nodeName === OTHER.name);

  test('takes pods; once its kubelet stops it is unreachable and they are not ready', async () => {
    const world = await worldWithTwo();
    expect(await places(world)).toEqual(['local', 'worker-1']);
    await kubelet(world, 'stopped');
    await world.pass(2);
    const { spec, status } = await world.admin.get(Node, OTHER);
    expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }]);
    expect(spec?.taints?.map(({ key, effect }) => `${key} ${effect}`)).toEqual([
      'node.kubernetes.io/unreachable NoSchedule',
      'node.kubernetes.io/unreachable NoExecute',
    ]);
    const ready = (await onOther(world))?.status?.conditions?.find(({ type }) => type === 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason: 'NodeNotReady' });
    expect((await world.admin.get(Deployment, WEB)).status?.availableReplicas).toBe(1);
    await world.stop();
  });

  test('ends no pod while it is silent: a deleted one is replaced elsewhere, and gone once the kubelet is back', async () => {
    const world = await worldWithTwo();
    await kubelet(world, 'stopped');
    await world.pass(2);
    await world.admin.delete(Pod, { namespace: 'default', name: (await onOther(world))?.metadata.name ?? '' });
    await world.pass(4);
    expect(await places(world)).toEqual(['local', 'local', 'worker-1 leaving']);
    await kubelet(world, 'running');
    await world.pass(3);
    expect(await places(world)).toEqual(['local', 'local']);
    const back = await world.admin.get(Node, OTHER);
    expect(back.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
    expect(back.spec?.taints ?? []).toEqual([]);
    await world.stop();
  });

  test('is left alone where another writer added it', async () => {
    const world = new World();
    await world.start();
    await world.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: OTHER.name } });
    await world.pass(2);
    expect((await world.admin.get(Node, OTHER)).status?.conditions).toBeUndefined();
    await world.stop();
  });
});

test('the node is created once, and nothing is left waiting when the cluster stops', async () => {
  const world = new World();
  await world.start();
  await world.stop();
  await world.start();
  const { items } = await world.admin.list(Node);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['local']);
  await world.stop();
  expect(world.clock.waiting).toBe(0);
  await expect(world.admin.get(Node, { namespace: '', name: 'other' })).rejects.toSatisfy((error: unknown) => hasCode(error, 'NotFound'));
});
