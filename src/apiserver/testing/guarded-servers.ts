import { readFileSync } from 'node:fs';
import { seededRandom, silent, systemClock } from '../../base/index.ts';
import { httpTransport, type HttpTransport } from '../../kube/http/http-transport.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { ADMIN, createMemoryApi, kubeconfigText, loopbackTls, newSigningKey, serveApi, type Rights } from '../index.ts';

/** A server with authentication and authorization. */
export interface GuardedServer {
  readonly adminToken: string;
  /** A kubeconfig for the user of the token. */
  kubeconfigOf(token: string): string;
  /** Calls the server with these headers; the same transport for the same headers. */
  as(headers: Readonly<Record<string, string>>): HttpTransport;
  close(): Promise<void>;
}

/** Calls as the administrator. */
export const asAdmin = (server: GuardedServer): HttpTransport => server.as({ authorization: `Bearer ${server.adminToken}` });

/** Calls as a user whom the administrator impersonates. */
export const asUser = (server: GuardedServer, username: string, headers: Readonly<Record<string, string>> = {}): HttpTransport =>
  server.as({ authorization: `Bearer ${server.adminToken}`, 'impersonate-user': username, ...headers });

/** The real control plane. */
export function realServer({ url, token, caFile, caData }: ControlPlaneAccess): GuardedServer {
  const transports = pool({ server: url, ca: readFileSync(caFile) });
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(caData).toString('base64') };
  const kubeconfigOf = (of: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      clusters: [{ name: 'test', cluster }],
      users: [{ name: 'test', user: { token: of } }],
    });
  return { adminToken: token, kubeconfigOf, ...transports };
}

/** The embedded server on a socket, with rights enforced. */
export async function ourServer(more: Pick<Rights, 'admissionRules' | 'roles'> = {}): Promise<GuardedServer> {
  const adminToken = 'the-admin-token';
  const rights = { tokens: [{ token: adminToken, user: ADMIN }], signingKey: newSigningKey(), ...more };
  const api = createMemoryApi({ clock: systemClock, random: seededRandom(3), rights });
  const served = await serveApi({ gate: api.gate, log: silent, tls: loopbackTls(systemClock.now()) });
  const { as, close } = pool({ server: served.url, ca: Buffer.from(served.trust?.ca ?? '') });
  return {
    adminToken,
    kubeconfigOf: (token) => kubeconfigText({ server: served.url, trust: served.trust, token }),
    as,
    async close() {
      await close();
      await served.close();
      api.close();
    },
  };
}

function pool(config: { readonly server: string; readonly ca?: Buffer }): Pick<GuardedServer, 'as' | 'close'> {
  const known = new Map<string, HttpTransport>();
  return {
    as(headers) {
      const key = JSON.stringify(headers);
      const transport = known.get(key) ?? httpTransport({ ...config, identity: { headers } });
      known.set(key, transport);
      return transport;
    },
    close: async () => void (await Promise.all([...known.values()].map((transport) => transport.close()))),
  };
}
