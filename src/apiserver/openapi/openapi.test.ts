import { describe, expect, test } from 'vitest';
import { aServer, CRDS, type Harness } from '../testing/harness.ts';
import { WIDGET_CRD } from '../testing/widget.ts';
import { referencesIn } from './component-names.ts';

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: object };
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': object;
}

const read = async (server: Harness, path: string): Promise<Document> => (await server.get(path)).body as Document;

const urls = async (server: Harness): Promise<Readonly<Record<string, string>>> => {
  const { paths } = (await server.get('/openapi/v3')).body as {
    readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  };
  return Object.fromEntries(Object.entries(paths).map(([name, { serverRelativeURL }]) => [name, serverRelativeURL]));
};

describe('the index', () => {
  test('names a document for every version of every group', async () => {
    const server = await aServer();
    const index = await urls(server);
    expect(Object.keys(index)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/example.com/v1']));
    for (const url of Object.values(index)) expect((await read(server, url.split('?')[0]!)).openapi).toBe('3.0.0');
  });

  test('a hash changes with its document, and only then', async () => {
    const server = await aServer();
    const before = await urls(server);
    const [version] = WIDGET_CRD.spec.versions;
    const { spec } = version.schema.openAPIV3Schema.properties;
    const schema = { openAPIV3Schema: { ...version.schema.openAPIV3Schema, properties: { spec: { ...spec, description: 'new' } } } };
    await server.merge(`${CRDS}/widgets.example.com`, { spec: { versions: [{ ...version, schema }] } });
    const after = await urls(server);
    expect(after['apis/example.com/v1']).not.toBe(before['apis/example.com/v1']);
    expect(after['apis/apps/v1']).toBe(before['apis/apps/v1']);
  });
});

describe('the document of a CRD’s group', () => {
  const NAMED = { group: 'example.com', version: 'v1', kind: 'Widget' };
  const ONE = '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}';

  test('has the paths that clients look for', async () => {
    const { paths } = await read(await aServer(), '/openapi/v3/apis/example.com/v1');
    expect(Object.keys(paths)).toEqual([
      '/apis/example.com/v1/widgets',
      '/apis/example.com/v1/namespaces/{namespace}/widgets',
      ONE,
      `${ONE}/status`,
    ]);
    const { get, put, patch, delete: remove } = paths[ONE]!;
    for (const operation of [get, put, patch, remove]) expect(operation?.['x-kubernetes-group-version-kind']).toEqual(NAMED);
    // kubectl leaves validation to a server that takes this parameter.
    expect(patch?.parameters.map(({ name }) => name)).toEqual(['dryRun', 'fieldManager', 'fieldValidation']);
    expect(Object.keys(patch?.requestBody?.content ?? {})).toEqual(['application/json-patch+json', 'application/merge-patch+json']);
  });

  test('has the CRD’s schema with what all objects have', async () => {
    const { components } = await read(await aServer(), '/openapi/v3/apis/example.com/v1');
    expect(components.schemas['com.example.v1.Widget']).toMatchObject({
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
        spec: { properties: { size: { default: 3 } } },
        status: { type: 'object' },
      },
      'x-kubernetes-group-version-kind': [NAMED],
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.color' }],
    });
    expect(components.schemas['com.example.v1.WidgetList']).toMatchObject({ 'x-kubernetes-group-version-kind': [{ kind: 'WidgetList' }] });
  });
});

describe('documents of built-in groups', () => {
  test('have their schemas with what strategic patches need', async () => {
    const { components, paths } = await read(await aServer(), '/openapi/v3/apis/apps/v1');
    expect(components.schemas['io.k8s.api.apps.v1.Deployment']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
    });
    expect(components.schemas['io.k8s.api.core.v1.PodSpec']?.['properties']).toMatchObject({
      containers: { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' },
    });
    const scale = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale'];
    expect(scale?.['get']?.['x-kubernetes-group-version-kind']).toEqual({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
  });

  test('refer to nothing that they do not have', async () => {
    const server = await aServer();
    for (const url of Object.values(await urls(server))) {
      const document = await read(server, url.split('?')[0]!);
      const known = new Set(Object.keys(document.components.schemas));
      expect(referencesIn(document).filter((name) => !known.has(name))).toEqual([]);
    }
  });
});
