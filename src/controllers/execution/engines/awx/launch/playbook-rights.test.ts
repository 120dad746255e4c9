import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigMap, Secret } from '../../../../../api/builtin/index.ts';
import { HOUR, silent } from '../../../../../base/index.ts';
import { serveApi } from '../../../../../apiserver/http/index.ts';
import { aCertificate, canCertify } from '../../../../../apiserver/testing/certificate.ts';
import { ADMIN_TOKEN, aGuardedApi } from '../../../../../apiserver/testing/guarded-api.ts';
import { createClient } from '../../../../../kube/client/api-client.ts';
import type { KubeClient } from '../../../../../kube/client/client.ts';
import { bearer, type HttpConfig } from '../../../../../kube/http/http-config.ts';
import { httpTransport } from '../../../../../kube/http/http-transport.ts';
import { whoAmI } from '../../../../../kube/identity/who-am-i.ts';
import type { ManualClock } from '../../../../../testkit/manual-clock.ts';
import { accountIn, asModulesDo, furnish, launch, PLACES, type PlaybookEnvironment } from '../testing/playbook-scene.ts';

function connect(config: HttpConfig): KubeClient {
  const transport = httpTransport(config);
  onTestFinished(() => transport.close());
  return createClient(transport);
}

const asPlaybook = (environment: PlaybookEnvironment): KubeClient => connect(asModulesDo(environment));

/** A job that was launched for a cluster that enforces rights, over TLS. */
async function launched(): Promise<{ readonly environment: PlaybookEnvironment; readonly clock: ManualClock }> {
  const { api, clock } = aGuardedApi();
  const tls = aCertificate('IP:127.0.0.1');
  const server = await serveApi({ gate: api.gate, log: silent, tls });
  onTestFinished(() => server.close());
  const client = connect({ server: server.url, ca: tls.cert, identity: bearer(ADMIN_TOKEN) });
  await furnish(client, PLACES);
  return { environment: await launch({ client, clock, cluster: { host: server.url, ca: tls.cert }, places: PLACES }), clock };
}

describe.runIf(canCertify)('a playbook that brings no credentials of its own', () => {
  test('[WE-131] is known to the API server by what it finds in its environment, as the account of its workflow', async () => {
    const { environment } = await launched();
    expect(await whoAmI(asPlaybook(environment))).toBe(accountIn(PLACES));
    const { K8S_AUTH_API_KEY: _, ...without } = environment;
    await expect(whoAmI(asPlaybook(without)), 'no account is known without it').rejects.toMatchObject({ code: 'Forbidden' });
  });

  test('[WE-131] may do what that account may, and nothing else', async () => {
    const client = asPlaybook((await launched()).environment);
    expect((await client.list(ConfigMap, { namespace: 'shop' })).items).toEqual([]);
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'shop' } };
    await expect(client.create(ConfigMap, config)).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(client.list(ConfigMap, { namespace: 'bank' })).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(client.get(Secret, { namespace: PLACES.namespace, name: 'awx-token' })).rejects.toMatchObject({ code: 'Forbidden' });
  });

  test('is no longer known once its token has expired', async () => {
    const { environment, clock } = await launched();
    await clock.advance(2 * HOUR);
    await expect(asPlaybook(environment).list(ConfigMap, { namespace: 'shop' })).rejects.toMatchObject({ code: 'Unauthorized' });
  });

  test('does not believe another server', async () => {
    const { environment } = await launched();
    const other = asPlaybook({ ...environment, K8S_AUTH_SSL_CA_CERT: aCertificate('IP:127.0.0.1').cert });
    await expect(whoAmI(other)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
