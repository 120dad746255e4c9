import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../api/meta.ts';
import { BLOCK_REASONS } from '../../../api/remediation-request/status.ts';
import { anObject } from '../../../testkit/fake-client.ts';
import { assessmentIndexes, executionIndexes, unblockedBy, requestIndexes, waitsFor } from './indexes.ts';
import { anAssessment, anExecution, aRequest, FINGERPRINT, TARGET } from './testing/builders.ts';

const blocked = (blockReason: (typeof BLOCK_REASONS)[number]) =>
  aRequest('rr', { overallPhase: 'Blocked', blockReason, duplicateOf: 'original', blockingWorkflowExecution: 'we-other' });

describe('where requests are found', () => {
  test('by their fingerprint', () => expect(requestIndexes.fingerprint(aRequest('rr'))).toEqual([FINGERPRINT]));

  test('by the resource that their execution changes, once there is one', () => {
    expect(requestIndexes.remediated(aRequest('rr', { remediationTarget: TARGET }))).toEqual([]);
    expect(requestIndexes.remediated(aRequest('rr', { workflowExecutionRef: { name: 'we-rr' } }))).toEqual([]);
    const request = aRequest('rr', { remediationTarget: TARGET, workflowExecutionRef: { name: 'we-rr' } });
    expect(requestIndexes.remediated(request)).toEqual(['shop/Deployment/checkout']);
  });

  test('executions by their target, assessments by their request', () => {
    expect(executionIndexes.target(anExecution('rr', {}))).toEqual(['shop/Deployment/checkout']);
    expect(assessmentIndexes.request(anAssessment('rr', {}))).toEqual(['rr']);
  });
});

describe('what sets a blocked request free', () => {
  /** Whether the change of the object would wake the request. */
  const wakes = (object: KubeObject, request: Parameters<typeof waitsFor>[0]): boolean =>
    unblockedBy(object).some(({ index, value }) => index === 'waitsFor' && requestIndexes.waitsFor(request).includes(value));
  const deployment = anObject('Deployment', { metadata: { namespace: 'shop', name: 'checkout' } });
  const namespace = anObject('Namespace', { metadata: { namespace: undefined, name: 'shop' } });
  const original = aRequest('original', undefined, { spec: { signalFingerprint: 'c'.repeat(64) } });
  const sameSignal = aRequest('late');
  const execution = anExecution('other', {});

  test.each([
    ['UnmanagedResource', { deployment, namespace }],
    ['DuplicateInProgress', { original }],
    ['ResourceBusy', { execution }],
    ['IneffectiveChain', { sameSignal }],
    ['ConsecutiveFailures', {}],
    ['RecentlyRemediated', {}],
    ['ExponentialBackoff', {}],
  ] as const)('%s', (reason, by) => {
    const things: Readonly<Record<string, KubeObject>> = { deployment, namespace, original, execution, sameSignal };
    const waking = Object.keys(things).filter((name) => wakes(things[name]!, blocked(reason)));
    expect(waking).toEqual(Object.keys(by));
  });

  test('is nothing of another name or place', () => {
    const elsewhere = [
      anObject('Deployment', { metadata: { namespace: 'other', name: 'checkout' } }),
      anObject('StatefulSet', { metadata: { namespace: 'shop', name: 'checkout' } }),
      anObject('Namespace', { metadata: { namespace: undefined, name: 'other' } }),
    ];
    for (const object of elsewhere) expect(wakes(object, blocked('UnmanagedResource'))).toBe(false);
    expect(wakes(anExecution('another', {}), blocked('ResourceBusy'))).toBe(false);
    expect(wakes(aRequest('another', {}), blocked('DuplicateInProgress'))).toBe(false);
  });

  test('is a label of what is to be changed too, where that is another resource', () => {
    const plan = { kind: 'StatefulSet', name: 'db', namespace: 'data' };
    const request = aRequest('rr', { overallPhase: 'Blocked', blockReason: 'UnmanagedResource', remediationTarget: plan });
    for (const object of [
      deployment,
      namespace,
      anObject('StatefulSet', { metadata: { namespace: 'data', name: 'db' } }),
      anObject('Namespace', { metadata: { namespace: undefined, name: 'data' } }),
    ])
      expect(wakes(object, request)).toBe(true);
  });

  test('is a label of the resource alone where it has no namespace', () => {
    const request = aRequest(
      'rr',
      { overallPhase: 'Blocked', blockReason: 'UnmanagedResource' },
      { spec: { targetResource: { kind: 'Node', name: 'worker-1' } } },
    );
    expect(wakes(anObject('Node', { metadata: { namespace: undefined, name: 'worker-1' } }), request)).toBe(true);
    expect(waitsFor(request)).toHaveLength(1);
  });

  test('is nothing for one that is not blocked, or that does not say by what', () => {
    for (const reason of BLOCK_REASONS)
      expect(waitsFor(aRequest('rr', { overallPhase: 'Failed', blockReason: reason, duplicateOf: 'original' }))).toEqual([]);
    for (const reason of ['DuplicateInProgress', 'ResourceBusy'] as const)
      expect(waitsFor(aRequest('rr', { overallPhase: 'Blocked', blockReason: reason }))).toEqual([]);
    expect(waitsFor(aRequest('rr'))).toEqual([]);
  });
});
