import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CustomResourceDefinition } from '../../../src/api/builtin/index.ts';
import { crdOf } from '../../../src/api/crd-of.ts';
import { kinds } from '../../../src/api/kinds.ts';
import { createMemoryApi, kubeconfigText, serveApi } from '../../../src/apiserver/index.ts';
import { silent, systemClock, systemRandom } from '../../../src/base/index.ts';
import { bearer, createClient, httpTransport, type Transport } from '../../../src/kube/index.ts';
import { startControlPlane } from '../../../src/testkit/control-plane.ts';
import { controlPlaneLane } from '../../../src/testkit/lane.ts';
import { fieldsOf, normalised } from './normalise.ts';
import { kubectlFor, type Kubectl, type Outcome } from './run-kubectl.ts';
import { STEPS, type Step } from './steps.ts';

const binaries = process.env[controlPlaneLane.setting] ?? '';

/** Our server and a real one without controllers, so that nobody but kubectl changes anything. */
describe.skipIf(binaries === '')('kubectl says the same of ours as of a real server', () => {
  let ours: Kubectl;
  let real: Kubectl;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    [ours, real] = await Promise.all([startOurs(), startReal()]);
  });

  async function startOurs(): Promise<Kubectl> {
    const api = createMemoryApi({ clock: systemClock, random: systemRandom });
    const server = await serveApi({ api, token: 'open-sesame', log: silent });
    closing.push(
      () => server.close(),
      () => api.close(),
    );
    await installCrds(api);
    return prepared(kubeconfigText({ server: server.url, token: 'open-sesame' }));
  }

  async function startReal(): Promise<Kubectl> {
    const plane = await startControlPlane({ binaries });
    closing.push(() => plane.stop());
    const transport = httpTransport({ server: plane.url, ca: plane.caData, identity: bearer(plane.token) });
    await installCrds(transport);
    await transport.close();
    return prepared(await readFile(plane.kubeconfig, 'utf8'));
  }

  async function prepared(kubeconfig: string): Promise<Kubectl> {
    const kubectl = await kubectlFor({ program: join(binaries, 'kubectl'), kubeconfig });
    closing.push(() => kubectl.close());
    await kubectl.run({ run: 'wait --for=condition=Established crd --all' });
    return kubectl;
  }

  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  test.each(STEPS.map((step, i) => ({ i, title: step.run.slice(0, 120), step })))('$i kubectl $title', async ({ step }) => {
    const outcomes = await Promise.all([ours.run(step), real.run(step)]);
    const [got, wanted] = outcomes.map((outcome) => normalised(outcome, step.omit)) as [Outcome, Outcome];
    compare(step, got, wanted);
  });
});

async function installCrds(transport: Transport): Promise<void> {
  const client = createClient(transport);
  for (const kind of kinds) await client.create(CustomResourceDefinition, crdOf(kind));
}

function compare({ compare: how = 'all' }: Step, got: Outcome, wanted: Outcome): void {
  switch (how) {
    case 'all':
      return expect(got).toEqual(wanted);
    case 'code':
      return expect(got.code).toBe(wanted.code);
    case 'fields':
      return expect([got.code, fieldsOf(got.stdout)]).toEqual([wanted.code, fieldsOf(wanted.stdout)]);
    case 'subset':
      expect(got.code).toBe(wanted.code);
      return expect(wanted.stdout.split('\n')).toEqual(expect.arrayContaining(got.stdout.split('\n')));
  }
}
