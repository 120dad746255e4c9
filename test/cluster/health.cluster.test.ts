import { afterAll, beforeAll, expect, test } from 'vitest';
import { Deployment, isCordoned, Namespace, Node, nodeFaults, Pod, StatefulSet } from '../../src/api/builtin/index.ts';
import { EffectivenessAssessment, kinds } from '../../src/api/index.ts';
import { isTerminal } from '../../src/api/phases.ts';
import { assessmentPhases } from '../../src/api/effectiveness-assessment/phases.ts';
import { after, MINUTE, SECOND, systemClock, systemRandom, toTime, type Instant } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { createEffectivenessController } from '../../src/controllers/effectiveness/index.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { aDeployment, isUp, probe, restartsOf, sh, waitsOf } from '../../workflows/testing/shop.ts';
import { runControllers } from './run-controllers.ts';

const SLEEP = 'sleep 3600';
/** Only a restarted container finds the data of its earlier run. */
const onceThenRun = (first: string) => ({
  command: sh(`[ -f /data/left ] || { touch /data/left; ${first}; }; ${SLEEP}`),
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
});
const KEEPS = { spec: { volumes: [{ name: 'data', emptyDir: {} }] } };
const OUT_OF_MEMORY = { ...onceThenRun('exec tail /dev/zero'), resources: { limits: { memory: '32Mi' } } };
const NEVER_READY = probe('false');

type Wanted = (pods: readonly Pod[]) => boolean;
const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
const areReady =
  (count: number): Wanted =>
  (pods) =>
    pods.filter(isReady).length === count;
const waitFor =
  (reason: string): Wanted =>
  (pods) =>
    pods.some((pod) => waitsOf(pod).includes(reason));
const both =
  (...all: readonly Wanted[]): Wanted =>
  (pods) =>
    all.every((wanted) => wanted(pods));

