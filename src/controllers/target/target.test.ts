import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText, parseTarget, planDigest, specHash, targetText, type Plan } from './index.ts';

describe('targetText', () => {
  test.each([
    [{ namespace: 'shop', kind: 'Deployment', name: 'checkout' }, 'shop/Deployment/checkout'],
    [{ kind: 'Node', name: 'worker-1' }, 'Node/worker-1'],
    [{ namespace: '', kind: 'Node', name: 'worker-1' }, 'Node/worker-1'],
  ])('%j is %s', (target, text) => expect(targetText(target)).toBe(text));

  test.each(['', 'Deployment', 'shop//checkout', '/Deployment/checkout', 'a/b/c/d'])('%j is no target', (text) =>
    expect(parseTarget(text)).toBeUndefined(),
  );

  test.each(['shop/Deployment/checkout', 'Node/worker-1'])('%s is read back as it was', (text) => {
    const target = parseTarget(text);
    expect(target && targetText(target)).toBe(text);
  });
});

describe('specHash', () => {
  const metadata = { name: 'checkout', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-15T03:00:00Z' };
  const deployment = (spec: unknown) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });

  test('does not change with the order of members or of list elements', () => {
    const one = deployment({ replicas: 2, containers: [{ name: 'a', image: 'x' }, { name: 'b' }] });
    const other = deployment({ containers: [{ name: 'b' }, { image: 'x', name: 'a' }], replicas: 2 });
    expect(specHash(one)).toBe(specHash(other));
  });

  test.each([
    ['a value', { replicas: 3 }],
    ['a type', { replicas: '2' }],
    ['a member more', { replicas: 2, paused: false }],
    ['nothing at all', {}],
  ])('changes with %s', (_, spec) => expect(specHash(deployment(spec))).not.toBe(specHash(deployment({ replicas: 2 }))));

  test('does not see metadata and status', () =>
    expect(specHash({ ...deployment({ replicas: 2 }), metadata: { ...metadata, generation: 7 } })).toBe(
      specHash(deployment({ replicas: 2 })),
    ));

  const configMap = (content: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...content });

  test.each([
    ['data', { data: { a: '2' } }],
    ['binaryData', { data: { a: '1' }, binaryData: { b: 'AA==' } }],
    ['nothing at all', {}],
  ])('changes with what a ConfigMap holds: %s', (_, content) =>
    expect(specHash(configMap(content))).not.toBe(specHash(configMap({ data: { a: '1' } }))),
  );

  const node = (spec: object) => ({ apiVersion: 'v1', kind: 'Node', metadata, spec });
  const taint = (key: string) => ({ key, effect: 'NoSchedule' });

  test('does not see the taints that come and go with the state of a Node', () => {
    const unhealthy = node({
      unschedulable: true,
      taints: [taint('node.kubernetes.io/unreachable'), taint('node.kubernetes.io/unschedulable')],
    });
    expect(specHash(unhealthy)).toBe(specHash(node({ unschedulable: true })));
  });

  test.each([
    ['a cordon', {}],
    ['a taint that an operator set', { unschedulable: true, taints: [taint('dedicated')] }],
  ])('of a Node changes with %s', (_, spec) => expect(specHash(node(spec))).not.toBe(specHash(node({ unschedulable: true }))));

  test('does not see what else has no spec', () =>
    expect(specHash({ ...configMap({ data: { a: '1' } }), kind: 'Other' })).toBe(specHash(deployment({}))));

  test('is the same for any value that JSON reads back', () =>
    fc.assert(fc.property(fc.jsonValue(), (value) => canonicalText(JSON.parse(JSON.stringify(value))) === canonicalText(value))));
});

describe('planDigest', () => {
  const workflowRef = {
    workflowId: 'w',
    version: '1.0.0',
    executionBundle: 'image:1',
    engineConfig: { args: ['roll', 'back'] },
    serviceAccountName: 'roller',
  };
  const plan: Plan = { workflowRef, parameters: { REVISION: '2' }, targetResource: 'shop/Deployment/checkout', targetUID: 'u' };

  test.each<[string, Partial<Plan>]>([
    ['workflow', { workflowRef: { ...workflowRef, workflowId: 'v' } }],
    ['version', { workflowRef: { ...workflowRef, version: '1.0.1' } }],
    ['bundle', { workflowRef: { ...workflowRef, executionBundle: 'image:2' } }],
    ['bundle digest', { workflowRef: { ...workflowRef, executionBundleDigest: 'sha256:1' } }],
    ['command', { workflowRef: { ...workflowRef, engineConfig: { args: ['roll', 'forward'] } } }],
    ['order of the words of a command', { workflowRef: { ...workflowRef, engineConfig: { args: ['back', 'roll'] } } }],
    ['account', { workflowRef: { ...workflowRef, serviceAccountName: 'cluster-admin' } }],
    ['secret', { workflowRef: { ...workflowRef, dependencies: { secrets: [{ name: 'root' }] } } }],
    ['parameter', { parameters: { REVISION: '3' } }],
    ['target', { targetResource: 'shop/Deployment/cart' }],
    ['target of the same name', { targetUID: 'another' }],
  ])('another %s is another plan', (_, change) => expect(planDigest({ ...plan, ...change })).not.toBe(planDigest(plan)));

  test('the order of members does not matter, nor whether no parameters are said', () => {
    const { serviceAccountName, ...rest } = workflowRef;
    const { parameters: _, ...silent } = plan;
    expect(planDigest({ ...plan, workflowRef: { serviceAccountName, ...rest } })).toBe(planDigest(plan));
    expect(planDigest({ ...silent, parameters: {} })).toBe(planDigest(silent));
  });
});
