import { expect, onTestFinished, test } from 'vitest';
import { CustomResourceDefinition } from '../../api/builtin/index.ts';
import type { Draft, KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { after, systemClock, systemRandom } from '../../base/index.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { createClient } from '../client/api-client.ts';
import type { Store } from './cache.ts';
import type { KubeClient } from '../client/client.ts';
import { createCache } from './create-cache.ts';
import { bearer } from '../http/http-config.ts';
import { httpTransport } from '../http/http-transport.ts';

const LATECOMERS: Resource = { group: 'optional.example.com', version: 'v1', kind: 'Latecomer', plural: 'latecomers', namespaced: true };
const NAME = 'latecomers.optional.example.com';

const definition: Draft<CustomResourceDefinition> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: {
    group: LATECOMERS.group,
    scope: 'Namespaced',
    names: { kind: 'Latecomer', plural: 'latecomers' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

const latecomer = (name: string) => ({
  apiVersion: 'optional.example.com/v1',
  kind: 'Latecomer',
  metadata: { namespace: 'default', name },
});

async function follow(plane: ControlPlaneAccess): Promise<{ client: KubeClient; store: Store<KubeObject> }> {
  const transport = httpTransport({ server: plane.url, ca: plane.caData, identity: bearer(plane.token) });
  const client = createClient(transport);
  const cache = createCache({ client, clock: systemClock, random: systemRandom });
  const store = cache.store({ resource: LATECOMERS, isOptional: true });
  const ended = new AbortController();
  const running = cache.run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
    await transport.close();
  });
  await cache.synced(ended.signal);
  return { client, store };
}

/** Resolves when it holds; the test's own time limit ends it otherwise. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await systemClock.waitUntil(after(systemClock.now(), 50), new AbortController().signal);
}

describeOnControlPlane('a kind that may not be installed', (plane) => {
  test('is empty before it is installed, followed once it is, and empty when it is gone', { timeout: 120_000 }, async () => {
    const { client, store } = await follow(plane());
    expect([store.unreadable, store.size]).toEqual([undefined, 0]);
    await client.create(CustomResourceDefinition, definition);
    const create = (name: string): Promise<boolean> =>
      client.create(LATECOMERS, latecomer(name)).then(
        () => true,
        () => false,
      );
    await until(() => create('first'));
    await until(() => store.size === 1);
    expect(store.get({ namespace: 'default', name: 'first' })?.kind).toBe('Latecomer');
    await client.create(LATECOMERS, latecomer('second'));
    await until(() => store.size === 2);
    await client.delete(CustomResourceDefinition, { namespace: '', name: NAME });
    await until(() => store.size === 0);
    expect(store.unreadable).toBeUndefined();
  });
});
