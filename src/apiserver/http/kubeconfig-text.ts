import { stringify } from 'yaml';
import type { Trust } from './listen.ts';

/** Where a server is and what it wants to hear. */
export interface KubeconfigOptions {
  readonly server: string;
  readonly token: string;
  /** What a server with TLS is known by. */
  readonly trust?: Trust | undefined;
}

const NAME = 'sickbay';

/** A kubeconfig for kubectl, child processes and whoever else speaks Kubernetes. It holds the token: write it for its owner's eyes only. */
export const kubeconfigText = ({ server, token, trust }: KubeconfigOptions): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: trust ? { server, ...trustFields(trust) } : { server: withPassword(server, token) } }],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
    'current-context': NAME,
  });

const trustFields = ({ ca, serverName }: Trust): object => ({
  'certificate-authority-data': Buffer.from(ca).toString('base64'),
  ...(serverName !== undefined && { 'tls-server-name': serverName }),
});

/** Over plain HTTP kubectl leaves out the user's token, but not what the address itself says. */
function withPassword(server: string, token: string): string {
  const url = new URL(server);
  url.username = NAME;
  url.password = token;
  return url.href;
}
