import type { ConfigMap, PodSpec } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { SeenTarget } from '../index.ts';

/** One story: Deployment shop/checkout, whose pods are given ConfigMaps. */
export const ABSENT = { kind: 'absent' } as const;
export const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
export const value = <T>(found: T): Read<T> => ({ kind: 'value', value: found });

const metadata = (name: string) => ({
  name,
  namespace: 'shop',
  uid: `${name}-uid`,
  resourceVersion: '1',
  creationTimestamp: '2026-11-15T03:00:00Z',
});

export const aTarget = (pods: Partial<PodSpec> = {}, more: object = {}): KubeObject & { readonly spec: unknown } => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata('checkout'),
  spec: { replicas: 2, template: { spec: { containers: [{ name: 'main', image: 'shop:3' }], ...pods } }, ...more },
});

/** A Deployment whose pods mount ConfigMaps of these names. */
export const mounting = (...names: readonly string[]) => aTarget({ volumes: names.map((name) => ({ name, configMap: { name } })) });

export const aConfigMap = (data: Readonly<Record<string, string>> = {}, more: Partial<ConfigMap> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: metadata('settings'),
  data,
  ...more,
});

/** A target with what was read of its ConfigMaps. */
export const given = (target: KubeObject, configMaps: Readonly<Record<string, Read<ConfigMap>>>): SeenTarget => ({
  ...target,
  configMaps: new Map(Object.entries(configMaps)),
});
