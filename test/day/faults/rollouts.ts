import { ConfigMap, Deployment, Service } from '../../../src/api/builtin/index.ts';
import { aDeployment, modeOf, sh } from '../../../workflows/testing/shop.ts';
import { allAccepted, handedOver, healed, healedOrHandedOver, onlyRequests, tells } from '../expectations.ts';
import type { Fault } from '../fault.ts';
import { BAD, FLAPPING, GOOD, type Stage } from '../stage.ts';

const APP = 'checkout';
const isGood = async (stage: Stage): Promise<boolean> => (await stage.commandOf(APP))?.join() === GOOD.command.join();
/** How an alert's two states followed each other. */
const flapsOf = (stage: Stage): number => stage.alerts().filter(({ state }) => state === 'resolved').length;

const crashLoop: Fault = {
  name: 'crash-loop',
  expected: 'rolled back, Remediated, one request',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy(APP);
    await stage.release(APP, BAD);
    const course = await healed(stage);
    stage.expect('the bad release is still there', await isGood(stage));
    stage.expect('the score of a perfect fix is not 1.00', /score 1\.00/.test(course.request.status?.message ?? ''));
    await stage.wait(15);
    onlyRequests(stage, 1);
  },
};

export const flappingProduction: Fault = {
  name: 'flapping-production',
  expected: 'one request, one question through all flaps; approve runs it, Remediated',
  async run(stage) {
    await stage.open('production');
    await stage.deploy(APP);
    await stage.release(APP, FLAPPING);
    await stage.untilPhase(0, ['AwaitingApproval'], 180);
    await stage.until('an alert resolved and fired again after the question', 120, () => {
      const states = stage.alerts().map(({ state }) => state);
      const resolved = states.indexOf('resolved');
      return (resolved >= 0 && states.indexOf('firing', resolved) >= 0) || undefined;
    });
    const [course] = stage.courses();
    stage.expect('the request did not stay open while its alert flapped', course?.request.status?.overallPhase === 'AwaitingApproval');
    if (!course) return;
    await stage.explain(course);
    const approved = await stage.approve(course);
    stage.expect(`approve exited with ${approved.code}: ${approved.output}`, approved.code === 0);
    await healed(stage);
    stage.expect('the bad release is still there', await isGood(stage));
    stage.expect('the alert never flapped', flapsOf(stage) > 0);
    stage.expect('it was asked more than once', stage.day.book.approvals(course.request.metadata.name).length === 1);
    onlyRequests(stage, 1);
  },
};

const criticalJoins: Fault = {
  name: 'critical-joins',
  expected: 'a warning opens it, a critical alert joins: asked again at a higher priority',
  async run(stage) {
    await stage.open('production');
    await stage.deploy(APP);
    // With one replica replaced at once nothing is available, which is critical after a while.
    await stage.patch(APP, { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } });
    await stage.release(APP, BAD);
    const { request } = await stage.untilPhase(0, ['AwaitingApproval'], 180);
    const priorities = (): readonly string[] =>
      stage.day.book.notifications(request.metadata.name).flatMap(({ spec }) => (spec.type === 'Approval' ? [spec.priority] : []));
    await stage.until(
      'a critical alert joined',
      120,
      () => stage.alerts().some(({ labels }) => labels['severity'] === 'critical') || undefined,
    );
    await stage.wait(20);
    stage.say(`priorities of the questions: ${priorities().join(', ')}`);
    stage.expect(`the question's priority is ${priorities().join(', ')}, not Critical`, priorities().includes('Critical'));
    await stage.approve(stage.courses()[0]!);
    await healed(stage);
    onlyRequests(stage, 1);
  },
};

export const gitOps: Fault = {
  name: 'argo-cd',
  expected: 'not rolled back: handed over, naming Argo CD',
  async run(stage) {
    await stage.open('staging');
    const metadata = {
      annotations: { 'argocd.argoproj.io/tracking-id': `shop:apps/Deployment:${stage.namespace}/${APP}` },
      labels: { 'app.kubernetes.io/instance': 'shop' },
    };
    await stage.deploy(APP, GOOD, { metadata });
    await stage.release(APP, BAD);
    await handedOver(stage, [/Argo ?CD/i]);
    stage.expect('it was rolled back although Argo CD manages it', !(await isGood(stage)));
    onlyRequests(stage, 1);
  },
};

export const scaledToZero: Fault = {
  name: 'scaled-to-zero',
  expected: 'nothing to do while scaled to 0; once scaled up and broken: healed, not muted',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy(APP);
    await stage.patch(APP, { spec: { replicas: 0 } });
    await stage.untilEnded(0, 240);
    stage.say('it is scaled to 2 with a bad release');
    const { spec } = aDeployment(APP, BAD);
    await stage.patch(APP, { spec: { replicas: 2, template: { spec: spec.template.spec } } });
    await healed(stage, 1, 240);
    stage.expect('the bad release is still there', await isGood(stage));
  },
};

