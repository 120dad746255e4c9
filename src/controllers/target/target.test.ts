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

  test('is the same for any value that JSON reads back', () =>
    fc.assert(fc.property(fc.jsonValue(), (value) => canonicalText(JSON.parse(JSON.stringify(value))) === canonicalText(value))));
});

describe('planDigest', () => {
  const plan: Plan = {
    workflowId: 'w',
    version: '1.0.0',
    executionBundle: 'image:1',
    parameters: { REVISION: '2' },
    target: { kind: 'Deployment', name: 'checkout', namespace: 'shop', uid: 'u' },
  };

  test.each<[string, Partial<Plan>]>([
    ['workflow', { workflowId: 'v' }],
    ['version', { version: '1.0.1' }],
    ['bundle', { executionBundle: 'image:2' }],
    ['bundle digest', { executionBundleDigest: 'sha256:1' }],
    ['parameter', { parameters: { REVISION: '3' } }],
    ['target', { target: { ...plan.target, uid: 'another' } }],
  ])('another %s is another plan', (_, change) => expect(planDigest({ ...plan, ...change })).not.toBe(planDigest(plan)));

  test('the API version of the target is no part of it: some name it, some do not', () =>
    expect(planDigest({ ...plan, target: { ...plan.target, apiVersion: 'apps/v1' } })).toBe(planDigest(plan)));
});
