import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigMap, Namespace, Secret } from '../../../../../api/builtin/index.ts';
import { after, hasCode, SECOND, systemClock } from '../../../../../base/index.ts';
import { createClient } from '../../../../../kube/client/api-client.ts';
import type { KubeClient } from '../../../../../kube/client/client.ts';
import { bearer } from '../../../../../kube/http/http-config.ts';
import { httpTransport, type HttpTransport } from '../../../../../kube/http/http-transport.ts';
import { whoAmI } from '../../../../../kube/identity/who-am-i.ts';
import { describeOnControlPlane } from '../../../../../testkit/lanes.ts';
import { accountIn, asModulesDo, furnish, launch, type Places } from '../testing/playbook-scene.ts';

const PLACES: Places = {
  namespace: 'playbook-system',
  executionNamespace: 'playbook-workflows',
  shop: 'playbook-shop',
  bank: 'playbook-bank',
};

describeOnControlPlane('a playbook that brings no credentials of its own, on a real server', (plane) => {
  const open: HttpTransport[] = [];
  let admin: KubeClient;
  let playbook: KubeClient;

  beforeAll(async () => {
    const { url, caData: ca, token } = plane();
    const own = httpTransport({ server: url, ca, identity: bearer(token) });
    admin = createClient(own);
    await furnish(admin, PLACES);
    const environment = await launch({ client: admin, clock: systemClock, cluster: { host: url, ca }, places: PLACES });
    const theirs = httpTransport(asModulesDo(environment));
    playbook = createClient(theirs);
    open.push(own, theirs);
  });

  /** The server learns of new rights a moment after it has taken them. */
  async function untilRights(): Promise<void> {
    const may = async (): Promise<boolean> => {
      try {
        await playbook.list(ConfigMap, { namespace: PLACES.shop });
        return true;
      } catch (error) {
        if (!hasCode(error, 'Forbidden')) throw error;
        return false;
      }
    };
    while (!(await may())) await systemClock.waitUntil(after(systemClock.now(), SECOND), new AbortController().signal);
  }

  afterAll(async () => {
    for (const name of Object.values(PLACES) as readonly string[]) await admin.delete(Namespace, { namespace: '', name });
    for (const transport of open) await transport.close();
  });

  test('[WE-131] is known to it as the account of its workflow', async () => {
    expect(await whoAmI(playbook)).toBe(accountIn(PLACES));
  });

  test('[WE-131] may do what that account may, and nothing else', async () => {
    const { shop, bank, namespace } = PLACES;
    await untilRights();
    expect((await playbook.list(ConfigMap, { namespace: shop })).items.map(({ metadata }) => metadata.namespace)).not.toContain(bank);
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: shop } };
    await expect(playbook.create(ConfigMap, config)).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(playbook.list(ConfigMap, { namespace: bank })).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(playbook.get(Secret, { namespace, name: 'awx-token' })).rejects.toMatchObject({ code: 'Forbidden' });
  });
});
