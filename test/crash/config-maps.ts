import type { KubeObject } from '../../src/api/meta.ts';
import type { ApiRequest, ApiResponse } from '../../src/kube/client/transport.ts';
import type { Deed } from './ledger.ts';

/** The objects that are written: plain, and with room for a value. */
export type ConfigMap = KubeObject & { readonly data?: { readonly value?: string } };

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const body = (name: string, value: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { value, ballast: 'x'.repeat(500) },
});

/** The request that a deed is. */
export function requestOf({ kind, name, value }: Deed): ApiRequest {
  const path = `${CONFIG_MAPS}/${name}`;
  switch (kind) {
    case 'create':
    case 'retake':
      return { method: 'POST', path: CONFIG_MAPS, body: body(name, value) };
    case 'change':
      return { method: 'PATCH', path, contentType: 'application/merge-patch+json', body: { data: { value } } };
    case 'overwrite':
      return { method: 'PUT', path, body: body(name, value, { resourceVersion: '1' }) };
    case 'remove':
      return { method: 'DELETE', path };
  }
}

/** The version that an answer speaks of; a deletion's answer names none. */
export function versionIn({ body: answer }: ApiResponse): number | undefined {
  const version = Number((answer as Partial<ConfigMap>).metadata?.resourceVersion ?? Number.NaN);
  return Number.isNaN(version) ? undefined : version;
}
