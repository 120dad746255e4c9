import { expect, test } from 'vitest';
import type { Secret } from '../api/builtin/index.ts';
import type { Read } from '../kube/client/read.ts';
import { clusterAccessIn } from './access.ts';
import { base64, kubeconfig } from './testing/a-kubeconfig.ts';

const CLUSTER = { namespace: 'shop', name: 'prod' };

const secret = (data: Record<string, string>, labels?: Record<string, string>): Read<Secret> => ({
  kind: 'value',
  value: {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'prod-kubeconfig',
      namespace: 'shop',
      uid: 's',
      resourceVersion: '1',
      creationTimestamp: '2026-01-10T12:00:00Z',
      ...(labels && { labels }),
    },
    data,
  },
});
const good = { value: base64(kubeconfig()) };

test.each([
  { name: 'with the label of its cluster', read: secret(good, { 'cluster.x-k8s.io/cluster-name': 'prod' }) },
  { name: 'without a label, as Cluster API takes it too', read: secret(good) },
])('a Secret $name leads there', ({ read }) =>
  expect(clusterAccessIn(read, CLUSTER)).toMatchObject({ kind: 'access', config: { server: 'https://prod.example.com:6443/' } }),
);

test.each([
  { read: { kind: 'absent' } as const, kind: 'none', why: 'Secret shop/prod-kubeconfig does not exist' },
  {
    read: { kind: 'unreadable', reason: 'forbidden' } as const,
    kind: 'unknown',
    why: 'Secret shop/prod-kubeconfig cannot be read: forbidden',
  },
  {
    read: secret(good, { 'cluster.x-k8s.io/cluster-name': 'stage' }),
    kind: 'none',
    why: 'Secret shop/prod-kubeconfig belongs to the cluster stage: its label cluster.x-k8s.io/cluster-name says so',
  },
  { read: secret({}), kind: 'none', why: 'Secret shop/prod-kubeconfig has no key value with a kubeconfig' },
  { read: secret({ value: base64(' \n') }), kind: 'none', why: 'Secret shop/prod-kubeconfig has no key value with a kubeconfig' },
  {
    read: secret({ value: base64('token: [s3cret') }),
    kind: 'none',
    why: 'the kubeconfig in Secret shop/prod-kubeconfig cannot be used: it is not YAML',
  },
])('$why', ({ read, kind, why }) => expect(clusterAccessIn(read, CLUSTER)).toEqual({ kind, why }));
