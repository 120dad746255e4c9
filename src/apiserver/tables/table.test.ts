import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../../kube/client/transport.ts';
import { aServer, type Harness } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
  readonly columnDefinitions: readonly { readonly name: string }[] | null;
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: unknown }[];
}

const asked = async (server: Harness, path: string, query: Readonly<Record<string, string>> = {}): Promise<ApiResponse> => {
  await server.quiet();
  return server.api.request({ method: 'GET', path, query, accept: 'table' });
};

const tableIn = ({ body }: ApiResponse): Table => body as Table;

async function withConfigMaps(): Promise<Harness> {
  const server = await aServer();
  for (const name of ['a', 'b']) await server.create(CONFIG_MAPS, { metadata: { name, labels: { name } }, data: { x: '1' } });
  return server;
}

describe('a table', () => {
  test('of a list has a row for each object, and the list’s place', async () => {
    const server = await withConfigMaps();
    const table = tableIn(await asked(server, CONFIG_MAPS, { limit: '1' }));
    expect(table).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { remainingItemCount: 1 } });
    expect(table.columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([['a', 1, '0s']]);
  });

  test('of one object has one row', async () => {
    const server = await withConfigMaps();
    const table = tableIn(await asked(server, `${CONFIG_MAPS}/b`));
    expect(table.rows.map(({ cells }) => cells)).toEqual([['b', 1, '0s']]);
    expect(table.metadata).toEqual({ resourceVersion: expect.stringMatching(/^\d+$/) as string });
  });

  test('of a kind that a CRD defines has the CRD’s columns', async () => {
    const server = await aServer();
    await server.create(widgets(), aWidget('w'));
    const table = tableIn(await asked(server, widgets()));
    expect(table.columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'Age']);
  });

  test.each([
    ['None', null],
    ['Metadata', { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } }],
    ['Object', { kind: 'ConfigMap', data: { x: '1' } }],
  ] as const)('carries %s', async (includeObject, object) => {
    const server = await withConfigMaps();
    const [row] = tableIn(await asked(server, CONFIG_MAPS, { includeObject })).rows;
    if (object === null) expect(row?.object).toBeNull();
    else expect(row?.object).toMatchObject(object);
  });

  test('cannot carry what there is not', async () => {
    const server = await withConfigMaps();
    expect(await asked(server, CONFIG_MAPS, { includeObject: 'Everything' })).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
  });

  test('is never made of a refusal', async () => {
    const server = await aServer();
    expect(await asked(server, `${CONFIG_MAPS}/none`)).toMatchObject({ code: 404, body: { kind: 'Status', reason: 'NotFound' } });
  });

  test('of a watch says once which columns it has', async () => {
    const server = await withConfigMaps();
    const stop = new AbortController();
    const watched = await server.api.watch({ method: 'GET', path: CONFIG_MAPS, query: { watch: '1' }, accept: 'table' }, stop.signal);
    if (!('lines' in watched)) throw new Error('the watch was refused');
    const seen: (readonly [type: string, hasColumns: boolean, cells: readonly unknown[] | undefined])[] = [];
    await server.remove(`${CONFIG_MAPS}/a`);
    await server.quiet();
    stop.abort();
    for await (const lines of watched.lines) {
      for (const { type, object } of lines) {
        const { columnDefinitions, rows } = object as unknown as Table;
        seen.push([type, columnDefinitions !== null, rows[0]?.cells.slice(0, 2)]);
      }
    }
    expect(seen).toEqual([
      ['ADDED', true, ['a', 1]],
      ['ADDED', false, ['b', 1]],
      ['DELETED', false, ['a', 1]],
    ]);
  });
});