const dependencyGone: Fault = {
  name: 'dependency-gone',
  expected: 'not rolled back: it ran well for 3.5 minutes; handed over',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy('payments', { command: sh('mkdir /tmp/www; httpd -f -p 8080 -h /tmp/www') }, { replicas: 1 });
    const ports = [{ port: 8080 }];
    await stage.create(Service, 'payments', { spec: { selector: { app: 'payments' }, ports } });
    await stage.untilReady('payments', 1);
    await stage.deploy(APP);
    const asks = 'while nc -z -w 2 $PAYMENTS_SERVICE_HOST 8080; do sleep 1; done; echo "payments: connection refused" >&2; exit 1';
    const release = { command: sh(asks) };
    await stage.release(APP, release);
    await stage.untilReady(APP);
    await stage.wait(210);
    await stage.client.delete(Deployment, stage.key('payments'));
    stage.say('payments is deleted');
    await handedOver(stage, [/payments|logs/]);
    stage.expect('the release was blamed and rolled back', !(await isGood(stage)));
    onlyRequests(stage, 1);
  },
};

const brokenConfigMap: Fault = {
  name: 'config-map',
  expected: 'no rollback to a template that differs only in restartedAt; healed or handed over naming the ConfigMap',
  async run(stage) {
    await stage.open('staging');
    await stage.create(ConfigMap, 'settings', { data: { MODE: 'good' } });
    const reads = { command: sh('[ "$MODE" = good ] || { echo "unknown MODE $MODE" >&2; exit 1; }; sleep 86400'), env: modeOf('settings') };
    await stage.deploy(APP, reads);
    await stage.untilReady(APP);
    await stage.wait(5);
    await stage.client.patch(ConfigMap, stage.key('settings'), { type: 'merge', body: { data: { MODE: 'bda' } } });
    const restartedAt = { 'kubectl.kubernetes.io/restartedAt': '2026-11-18T12:00:00Z' };
    await stage.patch(APP, { spec: { template: { metadata: { annotations: restartedAt } } } });
    stage.say('the ConfigMap is broken, and kubectl rollout restart');
    const course = await healedOrHandedOver(stage, [/settings|ConfigMap/]);
    stage.expect(
      `it went back to a template without restartedAt: ${course.request.status?.message}`,
      course.request.status?.workflowDisplayName?.includes('rollback') !== true,
    );
    onlyRequests(stage, 1);
  },
};

const appliedAgain: Fault = {
  name: 'applied-again',
  expected: 'the bad template is applied again, at once: the wait ends by itself, in the same request, and heals it',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy(APP);
    await stage.release(APP, BAD);
    await healed(stage);
    await stage.release(APP, BAD);
    await stage.explain(await stage.untilPhase(1, ['Blocked', 'Executing', 'Verifying', 'Completed'], 180));
    await healed(stage, 1, 300);
    stage.expect('the bad release is still there', await isGood(stage));
    await stage.wait(70);
    await stage.release(APP, BAD);
    await healed(stage, 2, 240);
    await stage.wait(15);
    onlyRequests(stage, 3);
    for (const course of stage.courses()) tells(stage, course, [/rolled back/]);
  },
};

const badImage: Fault['run'] = async (stage) => {
  await stage.open('staging');
  await stage.deploy(APP);
  await stage.release(APP, { ...GOOD, image: 'sickbay.test/checkout:1.5.O' });
  await stage.until('the reason of the alert flipped', 120, () => reasonsOf(stage).size > 1 || undefined);
  const course = await healedOrHandedOver(stage, [/sickbay\.test\/checkout:1\.5\.O/, new RegExp(`${APP}-[a-z0-9]+-[a-z0-9]+`)]);
  stage.expect('called NoActionRequired', course.request.status?.outcome !== 'NoActionRequired');
  onlyRequests(stage, 1);
  allAccepted(stage);
};

const reasonsOf = (stage: Stage): ReadonlySet<string> => new Set(stage.alerts().flatMap(({ labels }) => labels['reason'] ?? []));

export const flippingReason: Fault = {
  name: 'bad-image',
  expected: 'one request through ErrImagePull and ImagePullBackOff; healed, or handed over with pod and image',
  run: badImage,
};

/** Faults of releases. */
export const ROLLOUTS: readonly Fault[] = [
  // The longest first.
  dependencyGone,
  appliedAgain,
  crashLoop,
  flappingProduction,
  criticalJoins,
  gitOps,
  scaledToZero,
  flippingReason,
  brokenConfigMap,
];
