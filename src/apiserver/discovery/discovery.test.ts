import { describe, expect, test } from 'vitest';
import type { AnswerForm, ApiResponse } from '../../kube/client/transport.ts';
import { aServer, CRDS, type Harness } from '../testing/harness.ts';
import { WIDGET_CRD } from '../testing/widget.ts';
import { compareKubeVersions } from './kube-versions.ts';

const read = async (server: Harness, path: string, accept?: AnswerForm): Promise<ApiResponse> => {
  await server.quiet();
  return server.api.request({ method: 'GET', path, ...(accept && { accept }) });
};

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly [field: string]: unknown;
}

async function resources(server: Harness, path: string): Promise<ReadonlyMap<string, Resource>> {
  const { body } = await read(server, path);
  return new Map((body as { readonly resources: readonly Resource[] }).resources.map((resource) => [resource.name, resource]));
}

interface Discovery {
  readonly apiVersion: string;
  readonly items: readonly { readonly metadata: { readonly name?: string }; readonly versions: readonly Version[] }[];
}

interface Version {
  readonly version: string;
  readonly resources: readonly { readonly resource: string; readonly [field: string]: unknown }[];
}

describe('what is served', () => {
  test('the core group has one version', async () => {
    expect((await read(await aServer(), '/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  });

  test('groups: built-in ones first, then those of CRDs', async () => {
    const { body } = await read(await aServer(), '/apis');
    const names = (body as { readonly groups: readonly { readonly name: string }[] }).groups.map(({ name }) => name);
    expect(names[0]).toBe('apps');
    expect(names.at(-1)).toBe('example.com');
    expect(names).toEqual(expect.arrayContaining(['batch', 'rbac.authorization.k8s.io', 'apiextensions.k8s.io', 'coordination.k8s.io']));
  });

  test('a group', async () => {
    const version = { groupVersion: 'example.com/v1', version: 'v1' };
    const group = { kind: 'APIGroup', apiVersion: 'v1', name: 'example.com', versions: [version], preferredVersion: version };
    expect((await read(await aServer(), '/apis/example.com')).body).toEqual(group);
  });

  test('a resource with its names and subresources', async () => {
    const found = await resources(await aServer(), '/apis/apps/v1');
    expect(found.get('deployments')).toEqual({
      name: 'deployments',
      singularName: 'deployment',
      namespaced: true,
      kind: 'Deployment',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['deploy'],
      categories: ['all'],
      // As the real server has it.
      storageVersionHash: '8aSe+NMegvE=',
    });
    expect(found.get('deployments/scale')).toMatchObject({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
    expect(found.get('deployments/status')).toMatchObject({ kind: 'Deployment', singularName: '' });
    expect(found.has('daemonsets/scale')).toBe(false);
  });

  test('pods have logs, namespaces go one by one', async () => {
    const found = await resources(await aServer(), '/api/v1');
    expect(found.get('pods/log')).toMatchObject({ verbs: ['get'], kind: 'Pod' });
    expect(found.get('namespaces')?.verbs).not.toContain('deletecollection');
    expect(found.get('configmaps')?.['categories']).toBeUndefined();
  });

  test('all in one document, in either version of it', async () => {
    const server = await aServer();
    for (const version of ['v2', 'v2beta1'] as const) {
      const { body, mediaType } = await read(server, '/apis', `discovery/${version}`);
      const { apiVersion, items } = body as Discovery;
      expect(apiVersion).toBe(`apidiscovery.k8s.io/${version}`);
      expect(mediaType).toBe(`application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`);
      const [widgets] = items.find(({ metadata }) => metadata.name === 'example.com')?.versions[0]?.resources ?? [];
      const responseKind = { group: 'example.com', version: 'v1', kind: 'Widget' };
      expect(widgets).toEqual({
        resource: 'widgets',
        responseKind,
        scope: 'Namespaced',
        singularResource: 'widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['wd'],
        subresources: [{ subresource: 'status', responseKind, verbs: ['get', 'patch', 'update'] }],
      });
    }
  });

  test('the core group in one document has no name', async () => {
    const { items } = (await read(await aServer(), '/api', 'discovery/v2')).body as Discovery;
    expect(items.map(({ metadata }) => metadata)).toEqual([{}]);
    expect(items[0]?.versions[0]?.resources.map(({ resource }) => resource)).toEqual(
      items[0]?.versions[0]?.resources.map(({ resource }) => resource).toSorted(),
    );
  });

  test('follows CRDs as they come, change and go', async () => {
    const server = await aServer();
    const versions = [
      { ...WIDGET_CRD.spec.versions[0], storage: false },
      { ...WIDGET_CRD.spec.versions[0], name: 'v2alpha1' },
      { ...WIDGET_CRD.spec.versions[0], name: 'v1beta2', storage: false, served: false },
    ];
    await server.merge(`${CRDS}/widgets.example.com`, { spec: { versions, names: { categories: ['toys'] } } });
    expect((await read(server, '/apis/example.com')).body).toMatchObject({
      versions: [{ version: 'v1' }, { version: 'v2alpha1' }],
      preferredVersion: { version: 'v1' },
    });
    expect((await resources(server, '/apis/example.com/v2alpha1')).get('widgets')).toMatchObject({ categories: ['toys'] });
    expect((await read(server, '/apis/example.com/v1beta2')).code).toBe(404);
    await server.remove(`${CRDS}/widgets.example.com`);
    expect((await read(server, '/apis/example.com')).code).toBe(404);
    expect(JSON.stringify((await read(server, '/apis')).body)).not.toContain('example.com');
  });

  test('a kind on its way out cannot be created', async () => {
    const server = await aServer({ garbageCollection: 'manual' });
    await server.remove(`${CRDS}/widgets.example.com`);
    expect((await resources(server, '/apis/example.com/v1')).get('widgets')?.verbs).toEqual([
      'delete',
      'deletecollection',
      'get',
      'list',
      'watch',
    ]);
  });
});

describe('the server itself', () => {
  test('tells its version, its health and its paths', async () => {
    const server = await aServer();
    expect((await read(server, '/version')).body).toMatchObject({ major: '1', minor: '36' });
    for (const path of ['/healthz', '/livez', '/readyz', '/readyz/']) {
      expect(await read(server, path)).toEqual({ code: 200, body: 'ok', mediaType: 'text/plain; charset=utf-8' });
    }
    const { paths } = (await read(server, '/')).body as { readonly paths: readonly string[] };
    expect(paths).toEqual(expect.arrayContaining(['/api', '/apis/example.com/v1', '/openapi/v3', '/version']));
  });

  test.each(['/nowhere', '/apis/none', '/apis/apps/v7', '/openapi/v2', '/openapi/v3/apis/none/v1'])('%s is not there', async (path) => {
    expect(await read(await aServer(), path)).toMatchObject({ code: 404, body: { kind: 'Status', reason: 'NotFound' } });
  });

  test('documents are only read', async () => {
    expect((await (await aServer()).call('POST', '/apis', {})).code).toBe(404);
  });
});

test('versions are preferred as Kubernetes prefers them', () => {
  const versions = ['v1', 'v10', 'v2', 'v2beta10', 'v2beta2', 'v12alpha1', 'foo', 'bar', 'v1alpha1'];
  const preferred = ['v10', 'v2', 'v1', 'v2beta10', 'v2beta2', 'v12alpha1', 'v1alpha1', 'bar', 'foo'];
  expect(versions.toSorted((a, b) => compareKubeVersions(b, a))).toEqual(preferred);
  expect(compareKubeVersions('v1', 'v1')).toBe(0);
});
