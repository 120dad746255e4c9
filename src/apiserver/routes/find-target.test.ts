import { describe, expect, test } from 'vitest';
import { ApiError } from '../../kube/client/errors.ts';
import { Registry } from '../kinds/registry.ts';
import { SchemaLibrary } from '../schema/schema-library.ts';
import { findApiTarget } from './find-target.ts';

const registry = new Registry({ library: new SchemaLibrary(), now: () => '', crds: () => [] });

describe('paths', () => {
  test.each([
    { path: '/api/v1/namespaces', want: { kind: 'Namespace' } },
    { path: '/api/v1/namespaces/n', want: { kind: 'Namespace', name: 'n' } },
    { path: '/api/v1/namespaces/n/status', want: { kind: 'Namespace', name: 'n', subresource: 'status' } },
    { path: '/api/v1/namespaces/n/pods', want: { kind: 'Pod', namespace: 'n' } },
    { path: '/api/v1/namespaces/n/pods/p', want: { kind: 'Pod', namespace: 'n', name: 'p' } },
    { path: '/api/v1/namespaces/n/pods/p/status', want: { kind: 'Pod', namespace: 'n', name: 'p', subresource: 'status' } },
    { path: '/api/v1/namespaces/status/pods/p', want: { kind: 'Pod', namespace: 'status', name: 'p' } },
    { path: '/api/v1/pods', want: { kind: 'Pod' } },
    { path: '/api/v1/nodes/n', want: { kind: 'Node', name: 'n' } },
    { path: '/apis/apps/v1/namespaces/n/deployments/d', want: { kind: 'Deployment', namespace: 'n', name: 'd' } },
    { path: '/apis/apps/v1/deployments', want: { kind: 'Deployment' } },
    { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:x', want: { kind: 'ClusterRole', name: 'system:x' } },
  ])('$path', ({ path, want }) => {
    const { kind, ...place } = findApiTarget(registry, path);
    expect({ kind: kind.kind, ...place }).toEqual({ namespace: undefined, name: undefined, subresource: undefined, ...want });
  });

  test.each([
    '/',
    '/metrics',
    '/api',
    '/api/v1',
    '/api/v2/pods',
    '/api/v1/gadgets',
    '/api/v1/pods/p',
    '/api/v1/namespaces/n/nodes',
    '/api/v1/namespaces/n/pods/p/frob',
    '/api/v1/namespaces/n/configmaps/c/status',
    '/api/v1/namespaces/n/pods/p/status/more',
    '/apis/apps/v2/deployments',
    '/apis/nope/v1/things',
  ])('%s leads nowhere', (path) => {
    expect(() => findApiTarget(registry, path)).toThrow(ApiError);
  });
});
