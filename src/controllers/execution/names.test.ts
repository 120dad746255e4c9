import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { executionKeys, executionUidOf, marksOf, runName } from './names.ts';
import { aJob, anExecution, TARGET } from './testing/builders.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

describe('the name of run and lock', () => {
  test('[WE-152] is the same for the same target', () => {
    expect(runName(anExecution({ uid: 'a', name: 'a' }).spec)).toBe(runName(anExecution({ uid: 'b', name: 'b' }).spec));
    expect(runName({ targetResource: TARGET })).toBe(`wfe-${hash(TARGET)}`);
  });
  test('[WE-153] is another for another target', () => {
    const names = ['shop/Deployment/a', 'shop/Deployment/b', 'shop/StatefulSet/a', 'Deployment/a'].map((targetResource) =>
      runName({ targetResource }),
    );
    expect(new Set(names).size).toBe(names.length);
  });
  test('[WE-154] is another in another cluster', () => {
    const names = ['', 'prod-eu-1', 'prod-eu-2'].map((clusterID) => runName({ targetResource: TARGET, clusterID }));
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toBe(runName({ targetResource: TARGET }));
  });
});

describe('marks', () => {
  test('say whose a run is, and for what', () =>
    expect(marksOf(anExecution())).toEqual({
      labels: {
        'kubernaut.ai/workflow-execution': 'we-rr-1',
        'kubernaut.ai/workflow-execution-uid': 'wfe-1',
        'kubernaut.ai/workflow-id': 'rollback',
        'kubernaut.ai/target-resource': 'shop__Deployment__checkout',
        'kubernaut.ai/source-namespace': 'sickbay-system',
      },
      annotations: { 'kubernaut.ai/target-resource': TARGET },
    }));

  test.each([
    { reason: 'too long', name: 'x'.repeat(80), want: 'x'.repeat(63) },
    { reason: 'cut at a sign', name: `${'x'.repeat(62)}-yz`, want: 'x'.repeat(62) },
  ])('fit into labels: $reason', ({ name, want }) =>
    expect(marksOf(anExecution({ name })).labels['kubernaut.ai/workflow-execution']).toBe(want),
  );

  test('lead from a run to its execution', () => {
    expect(executionUidOf(aJob())).toBe('wfe-1');
    expect(executionKeys(aJob())).toEqual([{ namespace: 'sickbay-system', name: 'we-rr-1' }]);
  });

  test('are missing on what is not ours', () => {
    expect(executionUidOf(aJob({ of: '' }))).toBeUndefined();
    expect(executionKeys(aJob({ of: '' }))).toEqual([]);
  });
});
