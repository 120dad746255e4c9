import { stringify } from 'yaml';
import type { Trust } from './listen.ts';

/** The address of a server and the credentials for it. */
export interface KubeconfigOptions {
  readonly server: string;
  readonly token: string;
  /** How a server with TLS is verified. */
  readonly trust?: Trust | undefined;
  /** What the file calls the cluster, its user and its context. */
  readonly name?: string;
}

/** A kubeconfig for kubectl, child processes and other clients. It contains the token: only its owner may read the file. */
export const kubeconfigText = ({ server, token, trust, name = 'embedded' }: KubeconfigOptions): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: trust ? { server, ...trustFields(trust) } : { server: withPassword(server, { name, token }) } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });

const trustFields = ({ ca, serverName }: Trust): object => ({
  'certificate-authority-data': Buffer.from(ca).toString('base64'),
  ...(serverName !== undefined && { 'tls-server-name': serverName }),
});

/** Over plain HTTP kubectl does not send the user's token, but it sends the credentials of the URL. */
function withPassword(server: string, { name, token }: { readonly name: string; readonly token: string }): string {
  const url = new URL(server);
  url.username = name;
  url.password = token;
  return url.href;
}
