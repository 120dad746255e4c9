import { afterEach, beforeEach, expect, test } from 'vitest';
import { CustomResourceDefinition, Deployment, Namespace, Pod } from '../../src/api/builtin/index.ts';
import { crdOf } from '../../src/api/crd-of.ts';
import { EffectivenessAssessment } from '../../src/api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../src/api/effectiveness-assessment/overall-score.ts';
import { remediationRequestSample } from '../../src/api/remediation-request/sample.ts';
import { RemediationRequest } from '../../src/api/remediation-request/remediation-request.ts';
import { createMemoryApi } from '../../src/apiserver/index.ts';
import { after, SECOND, seededRandom, silent, systemClock, systemRandom, toTime, type Instant } from '../../src/base/index.ts';
import { createEffectivenessController } from '../../src/controllers/effectiveness/index.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import type { Settings } from '../../src/controllers/settings.ts';
import { createCache, createClient } from '../../src/kube/index.ts';
import { alignedWindow, openMonitoring, type OpenMonitoring } from '../../src/monitoring/index.ts';
import { createControlLoop, soleTerm } from '../../src/runtime/index.ts';
import { describeWithMonitoring } from '../../src/testkit/lanes.ts';
import { eventually, startMonitoring, type MonitoringServers } from '../../src/testkit/monitoring-servers.ts';

const ALERT = 'KubePodCrashLooping';
const POD = 'checkout-7c5ddbdf54-x2x4z';
const SYSTEM = DEFAULT_SETTINGS.namespace;
const POD_SPEC = { containers: [{ name: 'main', image: 'sickbay.test/busybox:1' }] };

/** What the page of the exporter says: how unready the pod is, and one of another workload that gets worse meanwhile. */
const page = ({ unready, isBroken }: { readonly unready: number; readonly isBroken: boolean }): string => `
kube_pod_status_ready{namespace="shop",pod="${POD}",condition="false"} ${unready}
kube_pod_status_ready{namespace="shop",pod="cart-7c5ddbdf54-zzzzz",condition="false"} ${isBroken ? 0 : 1}
broken{namespace="shop",pod="${POD}"} ${isBroken ? 1 : 0}
`;

/** The monitor on a server in this process, in real time, beside the two servers. */
class Stage {
  readonly stop = new AbortController();
  readonly api = createMemoryApi({ clock: systemClock, random: systemRandom });
  readonly admin = createClient(this.api);
  readonly servers: MonitoringServers;
  readonly monitoring: OpenMonitoring;
  readonly settings: Settings;
  #running: Promise<unknown>[] = [];
  #brokenAt: Instant | undefined;

  constructor(servers: MonitoringServers, validityMs: number) {
    this.servers = servers;
    const { prometheusUrl, alertManagerUrl } = servers;
    const external = { ...DEFAULT_SETTINGS.external, prometheusUrl, alertManagerUrl, connectionTimeoutMs: 2 * SECOND };
    this.settings = {
      ...DEFAULT_SETTINGS,
      validityMs,
      external: { ...external, scrapeIntervalMs: SECOND, prometheusLookbackMs: 60 * SECOND },
    };
    this.monitoring = openMonitoring(this.settings.external, { clock: systemClock, steady: systemClock });
  }

