import { stringify } from 'yaml';

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What looks like a certificate from outside. */
export const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

export interface Parts {
  readonly server?: string;
  readonly cluster?: object;
  readonly user?: object;
}

/** A kubeconfig with one context. */
export const kubeconfig = ({ server = 'https://prod.example.com:6443', cluster = {}, user = { token: 't' } }: Parts = {}): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod-admin@prod',
    contexts: [{ name: 'prod-admin@prod', context: { cluster: 'prod', user: 'prod-admin' } }],
    clusters: [{ name: 'prod', cluster: { ...(server !== '' && { server }), ...cluster } }],
    users: [{ name: 'prod-admin', user }],
  });
