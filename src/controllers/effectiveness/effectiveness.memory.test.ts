import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CustomResourceDefinition, Deployment, Namespace, Pod } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { MINUTE, seededRandom, silent, toTime, turn } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import { createCache } from '../../kube/cache/create-cache.ts';
import { createControlLoop, noMetrics, soleTerm, type LoopMetrics } from '../../runtime/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { specHash } from '../target/index.ts';
import { createEffectivenessController } from './index.ts';
import type { AssessmentStatus } from './status.ts';
import { aDeployment, anAssessment, aPod } from './testing/builders.ts';

const SYSTEM = DEFAULT_SETTINGS.namespace;
const TEMPLATE = { metadata: { labels: { app: 'checkout' } }, spec: { containers: [{ name: 'main', image: 'sickbay.test/busybox:1' }] } };

/** The monitor alone on a server that validates; the test plays the cluster. */
class Stage {
  readonly clock = new ManualClock();
  readonly api = createMemoryApi({ clock: this.clock, random: seededRandom(1) });
  readonly admin = createClient(this.api);
  readonly stop = new AbortController();
  readonly trouble: string[] = [];
  #running: Promise<unknown>[] = [];

  async open(): Promise<void> {
    for (const kind of [EffectivenessAssessment, RemediationRequest]) await this.admin.create(CustomResourceDefinition, crdOf(kind));
    for (const name of [SYSTEM, 'shop']) await this.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const { apiVersion, kind, spec } = aDeployment();
    const metadata = { name: 'checkout', namespace: 'shop' };
    await this.admin.create(Deployment, { apiVersion, kind, metadata, spec: { ...spec, template: TEMPLATE } });
    const cache = createCache({ client: createClient(this.api), clock: this.clock, random: seededRandom(2) });
    const metrics: LoopMetrics = {
      ...noMetrics,
      passed: (_, outcome) => void (outcome.kind === 'failed' && this.trouble.push(String(outcome.error))),
    };
    const loop = createControlLoop({
      controllers: [createEffectivenessController(() => DEFAULT_SETTINGS)],
      cache,
      clock: this.clock,
      random: seededRandom(3),
      log: silent,
      events: { record: () => Promise.resolve() },
      metrics,
    });
    this.#running = [cache.run(this.stop.signal), loop.run(soleTerm(this.stop.signal))];
  }

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.#running);
  }

  async runPod(name: string, ready: boolean): Promise<void> {
    const { apiVersion, kind, status } = aPod(name, { ready });
    const metadata = { name, namespace: 'shop', labels: { app: 'checkout' } };
    await this.admin.create(Pod, { apiVersion, kind, metadata, spec: TEMPLATE.spec });
    await this.admin.patchStatus(Pod, { namespace: 'shop', name }, { type: 'merge', body: { status } });
  }

  /** Orders an assessment of the Deployment as it is now. */
  async order(): Promise<void> {
    const applied = specHash(await this.admin.get(Deployment, { namespace: 'shop', name: 'checkout' }));
    const { apiVersion, kind, spec } = anAssessment(undefined, {
      appliedSpecHash: applied,
      remediationCreatedAt: toTime(this.clock.now()),
    });
    await this.admin.create(EffectivenessAssessment, { apiVersion, kind, metadata: { name: 'ea-rr', namespace: SYSTEM }, spec });
    await this.settle();
  }

  async pass(ms: number): Promise<AssessmentStatus> {
    await this.clock.advance(ms);
    await this.settle();
    return (await this.admin.get(EffectivenessAssessment, { namespace: SYSTEM, name: 'ea-rr' })).status ?? {};
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 40; i++) await turn();
    expect(this.trouble).toEqual([]);
  }
}

describe('an assessment on a server', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = new Stage();
    await stage.open();
  });
  afterEach(() => stage.close());

  test('[EM-001] goes by itself from its creation to its end', async () => {
    await stage.runPod('a', true);
    await stage.runPod('b', true);
    await stage.order();
    expect((await stage.pass(0)).phase).toBe('Stabilizing');
    expect((await stage.pass(5 * MINUTE - 1_000)).components).toBeUndefined();
    const done = await stage.pass(1_000);
    expect(done).toMatchObject({
      phase: 'Completed',
      assessmentReason: 'Full',
      message: '2 of 2 pods ready',
      components: { healthScore: 1 },
    });
    expect(await stage.pass(60 * MINUTE)).toEqual(done);
  });

  test('[EM-094] sees what has become of the target at the end of the window, not at its start', async () => {
    await stage.runPod('a', true);
    await stage.order();
    await stage.pass(4 * MINUTE);
    await stage.runPod('b', false);
    expect(await stage.pass(MINUTE)).toMatchObject({ message: '1 of 2 pods ready', components: { healthScore: 0.5 } });
  });

  test('[EM-178] a change by another client while it settles is drift', async () => {
    await stage.order();
    await stage.pass(MINUTE);
    const key = { namespace: 'shop', name: 'checkout' };
    await stage.admin.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: 5 } } });
    expect(await stage.pass(4 * MINUTE)).toMatchObject({ phase: 'Completed', assessmentReason: 'SpecDrift' });
  });

  test('a target that is deleted meanwhile ends it', async () => {
    await stage.order();
    await stage.admin.delete(Deployment, { namespace: 'shop', name: 'checkout' });
    expect(await stage.pass(5 * MINUTE)).toMatchObject({ phase: 'Failed', assessmentReason: 'Unrecoverable' });
  });
});
