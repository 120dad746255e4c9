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

/**
 * A kubeconfig for kubectl, child processes and other clients. It contains the token, as the token of its user: only its owner may read the file. The URL
 * carries none, since kubectl prints it. Over plain HTTP kubectl sends no token: give it a server with TLS.
 */
export const kubeconfigText = ({ server, token, trust, name = 'embedded' }: KubeconfigOptions): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...(trust && trustFields(trust)) } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });

const trustFields = ({ ca, serverName }: Trust): object => ({
  'certificate-authority-data': Buffer.from(ca).toString('base64'),
  ...(serverName !== undefined && { 'tls-server-name': serverName }),
});
