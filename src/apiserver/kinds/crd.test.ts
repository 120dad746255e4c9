import { describe, expect, test } from 'vitest';
import { deepFreeze, isObject, type JsonObject } from '../../base/index.ts';
import { SchemaLibrary } from '../schema/schema-library.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { BAD_CRDS, GADGET_CRD } from '../testing/bad-crds.ts';
import { aServer, CRDS, objectOf, statusOf } from '../testing/harness.ts';
import { aWidget, WIDGET_CRD, widgets } from '../testing/widget.ts';

const GADGET = `${CRDS}/gadgets.example.com`;
const gadgets = (version: string): string => `/apis/example.com/${version}/namespaces/default/gadgets`;

const schemaOf = (spec: JsonObject): JsonObject => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
});

/** Two versions that know different fields and have different defaults. */
const TWO_VERSIONS = mergePatch(GADGET_CRD, {
  spec: {
    versions: [
      {
        name: 'v2',
        served: true,
        storage: true,
        schema: schemaOf({ both: { type: 'string' }, newer: { type: 'string' }, written: { type: 'string', default: 'v2' } }),
      },
      {
        name: 'v1',
        served: true,
        storage: false,
        deprecated: true,
        schema: schemaOf({ both: { type: 'string' }, older: { type: 'string' }, written: { type: 'string', default: 'v1' } }),
      },
    ],
  },
});

