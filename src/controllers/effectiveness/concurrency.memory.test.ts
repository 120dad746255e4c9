import { expect, test } from 'vitest';
import { Namespace } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { kinds } from '../../api/index.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { MINUTE, seededRandom, silent, turn } from '../../base/index.ts';
import { createProcess } from '../../cli/process/process.ts';
import { createClient } from '../../kube/client/api-client.ts';
import type { FiringAlert } from '../../monitoring/index.ts';
import type { Listed } from '../../runtime/reconcile/controller.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { anAssessment } from './testing/builders.ts';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 200; i++) await turn();
};

/** An overloaded Alertmanager: it answers no request before the test releases it. */
class Crowd {
  #waiting: ((answer: Listed<FiringAlert>) => void)[] = [];
  most = 0;

  firing(): Promise<Listed<FiringAlert>> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.most = Math.max(this.most, this.#waiting.length);
    });
  }

  answer(): void {
    for (const resolve of this.#waiting.splice(0)) resolve({ kind: 'value', value: [] });
  }
}

test('[EM-053] no more assessments are looked at at a time than maxConcurrentReconciles says', async () => {
  const clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1) });
  const admin = createClient(api);
  for (const kind of kinds) await installKind(api, kind);
  const { namespace } = DEFAULT_SETTINGS;
  await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const names = Array.from({ length: 7 }, (_, index) => `ea-rr-${index}`);
  const { apiVersion, kind, spec } = anAssessment();
  for (const name of names) await admin.create(EffectivenessAssessment, { apiVersion, kind, metadata: { name, namespace }, spec });
  const phases = async (): Promise<readonly unknown[]> =>
    (await admin.list(EffectivenessAssessment, { namespace })).items.map(({ status }) => status?.phase);

  const crowd = new Crowd();
  const stop = new AbortController();
  const running = createProcess({
    transport: api,
    settings: () => ({ ...DEFAULT_SETTINGS, assessment: { maxConcurrentReconciles: 3 } }),
    clock,
    steady: clock,
    random: seededRandom(2),
    log: silent,
    identity: 'one',
    identityIsChecked: () => true,
    monitoring: { alertmanager: crowd },
  }).run(stop.signal);
  await settle();
  await clock.advance(6 * MINUTE);
  await settle();
  for (let round = 0; round < names.length; round++) {
    expect(crowd.most).toBe(3);
    crowd.answer();
    await settle();
  }
  expect(await phases()).toEqual(names.map(() => 'Failed'));
  stop.abort();
  await settle();
  await running;
});
