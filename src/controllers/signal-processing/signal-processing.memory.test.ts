import { afterEach, describe, expect, test } from 'vitest';
import { Deployment, Namespace } from '../../api/builtin/index.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { MINUTE, SECOND } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { forbid, Stage } from '../testing/stage.ts';
import { createSignalProcessingController } from './index.ts';
import { aSignalProcessing } from './testing/a-signal-processing.ts';

const KEY = { namespace: 'sickbay-system', name: 'sp-rr-1' };
let stage: Stage;

async function begin(): Promise<void> {
  stage = await Stage.start({ kinds: [SignalProcessing], controllers: [createSignalProcessingController(() => DEFAULT_SETTINGS)] });
  const merge = {
    type: 'merge',
    body: { metadata: { labels: { 'kubernaut.ai/environment': 'Staging', 'kubernaut.ai/team': 'blue' } } },
  } as const;
  await stage.admin.patch(Namespace, { namespace: '', name: 'shop' }, merge);
  await stage.admin.create(Deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'checkout', namespace: 'shop', labels: { app: 'checkout' } },
    spec: {
      selector: { matchLabels: { app: 'checkout' } },
      template: { metadata: { labels: { app: 'checkout' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  });
}

async function receive(): Promise<void> {
  const { apiVersion, kind, spec } = aSignalProcessing();
  await stage.admin.create(SignalProcessing, { apiVersion, kind, metadata: KEY, spec });
  await stage.settle();
}

const shown = () => stage.admin.get(SignalProcessing, KEY);

afterEach(() => stage.end());

describe('a signal on a server with the real schemas', () => {
  test('[CO-035, CO-040] goes all the way, and everything is there to be copied', async () => {
    await begin();
    await receive();
    expect(stage.phases).toEqual(['Pending', 'Enriching', 'Classifying', 'Categorizing', 'Completed']);
    expect(stage.troubles).toEqual([]);
    expect((await shown()).status).toMatchObject({
      kubernetesContext: {
        namespace: { name: 'shop' },
        workload: { kind: 'Deployment', name: 'checkout', labels: { app: 'checkout' } },
        ownerChain: [],
        customLabels: { team: ['blue'] },
        degradedMode: false,
      },
      environmentClassification: { environment: 'Staging' },
      severity: 'critical',
      priorityAssignment: { priority: 'P1' },
      businessClassification: { businessUnit: 'blue', criticality: 'Medium', slaRequirement: 'Silver' },
      signalName: 'KubePodCrashLooping',
      signalMode: 'reactive',
    });
  });

  test('waits while the target cannot be read, without haste, and goes on when it can', async () => {
    await begin();
    let asked = 0;
    const refuse = forbid(/deployments\/checkout$/);
    stage.intercept = (request) => {
      const no = refuse(request);
      if (no) asked++;
      return no;
    };
    await receive();
    expect(asked).toBe(1);
    await stage.advance(30 * SECOND);
    await stage.advance(59 * SECOND);
    expect(asked).toBe(2);
    expect((await shown()).status).toMatchObject({
      phase: 'Enriching',
      consecutiveFailures: 2,
      error: expect.stringContaining('not allowed') as string,
    });
    stage.intercept = () => undefined;
    await stage.advance(SECOND);
    expect((await shown()).status?.phase).toBe('Completed');
  });

  test('[CO-035] fails at its deadline when it never could', async () => {
    await begin();
    stage.intercept = forbid(/deployments\/checkout$/);
    await receive();
    await stage.advance(5 * MINUTE);
    expect((await shown()).status).toMatchObject({
      phase: 'Failed',
      error: expect.stringContaining('last problem: reading Deployment shop/checkout') as string,
    });
    expect(stage.troubles).toEqual([]);
  });
});