  async open(): Promise<void> {
    for (const kind of [EffectivenessAssessment, RemediationRequest]) await this.admin.create(CustomResourceDefinition, crdOf(kind));
    for (const name of [SYSTEM, 'shop']) await this.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const labels = { app: 'checkout' };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: POD_SPEC } };
    await this.admin.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'checkout', namespace: 'shop' },
      spec,
    });
    const metadata = { name: POD, namespace: 'shop', labels };
    await this.admin.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec: POD_SPEC });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await this.admin.patchStatus(Pod, { namespace: 'shop', name: POD }, { type: 'merge', body: { status } });
    const cache = createCache({ client: createClient(this.api), clock: systemClock, random: seededRandom(2), log: silent });
    const loop = createControlLoop({
      controllers: [createEffectivenessController(() => this.settings, this.monitoring)],
      cache,
      clock: systemClock,
      random: seededRandom(3),
      log: silent,
      events: { record: () => Promise.resolve() },
    });
    this.#running = [cache.run(this.stop.signal), loop.run(soleTerm(this.stop.signal))];
  }

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.#running);
    await this.monitoring.close();
  }

  /** Something is wrong: the pod is not ready for a while, and the alert has reached Alertmanager. */
  async breakDown(): Promise<void> {
    this.#brokenAt = systemClock.now();
    this.servers.expose(page({ unready: 1, isBroken: true }));
    await this.#untilFiring(true);
    await eventually('some samples', 20 * SECOND, async () => {
      const now = systemClock.now();
      const window = alignedWindow({ from: after(now, -60 * SECOND), to: now, stepMs: SECOND });
      const answer = await this.monitoring.prometheus?.range({ query: 'sum(broken)', ...window });
      return answer?.kind === 'value' && answer.value.length > 3 ? true : undefined;
    });
  }

  async untilResolved(): Promise<void> {
    await this.#untilFiring(false);
  }

  async #untilFiring(isFiring: boolean): Promise<void> {
    await eventually(`the alert to ${isFiring ? 'fire' : 'resolve'}`, 40 * SECOND, async () => {
      const answer = await this.monitoring.alertmanager?.firing({ alertname: ALERT, namespace: 'shop' });
      return answer?.kind === 'value' && answer.value.length > 0 === isFiring ? true : undefined;
    });
  }

  async order(stabilizationWindow: string): Promise<void> {
    const spec: EffectivenessAssessment['spec'] = {
      correlationID: 'rr',
      remediationRequestPhase: 'Verifying',
      signalName: ALERT,
      signalTarget: { kind: 'Pod', name: POD, namespace: 'shop' },
      remediationTarget: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' },
      config: { stabilizationWindow },
      remediationCreatedAt: toTime(systemClock.now()),
      ...(this.#brokenAt !== undefined && { faultStartedAt: toTime(this.#brokenAt) }),
    };
    const { apiVersion, kind } = { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'EffectivenessAssessment' };
    await this.admin.create(EffectivenessAssessment, { apiVersion, kind, metadata: { name: 'ea-rr', namespace: SYSTEM }, spec });
  }

  /** Alertmanager told the gateway, which noted it on the request. */
  async noteResolved(): Promise<void> {
    const { apiVersion, kind } = { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'RemediationRequest' };
    const { spec } = remediationRequestSample;
    await this.admin.create(RemediationRequest, { apiVersion, kind, metadata: { name: 'rr', namespace: SYSTEM }, spec });
    const now = toTime(systemClock.now());
    const alerts = [{ name: ALERT, instance: '1', lastSeenAt: now, resolvedAt: now }];
    const status = { overallPhase: 'Verifying', deduplication: { alerts } };
    await this.admin.patchStatus(RemediationRequest, { namespace: SYSTEM, name: 'rr' }, { type: 'merge', body: { status } });
  }

  async until(what: string, holds: (status: NonNullable<EffectivenessAssessment['status']>) => boolean) {
    return eventually(what, 40 * SECOND, async () => {
      const { status = {} } = await this.admin.get(EffectivenessAssessment, { namespace: SYSTEM, name: 'ea-rr' });
      return holds(status) ? status : undefined;
    });
  }

  ended() {
    return this.until('the assessment to end', ({ phase }) => phase === 'Completed' || phase === 'Failed');
  }
}

