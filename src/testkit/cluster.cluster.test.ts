import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { describeOnCluster } from './lanes.ts';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

interface NodeList {
  readonly items: readonly { readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] } }[];
}

describeOnCluster('the cluster of the test run', (kubeconfig) => {
  test('has nodes, and all of them are Ready', async () => {
    const { clusters, users } = parse(readFileSync(kubeconfig(), 'utf8')) as Kubeconfig;
    const { cluster } = clusters[0];
    const dispatcher = new Agent({ connect: { ca: Buffer.from(cluster['certificate-authority-data'], 'base64') } });
    const answer = await request(`${cluster.server}/api/v1/nodes`, {
      dispatcher,
      headers: { authorization: `Bearer ${users[0].user.token}` },
    });
    const nodes = (await answer.body.json()) as NodeList;
    await dispatcher.close();
    const ready = nodes.items.map((node) => node.status.conditions.find((condition) => condition.type === 'Ready')?.status);
    expect(ready.length).toBeGreaterThan(0);
    expect(new Set(ready)).toEqual(new Set(['True']));
  });
});