describe('CustomResourceDefinition', () => {
  test('is filled in, accepted and established', async () => {
    const server = await aServer();
    const crd = await server.create(CRDS, GADGET_CRD);
    expect(crd).toMatchObject({
      spec: { names: { singular: 'gadget', listKind: 'GadgetList' }, conversion: { strategy: 'None' } },
      status: {
        acceptedNames: { kind: 'Gadget' },
        storedVersions: ['v1'],
        conditions: [
          { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' },
          { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
        ],
      },
    });
    expect((await server.get(gadgets('v1'))).code).toBe(200);
  });

  test.each(BAD_CRDS)('is refused with $reason', async ({ crd, field }) => {
    const server = await aServer();
    const answer = await server.call('POST', CRDS, crd);
    expect(statusOf(answer)).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(statusOf(answer).details?.causes?.map((cause) => cause.field)).toContain(field);
    expect((await server.get(gadgets('v1'))).code).toBe(404);
  });

  test('a function that we do not offer is named in the refusal', async () => {
    const server = await aServer();
    const rule = { type: 'string', 'x-kubernetes-validations': [{ rule: 'isQuantity(self)' }] };
    const crd = mergePatch(GADGET_CRD, {
      spec: { versions: [{ name: 'v1', served: true, storage: true, schema: schemaOf({ a: rule }) }] },
    });
    expect(statusOf(await server.call('POST', CRDS, crd)).message).toContain('isQuantity');
  });

  test('is prepared once by servers that share a library, and served by each', async () => {
    const schemas = new SchemaLibrary();
    const crd = deepFreeze(mergePatch(GADGET_CRD, {}));
    for (let i = 0; i < 2; i++) {
      const server = await aServer({ schemas });
      await server.create(CRDS, crd);
      const bad = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: { a: 1 } };
      expect((await server.call('POST', gadgets('v1'), bad)).code).toBe(422);
      expect((await server.call('POST', CRDS, mergePatch(crd, { spec: { scope: 'Any' } }))).code).toBe(422);
    }
  });

  test('whose names are taken is not served', async () => {
    const server = await aServer();
    const rival = mergePatch(GADGET_CRD, { spec: { names: { kind: 'Widget' } } });
    expect(await server.create(CRDS, rival)).toMatchObject({
      status: { conditions: [{ status: 'False', reason: 'KindConflict' }, { status: 'False' }] },
    });
    expect((await server.get(gadgets('v1'))).code).toBe(404);
    expect((await server.get(widgets())).code).toBe(200);
  });

  test('serves what it says now, and no longer what it said before', async () => {
    const server = await aServer();
    await server.create(CRDS, GADGET_CRD);
    const renamed = { name: 'v2', served: true, storage: true, schema: schemaOf({ a: { type: 'integer' } }) };
    const older = { name: 'v1', served: false, storage: false, schema: schemaOf({ a: { type: 'string' } }) };
    const updated = objectOf(await server.merge(GADGET, { spec: { versions: [renamed, older] } }));
    expect(updated).toMatchObject({ metadata: { generation: 2 }, status: { storedVersions: ['v1', 'v2'] } });
    expect((await server.get(gadgets('v1'))).code).toBe(404);
    expect((await server.get(gadgets('v2'))).code).toBe(200);
    expect(statusOf(await server.merge(GADGET, { spec: { versions: [renamed] } })).message).toContain('was previously a storage version');
  });

  test.each([
    { reason: 'its group', spec: { group: 'other.com' }, field: 'spec.group' },
    { reason: 'its scope', spec: { scope: 'Cluster' }, field: 'spec.scope' },
    { reason: 'its kind', spec: { names: { kind: 'Other' } }, field: 'spec.names.kind' },
  ])('keeps $reason', async ({ spec, field }) => {
    const server = await aServer();
    await server.create(CRDS, GADGET_CRD);
    const answer = await server.merge(GADGET, { spec });
    expect(statusOf(answer).details?.causes?.map((cause) => cause.field)).toContain(field);
  });

  test('a default that comes later is seen on objects that were there', async () => {
    const server = await aServer();
    await server.create(widgets(), aWidget('a'));
    const text = JSON.stringify(WIDGET_CRD.spec.versions).replace('"flag":{"type":"boolean"}', '"flag":{"type":"boolean","default":true}');
    expect((await server.merge(`${CRDS}/widgets.example.com`, { spec: { versions: JSON.parse(text) as unknown } })).code).toBe(200);
    expect(objectOf(await server.get(`${widgets()}/a`)).spec).toMatchObject({ flag: true });
  });
});

describe('several versions', () => {
  test('an object is shown in each, as far as that version knows its fields', async () => {
    const server = await aServer();
    await server.create(CRDS, TWO_VERSIONS);
    const body = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: { both: 'x', older: 'y', newer: 'z' } };
    const created = await server.call('POST', gadgets('v1'), body);
    // Stored as v2, which does not know `older`; `written` has the default of the version it came in.
    expect(created).toMatchObject({ code: 201, body: { apiVersion: 'example.com/v1', spec: { both: 'x', written: 'v1' } } });
    expect(created.warnings).toEqual(['example.com/v1 Gadget is deprecated', 'unknown field "spec.newer"']);
    expect(objectOf(await server.get(`${gadgets('v2')}/g`))).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { both: 'x', written: 'v1' },
    });
    await server.merge(`${gadgets('v2')}/g`, { spec: { newer: 'n' } });
    const older = objectOf(await server.get(`${gadgets('v1')}/g`));
    expect(isObject(older.spec) && Object.keys(older.spec).toSorted()).toEqual(['both', 'written']);
    await server.merge(`${gadgets('v1')}/g`, { metadata: { labels: { a: 'b' } } });
    expect(older.metadata.generation).toBe(2);
  });

  test('watches and lists are in the version of their path', async () => {
    const server = await aServer();
    await server.create(CRDS, TWO_VERSIONS);
    const [one, two] = [await server.watch(gadgets('v1')), await server.watch(gadgets('v2'))];
    await server.create(gadgets('v2'), { apiVersion: 'example.com/v2', kind: 'Gadget', metadata: { name: 'g' }, spec: {} });
    expect((await one.lines()).map(({ object }) => object.apiVersion)).toEqual(['example.com/v1']);
    expect((await two.lines()).map(({ object }) => object.apiVersion)).toEqual(['example.com/v2']);
    one.stop();
    two.stop();
  });
});
