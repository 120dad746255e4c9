import { describe, expect, test } from 'vitest';
import type { Namespace } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { enrich } from './enrich.ts';
import { aSignalProcessing } from './testing/a-signal-processing.ts';

const namespace = (labels?: Record<string, string>): Namespace =>
  anObject<Namespace>('Namespace', { metadata: { name: 'shop', ...(labels && { labels }) } });
const named = (kind: string, name: string, more: object = {}): KubeObject => ({
  ...anObject(kind, { metadata: { name, namespace: 'shop', ...more } }),
  apiVersion: 'apps/v1',
});

const { signal } = aSignalProcessing().spec;
const deployment = named('Deployment', 'checkout', { labels: { app: 'checkout' }, annotations: { note: 'x' } });

describe('enrich', () => {
  test('[CO-036] tells namespace, workload and owners', () =>
    expect(enrich(signal, { kind: 'read', target: deployment, owners: [], namespace: namespace({ a: 'b' }) })).toEqual({
      namespace: { name: 'shop', labels: { a: 'b' } },
      workload: { kind: 'Deployment', name: 'checkout', labels: { app: 'checkout' }, annotations: { note: 'x' } },
      ownerChain: [],
      customLabels: {},
      degradedMode: false,
    }));

  test('of a pod the workload is the top of its owners, which come nearest first', () => {
    const owners = [named('ReplicaSet', 'checkout-1'), deployment];
    const context = enrich(signal, { kind: 'read', target: named('Pod', 'checkout-1-x'), owners, namespace: namespace() });
    expect(context.workload).toMatchObject({ kind: 'Deployment', name: 'checkout' });
    expect(context.ownerChain).toEqual([
      { kind: 'ReplicaSet', name: 'checkout-1', namespace: 'shop', api_version: 'apps/v1' },
      { kind: 'Deployment', name: 'checkout', namespace: 'shop', api_version: 'apps/v1' },
    ]);
  });

  test('where the target is gone the signal speaks for it', () =>
    expect(enrich(signal, { kind: 'read', target: undefined, owners: [], namespace: undefined })).toEqual({
      namespace: { name: 'shop' },
      workload: {
        kind: 'Deployment',
        name: 'checkout',
        labels: { alertname: 'KubePodCrashLooping' },
        annotations: { summary: 'restarts' },
      },
      ownerChain: [],
      customLabels: {},
      degradedMode: true,
    }));

  test('labels of the namespace become labels of the target', () => {
    const labels = {
      'kubernaut.ai/team': 'blue',
      'kubernaut.ai/tier': 'front',
      'kubernaut.ai/cost-center': '42',
      'kubernaut.ai/region': 'eu',
      other: 'x',
    };
    expect(enrich(signal, { kind: 'read', target: deployment, owners: [], namespace: namespace(labels) }).customLabels).toEqual({
      team: ['blue'],
      tier: ['front'],
      'cost-center': ['42'],
      region: ['eu'],
    });
  });

  test('what kubectl last applied is not carried along', () => {
    const target = named('Deployment', 'checkout', { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } });
    const { workload } = enrich(signal, { kind: 'read', target, owners: [], namespace: undefined });
    expect(workload).toEqual({ kind: 'Deployment', name: 'checkout' });
  });

  test('[CO-037] of a Node the namespaces of its pods are told with their environment (ruling 130)', () => {
    const podNamespaces = [namespace({ 'kubernaut.ai/environment': 'staging', other: 'x' }), namespace()];
    const context = enrich(signal, { kind: 'read', target: anObject('Node'), owners: [], namespace: undefined, podNamespaces });
    expect(context.podNamespaces).toEqual([{ name: 'shop', environment: 'staging' }, { name: 'shop' }]);
  });

  test('what is cluster-wide has no namespace', () => {
    const ofNode = { ...signal, targetResource: { kind: 'Node', name: 'worker-1' }, clusterID: 'west' };
    const context = enrich(ofNode, { kind: 'read', target: anObject('Node'), owners: [], namespace: undefined });
    expect(context.namespace).toBeUndefined();
    expect(context.clusterID).toBe('west');
  });
});