describeOnCluster('health, from pods that a real kubelet runs:', (kubeconfig) => {
  const suffix = systemRandom.uuid().slice(0, 8);
  const namespace = `assess-${suffix}`;
  const shop = `assess-shop-${suffix}`;
  const over = new AbortController();
  let transport: HttpTransport;
  let client: KubeClient;
  let running: Promise<unknown> = Promise.resolve();

  beforeAll(async () => {
    transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: kubeconfig() }));
    client = createClient(transport);
    await installKinds(kinds, { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    for (const name of [namespace, shop]) await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const controller = createEffectivenessController(() => ({ ...DEFAULT_SETTINGS, namespace }));
    running = runControllers(transport, [controller], over.signal).catch(() => undefined);
  });

  afterAll(async () => {
    over.abort(new Error('the tests are over'));
    await running;
    for (const name of [namespace, shop]) await client.delete(Namespace, { namespace: '', name });
    await transport.close();
  });

  const deploy = (name: string, container: object, more?: object): Promise<Deployment> => {
    const draft = aDeployment(name, container, more);
    return client.create(Deployment, { ...draft, metadata: { name, namespace: shop } });
  };

  /** Two pods that are told apart by their ordinals; the second is made when the first is ready. */
  const deploySet = (name: string, container: object): Promise<StatefulSet> => {
    const { spec } = aDeployment(name, container, { replicas: 2, ...KEEPS });
    return client.create(StatefulSet, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name, namespace: shop },
      spec: { ...spec, serviceName: name },
    });
  };

  const untilPods = (app: string, isSo: Wanted): Promise<true> =>
    until(client, { resource: Pod, namespace: shop, labelSelector: `app=${app}` }, (pods) => isSo(pods) || undefined, over.signal);

  /** What the controller assesses of something that was repaired at that moment. */
  const assessed = async (target: { readonly kind: string; readonly name: string }, fixedAt: Instant) => {
    const name = `ea-${target.name}-${systemRandom.uuid().slice(0, 4)}`;
    const remediationTarget = { ...target, namespace: shop };
    await client.create(EffectivenessAssessment, {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'EffectivenessAssessment',
      metadata: { name, namespace },
      spec: {
        correlationID: target.name,
        remediationRequestPhase: 'Verifying',
        signalTarget: remediationTarget,
        remediationTarget,
        config: { stabilizationWindow: '1s' },
        remediationCreatedAt: toTime(fixedAt),
      },
    });
    const isIt = ({ metadata, status }: EffectivenessAssessment): boolean =>
      metadata.name === name && isTerminal(assessmentPhases, status?.phase);
    const find = (all: readonly EffectivenessAssessment[]): EffectivenessAssessment | undefined => all.find(isIt);
    const { status } = await until(client, { resource: EffectivenessAssessment, namespace }, find, over.signal);
    const { phase, assessmentReason, message, components } = status ?? {};
    process.stderr.write(`${target.name}: ${components?.healthScore} ${assessmentReason}: ${message}\n`);
    expect({ phase, assessmentReason }).toEqual({ phase: 'Completed', assessmentReason: 'Full' });
    return { score: components?.healthScore, isAssessed: components?.healthAssessed, message };
  };

  const before = (): Instant => after(systemClock.now(), -5 * SECOND);
  const patiently = { timeout: 2 * MINUTE, concurrent: true };
  const deployment = (name: string) => ({ kind: 'Deployment', name });

  test('[EM-132] all ready: 1', patiently, async () => {
    const fixedAt = before();
    await deploy('ready', { command: sh(SLEEP) }, { replicas: 2 });
    await untilPods('ready', areReady(2));
    expect(await assessed(deployment('ready'), fixedAt)).toMatchObject({ score: 1, message: '2 of 2 pods ready' });
  });

  test('[EM-127] [EM-134] one crash looping, the other ready: 0', patiently, async () => {
    const fixedAt = before();
    await deploySet('crashing', { command: sh(`[ "$HOSTNAME" = crashing-0 ] || exit 1; ${SLEEP}`) });
    // The waits between starts double: it must not be started again just when it is looked at.
    const waitsLong: Wanted = (pods) => pods.some((pod) => waitsOf(pod).includes('CrashLoopBackOff') && restartsOf(pod) >= 3);
    await untilPods('crashing', both(areReady(1), waitsLong));
    const { score, message } = await assessed({ kind: 'StatefulSet', name: 'crashing' }, fixedAt);
    expect(score).toBe(0);
    expect(message).toContain('crashing-1 is in CrashLoopBackOff');
  });

  test('[EM-130] [EM-136] killed for memory since the fix, and ready again: 0.25', patiently, async () => {
    const fixedAt = before();
    await deploy('oom', OUT_OF_MEMORY, KEEPS);
    await untilPods(
      'oom',
      both(areReady(1), (pods) => pods.some((pod) => restartsOf(pod) > 0)),
    );
    expect((await assessed(deployment('oom'), fixedAt)).score).toBe(0.25);
  });

  test('[EM-135] killed for memory and ready again, the other not ready: 0.5', patiently, async () => {
    const fixedAt = before();
    const readinessProbe = probe('[ "$HOSTNAME" = half-oom-0 ]');
    await deploySet('half-oom', { ...OUT_OF_MEMORY, readinessProbe });
    await untilPods(
      'half-oom',
      both(areReady(1), (pods) => pods.filter((pod) => isUp(pod) && restartsOf(pod) > 0).length === 2),
    );
    expect(await assessed({ kind: 'StatefulSet', name: 'half-oom' }, fixedAt)).toMatchObject({ score: 0.5 });
  });

  test('[EM-131] restarted since the fix, and ready again: 0.75; 1 where it was before the fix', patiently, async () => {
    const fixedAt = before();
    await deploy('restarted', onceThenRun('exit 1'), KEEPS);
    await untilPods(
      'restarted',
      both(areReady(1), (pods) => pods.some((pod) => restartsOf(pod) > 0)),
    );
    expect(await assessed(deployment('restarted'), fixedAt)).toMatchObject({
      score: 0.75,
      message: '1 of 1 pods ready, 1 restart since the fix',
    });
    expect(await assessed(deployment('restarted'), systemClock.now())).toMatchObject({ score: 1 });
  });

  test.for([
    ['no-room', { resources: { requests: { cpu: '1000' } } }, (pods: readonly Pod[]) => pods.some(isUnschedulable)],
    ['no-image', { image: 'sickbay.test/missing:1' }, waitFor('ImagePullBackOff')],
    ['not-ready', { readinessProbe: NEVER_READY }, (pods: readonly Pod[]) => pods.some(isUp)],
  ] as const)('[EM-128] pending or never ready (%s): 0', patiently, async ([name, container, isSo]) => {
    const fixedAt = before();
    await deploy(name, { command: sh(SLEEP), ...container });
    await untilPods(name, isSo);
    expect(await assessed(deployment(name), fixedAt)).toMatchObject({ score: 0, message: '0 of 1 pods ready' });
  });

  test('[EM-129] rolled out half-way: 0.5', patiently, async () => {
    const fixedAt = before();
    const draft = await deploy('half-way', { command: sh(SLEEP) }, { replicas: 2 });
    await untilPods('half-way', areReady(2));
    const [container] = draft.spec.template.spec.containers;
    const body = { spec: { template: { spec: { containers: [{ ...container, readinessProbe: NEVER_READY }] } } } };
    await client.patch(Deployment, { namespace: shop, name: 'half-way' }, { type: 'merge', body });
    await untilPods('half-way', (pods) => pods.filter(isUp).length === 3);
    expect(await assessed(deployment('half-way'), fixedAt)).toMatchObject({ score: 0.5, message: '2 of 3 pods ready' });
  });

  test('[EM-133] something that has no pods of its own: looked at, no score', patiently, async () => {
    // Every namespace has this one.
    const found = await assessed({ kind: 'ConfigMap', name: 'kube-root-ca.crt' }, before());
    expect(found).toMatchObject({ score: undefined, isAssessed: true });
  });

  test('[EM-133] a Node that is Ready: 1 (ruling 114)', patiently, async () => {
    const node = (await client.list(Node)).items.find((one) => nodeFaults(one).length === 0 && !isCordoned(one));
    const found = await assessed({ kind: 'Node', name: node?.metadata.name ?? '' }, before());
    expect(found).toMatchObject({ score: 1, message: 'Ready and without pressure' });
  });
});

const isUnschedulable = ({ status }: Pod): boolean => status?.conditions?.some(({ reason }) => reason === 'Unschedulable') ?? false;
