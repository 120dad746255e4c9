import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { systemClock, systemRandom } from '../../base/index.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { createClient } from './api-client.ts';
import type { KubeClient } from './client.ts';
import { createEventRecorder, EVENTS } from '../objects/events.ts';
import { httpTransport } from '../http/http-transport.ts';
import { loadConfig } from '../identity/load-config.ts';
import { installWidgets } from '../testing/install-widgets.ts';
import { WIDGETS, type Widget } from '../testing/widget.ts';

const NAMESPACES: Resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
const ACCOUNTS: Resource = { group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true };
async function connect(plane: ControlPlaneAccess): Promise<KubeClient> {
  const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: plane.kubeconfig }));
  onTestFinished(() => transport.close());
  return createClient(transport);
}

/** A namespace of the test's own. */
async function aNamespace(client: KubeClient): Promise<string> {
  const name = `client-${systemRandom.uuid().slice(0, 8)}`;
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

const draft = (namespace: string, name: string, colour = 'red'): Parameters<typeof create>[1] => ({
  apiVersion: 'client.example.com/v1',
  kind: 'Widget',
  metadata: { namespace, name, labels: { app: name } },
  spec: { colour },
});

const create = (
  client: KubeClient,
  object: { apiVersion: string; kind: string; metadata: object; spec: { colour: string } },
): Promise<Widget> => client.create(WIDGETS, object);

describeOnControlPlane('the client on a real kube-apiserver', (plane) => {
  beforeAll(async () => {
    const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: plane().kubeconfig }));
    const client = createClient(transport);
    await installWidgets(client);
    await transport.close();
  });

  test('creates, reads, changes and deletes', async () => {
    const client = await connect(plane());
    const namespace = await aNamespace(client);
    const key = { namespace, name: 'cart' };
    const created = await create(client, draft(namespace, 'cart'));
    expect(created.metadata).toMatchObject({ name: 'cart', generation: 1 });
    expect(await client.get(WIDGETS, key)).toEqual(created);

    const updated = await client.update(WIDGETS, { ...created, spec: { colour: 'blue' } });
    expect(updated.metadata.generation).toBe(2);
    await expect(client.update(WIDGETS, { ...created, spec: { colour: 'red' } })).rejects.toMatchObject({
      code: 'Conflict',
      httpCode: 409,
    });

    const merged = await client.patch(WIDGETS, key, { type: 'merge', body: { spec: { size: 3 } } });
    expect(merged.spec).toEqual({ colour: 'blue', size: 3 });
    const patched = await client.patch(WIDGETS, key, { type: 'json', body: [{ op: 'remove', path: '/spec/size' }] });
    expect(patched.spec).toEqual({ colour: 'blue' });

    await expect(client.delete(WIDGETS, key, { preconditions: { uid: 'another' } })).rejects.toMatchObject({ code: 'Conflict' });
    await client.delete(WIDGETS, key, { preconditions: { uid: created.metadata.uid } });
    await expect(client.get(WIDGETS, key)).rejects.toMatchObject({ code: 'NotFound', httpCode: 404 });
  });

  test('writes status apart from spec', async () => {
    const client = await connect(plane());
    const namespace = await aNamespace(client);
    const key = { namespace, name: 'cart' };
    const created = await create(client, draft(namespace, 'cart'));
    const written = await client.updateStatus(WIDGETS, { ...created, spec: { colour: 'blue' }, status: { phase: 'Ready' } });
    expect(written).toMatchObject({ spec: { colour: 'red' }, status: { phase: 'Ready' }, metadata: { generation: 1 } });
    const patched = await client.patchStatus(WIDGETS, key, { type: 'merge', body: { status: { phase: 'Done' } } });
    expect(patched.status).toEqual({ phase: 'Done' });
    const stale = [
      { op: 'add' as const, path: '/metadata/resourceVersion', value: created.metadata.resourceVersion },
      { op: 'add' as const, path: '/status', value: {} },
    ];
    await expect(client.patchStatus(WIDGETS, key, { type: 'json', body: stale })).rejects.toMatchObject({ code: 'Conflict' });
  });

  test.each([
    { name: 'a bad value', object: { spec: { colour: 'green' } }, want: { code: 'Invalid', httpCode: 422 }, field: 'spec.colour' },
    { name: 'a wrong type', object: { spec: { size: 'large' } }, want: { code: 'Invalid', httpCode: 422 }, field: 'spec.size' },
  ])('names the field of $name', async ({ object, want, field }) => {
    const client = await connect(plane());
    const namespace = await aNamespace(client);
    const error = await create(client, { ...draft(namespace, 'cart'), ...object } as never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(want);
    expect((error as { causes: { field: string }[] }).causes.map((cause) => cause.field)).toContain(field);
  });

  test('is warned of unknown fields as requested', async () => {
    const heard: string[] = [];
    const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: plane().kubeconfig }));
    onTestFinished(() => transport.close());
    const client = createClient(transport, { onWarning: (warning) => heard.push(warning) });
    const namespace = await aNamespace(client);
    const odd = { ...draft(namespace, 'odd'), spec: { colour: 'red', weight: 3 } };
    await expect(client.create(WIDGETS, odd, { fieldValidation: 'Strict' })).rejects.toMatchObject({ code: 'BadRequest' });
    await client.create(WIDGETS, odd, { fieldValidation: 'Warn', dryRun: true });
    expect(heard).toEqual(['unknown field "spec.weight"']);
    await expect(client.get(WIDGETS, { namespace, name: 'odd' })).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('lists by page, by selector, and metadata only', async () => {
    const client = await connect(plane());
    const namespace = await aNamespace(client);
    for (let i = 0; i < 5; i++) await create(client, draft(namespace, `w-${i}`));
    const list = await client.list(WIDGETS, { namespace, pageSize: 2 });
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['w-0', 'w-1', 'w-2', 'w-3', 'w-4']);
    expect((await client.list(WIDGETS, { namespace, labelSelector: 'app in (w-1,w-3)' })).items).toHaveLength(2);
    expect((await client.list(WIDGETS, { namespace, fieldSelector: 'metadata.name=w-2' })).items).toHaveLength(1);
    const [partial] = (await client.list(WIDGETS, { namespace, metadataOnly: true })).items;
    expect(partial).toMatchObject({ apiVersion: 'client.example.com/v1', kind: 'Widget', metadata: { name: 'w-0' } });
    expect(partial).not.toHaveProperty('spec');
    expect(await client.get(WIDGETS, { namespace, name: 'w-0' }, { metadataOnly: true })).not.toHaveProperty('spec');
  });

  test('holds a deletion for a finalizer', async () => {
    const client = await connect(plane());
    const namespace = await aNamespace(client);
    const key = { namespace, name: 'held' };
    await client.create(WIDGETS, { ...draft(namespace, 'held'), metadata: { namespace, name: 'held', finalizers: ['example.com/hold'] } });
    await client.delete(WIDGETS, key);
    expect((await client.get(WIDGETS, key)).metadata.deletionTimestamp).toBeDefined();
    await client.patch(WIDGETS, key, { type: 'json', body: [{ op: 'remove', path: '/metadata/finalizers' }] });
    await expect(client.get(WIDGETS, key)).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('asks for tokens, and is refused without rights', async () => {
    const client = await connect(plane());
    const namespace = await aNamespace(client);
    await client.create(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'poor' } });
    const answer = (await client.subresource(ACCOUNTS, { namespace, name: 'poor' }, { name: 'token', body: { spec: {} } })) as {
      status: { token: string };
    };
    const transport = httpTransport({
      server: plane().url,
      ca: plane().caData,
      identity: { headers: { authorization: `Bearer ${answer.status.token}` } },
    });
    onTestFinished(() => transport.close());
    await expect(createClient(transport).list(WIDGETS, { namespace })).rejects.toMatchObject({ code: 'Forbidden', httpCode: 403 });
    const stranger = httpTransport({ server: plane().url, ca: plane().caData, identity: { headers: { authorization: 'Bearer wrong' } } });
    onTestFinished(() => stranger.close());
    await expect(createClient(stranger).list(WIDGETS)).rejects.toMatchObject({ code: 'Unauthorized', httpCode: 401 });
  });

  test('trusts no other certificate', async () => {
    const transport = httpTransport({ server: plane().url });
    onTestFinished(() => transport.close());
    await expect(createClient(transport).list(WIDGETS)).rejects.toMatchObject({ code: 'Unavailable' });
  });

  test('writes Events that count', async () => {
    const client = await connect(plane());
    const namespace = await aNamespace(client);
    const subject: KubeObject = await create(client, draft(namespace, 'cart'));
    const recorder = createEventRecorder({ client, clock: systemClock, component: 'sickbay/test', instance: 'one' });
    for (let i = 0; i < 3; i++) await recorder.record(subject, { type: 'Normal', reason: 'Tested', message: 'it was tested' });
    const { items } = await client.list(EVENTS, { namespace, fieldSelector: `involvedObject.uid=${subject.metadata.uid}` });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ count: 3, reason: 'Tested', reportingComponent: 'sickbay/test' });
  });
});
