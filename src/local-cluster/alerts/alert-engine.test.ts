import { expect, test } from 'vitest';
import { Deployment } from '../../api/builtin/index.ts';
import { PlatformError, seededRandom, SECOND, silent, type Logger } from '../../base/index.ts';
import { createCache, createClient } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { memoryServer, settle } from '../testing/local-world.ts';
import { createAlertEngine } from './alert-engine.ts';

test('an alert that is not received is sent later every time, alone, and keeps back no other', async () => {
  const clock = new ManualClock();
  const { transport, admin } = memoryServer(clock);
  const cache = createCache({ client: createClient(transport), clock, random: seededRandom(1), log: silent });
  const engine = createAlertEngine({ cache, clock, log: silent });
  const stop = new AbortController();
  const begun = clock.now();
  const posted: string[] = [];
  const post = (webhook: object): Promise<void> => {
    const { alerts } = webhook as { alerts: readonly { labels: Record<string, string> }[] };
    const names = alerts.map(({ labels }) => labels['deployment'] ?? '').toSorted();
    posted.push(`${(clock.now() - begun) / SECOND}s ${names.join('+')}`);
    return names.includes('bad') ? Promise.reject(new PlatformError('Unavailable', 'put off')) : Promise.resolve();
  };
  const ended = Promise.all([cache.run(stop.signal), engine.run(post, stop.signal)]);
  for (const name of ['bad', 'good']) {
    const template = { metadata: { labels: { app: name } }, spec: { containers: [] } };
    const spec = { replicas: 1, selector: { matchLabels: { app: name } }, template };
    await admin.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace: 'default', name }, spec });
  }
  await settle();
  for (let second = 0; second < 40; second++) {
    await clock.advance(SECOND);
    await settle();
  }
  const first = Number.parseInt(posted[0] ?? '', 10);
  const after = (seconds: number, names: string): string => `${first + seconds}s ${names}`;
  expect(posted).toEqual([after(0, 'bad+good'), after(1, 'bad'), after(1, 'good'), ...[3, 7, 15].map((seconds) => after(seconds, 'bad'))]);
  stop.abort(new Error('the test is over'));
  await ended;
});

test('what fires is posted until it is received, then as resolved, and a stop leaves nothing waiting', async () => {
  const clock = new ManualClock();
  const { transport, admin } = memoryServer(clock);
  const cache = createCache({ client: createClient(transport), clock, random: seededRandom(1), log: silent });
  const warnings: string[] = [];
  const log: Logger = { ...silent, warn: (message: string) => void warnings.push(message) };
  const engine = createAlertEngine({ cache, clock, log });
  const stop = new AbortController();
  const received: string[] = [];
  let isUp = false;
  const post = (webhook: object): Promise<void> => {
    if (!isUp) return Promise.reject(new PlatformError('Unavailable', 'the gateway is busy'));
    const { status, alerts } = webhook as { status: string; alerts: readonly { labels: Record<string, string> }[] };
    received.push(`${status} ${alerts[0]?.labels['alertname']} ${alerts[0]?.labels['deployment']}`);
    return Promise.resolve();
  };
  const ended = Promise.all([cache.run(stop.signal), engine.run(post, stop.signal)]);
  const spec = {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } },
  };
  const key = { namespace: 'default', name: 'web' };
  await admin.create(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: key, spec });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await clock.advance(SECOND);
      await settle();
    }
  };
  await settle();
  await pass(18);
  expect(received).toEqual([]);
  expect(warnings.length).toBeGreaterThan(1);
  isUp = true;
  await pass(5);
  expect(received).toEqual(['firing KubeDeploymentReplicasMismatch web']);
  await admin.patchStatus(Deployment, key, { type: 'merge', body: { status: { availableReplicas: 1 } } });
  await pass(3);
  expect(received.slice(1)).toEqual(['resolved KubeDeploymentReplicasMismatch web']);
  stop.abort(new Error('the test is over'));
  await ended;
  expect(clock.waiting).toBe(0);
});
