import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom, silent } from '../../base/index.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createMemoryApi, serveApi } from '../index.ts';

const TOKEN = 'open-sesame';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Reads a document of a server. */
type Read = <T>(path: string, accept?: string) => Promise<T>;

const reader =
  (url: string, token: string, dispatcher = new Agent()): Read =>
  async <T>(path: string, accept = 'application/json') => {
    const answer = await request(url + path, { dispatcher, headers: { authorization: `Bearer ${token}`, accept } });
    return (await answer.body.json()) as T;
  };

const readReal = ({ url, token, caData }: ControlPlaneAccess): Read => reader(url, token, new Agent({ connect: { ca: caData } }));

async function readOurs(): Promise<Read> {
  const api = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
  const server = await serveApi({ api, token: TOKEN, log: silent });
  onTestFinished(async () => {
    await server.close();
    api.close();
  });
  return reader(server.url, TOKEN);
}

interface Resources {
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

interface Resource {
  readonly resource: string;
  readonly subresources?: readonly object[];
}

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly Resource[] }[];
  }[];
}

/** Where the versions of all built-in groups are. */
async function rootsOf(read: Read): Promise<readonly string[]> {
  const { groups } = await read<{ readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[] }>(
    '/apis',
  );
  return ['/api/v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))];
}

describeOnControlPlane('built-in kinds are told as a real server tells them', (plane) => {
  test('each resource and subresource that is served', async () => {
    const [ours, real] = [await readOurs(), readReal(plane())];
    for (const root of await rootsOf(ours)) {
      const wanted = new Map((await real<Resources>(root)).resources.map((resource) => [resource.name, resource]));
      for (const resource of (await ours<Resources>(root)).resources) {
        // Opaque, and on a real server that of the version that CRDs were once kept in.
        const aside = resource.name === 'customresourcedefinitions' && { storageVersionHash: '' };
        expect([root, { ...resource, ...aside }]).toEqual([root, { ...wanted.get(resource.name), ...aside }]);
      }
    }
  });

  test('all of it in one document', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const resources = async (read: Read, path: string): Promise<ReadonlyMap<string, Resource>> => {
      const { items } = await read<Discovery>(path, accept);
      const all = items.flatMap(({ metadata, versions }) =>
        versions.flatMap(({ version, resources: served }) =>
          served.map((resource) => [`${metadata.name ?? ''}/${version}/${resource.resource}`, resource] as const),
        ),
      );
      return new Map(all);
    };
    const [ours, real] = [await readOurs(), readReal(plane())];
    for (const path of ['/api', '/apis']) {
      const wanted = await resources(real, path);
      for (const [name, resource] of await resources(ours, path)) {
        const { subresources = [], ...rest } = resource;
        const { subresources: known = [], ...expected } = wanted.get(name)!;
        expect([name, rest]).toEqual([name, expected]);
        expect(known).toEqual(expect.arrayContaining([...subresources]));
      }
    }
  });

  test('the columns of their tables', async () => {
    const [ours, real] = [await readOurs(), readReal(plane())];
    const columns = async (read: Read, path: string): Promise<readonly object[]> => {
      const table = await read<{ readonly columnDefinitions: readonly object[] }>(path, TABLE);
      return table.columnDefinitions.map((column) => ({ ...column, description: '' }));
    };
    for (const root of await rootsOf(ours)) {
      const { resources } = await ours<Resources>(root);
      for (const { name } of resources.filter(({ verbs }) => verbs.includes('list'))) {
        const path = `${root}/${name}`;
        expect([path, await columns(ours, path)]).toEqual([path, await columns(real, path)]);
      }
    }
  });

  test('the cells of a table, for what every server has', async () => {
    const rows = async (read: Read): Promise<readonly unknown[]> => {
      const table = await read<{
        readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: { readonly kind: string } }[];
      }>('/api/v1/namespaces?fieldSelector=metadata.name=kube-system', TABLE);
      return table.rows.map(({ cells, object }) => [cells.slice(0, 2), object.kind]);
    };
    expect(await rows(await readOurs())).toEqual(await rows(readReal(plane())));
  });
});