describeWithMonitoring('an assessment beside a real Prometheus and a real Alertmanager', (binaries) => {
  let servers: MonitoringServers;
  let stage: Stage;
  beforeEach(async () => {
    servers = await startMonitoring({ binaries: binaries(), alert: { name: ALERT, expr: 'broken == 1' } });
  });
  afterEach(async () => {
    await stage.close();
    await servers.stop();
  });

  test('[EM-148, EM-153, EM-157] the alert fires, decays and resolves; scores come from real queries', { timeout: 180_000 }, async () => {
    stage = new Stage(servers, 120 * SECOND);
    await stage.open();
    await stage.breakDown();
    servers.expose(page({ unready: 0.25, isBroken: true }));
    await stage.order('3s');
    const decaying = await stage.until('the alert to decay', ({ components }) => (components?.alertDecayRetries ?? 0) > 0);
    expect(decaying).toMatchObject({ phase: 'Assessing', components: { healthScore: 1 } });
    expect(decaying.components).not.toHaveProperty('alertScore');
    servers.expose(page({ unready: 0.25, isBroken: false }));
    await stage.untilResolved();
    await stage.noteResolved();
    const { assessmentReason, components, message } = await stage.ended();
    expect({ assessmentReason, components }).toMatchObject({
      assessmentReason: 'Full',
      components: { healthScore: 1, alertScore: 1, metricsScore: 0.75, alertDecayRetries: expect.any(Number) as number },
    });
    expect(overallScore(components, assessmentReason)).toBeCloseTo(0.4 + 0.35 + 0.25 * 0.75, 6);
    expect(message).toBe(`1 of 1 pods ready; improvement of its metrics: pods that are not ready 75 %; ${ALERT} no longer fires`);
  });

  test('[EM-077] Prometheus stopped half-way: the rest stands, and its score is unknown', { timeout: 120_000 }, async () => {
    stage = new Stage(servers, 12 * SECOND);
    await stage.open();
    servers.expose(page({ unready: 0.25, isBroken: false }));
    await stage.order('3s');
    await stage.until('it to settle', ({ phase }) => phase === 'Stabilizing');
    await servers.prometheus.kill();
    const { phase, assessmentReason, components, message } = await stage.ended();
    expect({ phase, assessmentReason, components }).toMatchObject({
      phase: 'Completed',
      assessmentReason: 'MetricsTimedOut',
      components: { healthScore: 1, alertScore: 1 },
    });
    expect(components).not.toHaveProperty('metricsScore');
    expect(components).not.toHaveProperty('metricsAssessed');
    expect(message).toContain('Prometheus cannot be asked');
  });

  test('[EM-140, EM-141] Alertmanager stopped half-way: no verdict on the alert, never a false success', { timeout: 120_000 }, async () => {
    stage = new Stage(servers, 12 * SECOND);
    await stage.open();
    await stage.breakDown();
    servers.expose(page({ unready: 0.5, isBroken: true }));
    await stage.order('3s');
    await stage.until('it to settle', ({ phase }) => phase === 'Stabilizing');
    await servers.alertmanager.kill();
    const { phase, assessmentReason, components } = await stage.ended();
    expect({ phase, assessmentReason, components }).toMatchObject({
      phase: 'Completed',
      assessmentReason: 'Partial',
      components: { healthScore: 1, metricsScore: 0.5 },
    });
    expect(components).not.toHaveProperty('alertScore');
    expect(components).not.toHaveProperty('alertAssessed');
  });

  test('[EM-145] an alert that was silenced still fires', { timeout: 120_000 }, async () => {
    stage = new Stage(servers, 12 * SECOND);
    await stage.open();
    await stage.breakDown();
    await silence(servers.alertManagerUrl);
    await eventually('the silence to be in force', 20 * SECOND, async () => {
      const answer = await stage.monitoring.alertmanager?.firing({ alertname: ALERT });
      return answer?.kind === 'value' && answer.value[0]?.state === 'suppressed' ? true : undefined;
    });
    await stage.order('2s');
    expect(await stage.ended()).toMatchObject({
      assessmentReason: 'AlertDecayTimeout',
      components: { alertAssessed: true, alertScore: 0 },
    });
  });
});

async function silence(alertManagerUrl: string): Promise<void> {
  const body = {
    matchers: [{ name: 'alertname', value: ALERT, isRegex: false }],
    startsAt: toTime(systemClock.now()),
    endsAt: toTime(after(systemClock.now(), 600 * SECOND)),
    createdBy: 'test',
    comment: 'a silence is not a fix',
  };
  const answer = await fetch(`${alertManagerUrl}/api/v2/silences`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}
