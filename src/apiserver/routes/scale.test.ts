import { describe, expect, test } from 'vitest';
import { aServer, CRDS, objectOf, statusOf, type Harness } from '../testing/harness.ts';
import { aWidget, WIDGET_CRD, widgets } from '../testing/widget.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SCALE = `${DEPLOYMENTS}/web/scale`;
const [VERSION] = WIDGET_CRD.spec.versions;

async function withDeployment(replicas = 2): Promise<Harness> {
  const server = await aServer();
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'x' }] } };
  await server.create(DEPLOYMENTS, { metadata: { name: 'web' }, spec: { replicas, selector: { matchLabels: labels }, template } });
  await server.merge(`${DEPLOYMENTS}/web/status`, { status: { replicas: 1 } });
  return server;
}

/** Widgets that can be scaled: as many as they are large. */
async function withWidgets(spec: object): Promise<Harness> {
  const server = await aServer();
  const scale = { specReplicasPath: '.spec.max', statusReplicasPath: '.status.count', labelSelectorPath: '.status.phase' };
  await server.merge(`${CRDS}/widgets.example.com`, { spec: { versions: [{ ...VERSION, subresources: { status: {}, scale } }] } });
  await server.create(widgets(), aWidget('w', { spec }));
  await server.merge(`${widgets()}/w/status`, { status: { count: 4, phase: 'A' } });
  return server;
}

const replicasOf = async (server: Harness): Promise<unknown> => {
  await server.quiet();
  return (objectOf(await server.get(`${DEPLOYMENTS}/web`))['spec'] as { readonly replicas: number }).replicas;
};

describe('the scale of a deployment', () => {
  test('is read', async () => {
    const server = await withDeployment();
    expect((await server.get(SCALE)).body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'app=web' },
    });
  });

  test('of none is left out, as on the real server', async () => {
    const server = await withDeployment(0);
    expect((await server.get(SCALE)).body).toMatchObject({ spec: {} });
  });

  test('is replaced, which is a new wish of the deployment', async () => {
    const server = await withDeployment();
    const scale = objectOf(await server.get(SCALE));
    expect(await server.update(SCALE, { ...scale, spec: { replicas: 5 } })).toMatchObject({
      code: 200,
      body: { kind: 'Scale', spec: { replicas: 5 } },
    });
    expect(await replicasOf(server)).toBe(5);
    expect(objectOf(await server.get(`${DEPLOYMENTS}/web`)).metadata.generation).toBe(2);
    expect(await server.update(SCALE, { ...scale, spec: { replicas: 6 } })).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
  });

  test.each(['application/merge-patch+json', 'application/strategic-merge-patch+json'] as const)('is patched by %s', async (type) => {
    const server = await withDeployment();
    expect((await server.patch(type, SCALE, { spec: { replicas: 7 } })).code).toBe(200);
    expect(await replicasOf(server)).toBe(7);
  });

  test('is patched by a list of operations', async () => {
    const server = await withDeployment();
    await server.patch('application/json-patch+json', SCALE, [{ op: 'replace', path: '/spec/replicas', value: 3 }]);
    expect(await replicasOf(server)).toBe(3);
  });

  test('is only looked at in a dry run', async () => {
    const server = await withDeployment();
    expect(await server.merge(SCALE, { spec: { replicas: 9 } }, { dryRun: 'All' })).toMatchObject({
      code: 200,
      body: { spec: { replicas: 9 } },
    });
    expect(await replicasOf(server)).toBe(2);
  });

  const refused = [
    { reason: 'less than none', body: { spec: { replicas: -1 } }, code: 422, says: /spec.replicas: Invalid value: -1/ },
    { reason: 'a part of one', body: { spec: { replicas: 1.5 } }, code: 400, says: /whole number/ },
    { reason: 'another kind', body: { kind: 'Deployment' }, code: 400, says: /autoscaling\/v1/ },
    { reason: 'another name', body: { metadata: { name: 'x' } }, code: 400, says: /does not match the name on the URL/ },
  ];
  test.each(refused)('refused: $reason', async ({ body, code, says }) => {
    const server = await withDeployment();
    const answer = await server.merge(SCALE, body);
    expect([answer.code, statusOf(answer).message]).toEqual([code, expect.stringMatching(says) as string]);
    expect(await replicasOf(server)).toBe(2);
  });

  test('is neither created nor deleted, and needs its deployment', async () => {
    const server = await withDeployment();
    expect((await server.call('POST', SCALE, {})).code).toBe(405);
    expect((await server.remove(SCALE)).code).toBe(405);
    expect((await server.get(`${DEPLOYMENTS}/none/scale`)).code).toBe(404);
  });
});

describe('the scale of a kind that a CRD defines', () => {
  test('is where the CRD says', async () => {
    const server = await withWidgets({ max: 8 });
    expect((await server.get(`${widgets()}/w/scale`)).body).toMatchObject({
      spec: { replicas: 8 },
      status: { replicas: 4, selector: 'A' },
    });
    expect((await server.merge(`${widgets()}/w/scale`, { spec: { replicas: 5 } })).code).toBe(200);
    await server.quiet();
    expect(objectOf(await server.get(`${widgets()}/w`))).toMatchObject({ spec: { max: 5, color: 'red' }, status: { count: 4 } });
  });

  test('is not there while the field is not', async () => {
    const server = await withWidgets({});
    expect(await server.get(`${widgets()}/w/scale`)).toMatchObject({ code: 500, body: { reason: 'InternalError' } });
  });

  test('is judged as any other change', async () => {
    const server = await withWidgets({ max: 8 });
    expect(await server.merge(`${widgets()}/w/scale`, { spec: { replicas: 1 } })).toMatchObject({ code: 422, body: { reason: 'Invalid' } });
  });

  test('has no strategic patches', async () => {
    const server = await withWidgets({ max: 8 });
    expect((await server.patch('application/strategic-merge-patch+json', `${widgets()}/w/scale`, {})).code).toBe(415);
  });

  test('is only there where it is declared', async () => {
    const server = await aServer();
    await server.create(widgets(), aWidget('w'));
    expect((await server.get(`${widgets()}/w/scale`)).code).toBe(404);
  });
});
