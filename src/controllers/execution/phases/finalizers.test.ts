import { describe, expect, test } from 'vitest';
import { toTime } from '../../../base/index.ts';
import { AWX_FINALIZER, addFinalizer, hasFinalizer, removeFinalizer } from '../engines/awx/awx-finalizer.ts';
import { removeExecutionFinalizer, isBeingDeleted, hasExecutionFinalizer, keep } from './execution-finalizer.ts';
import { anExecution, NOW } from '../testing/builders.ts';

const OWN = 'kubernaut.ai/workflow-execution';
const [own] = anExecution().metadata.finalizers ?? [];
const withThese = (...finalizers: readonly string[]) => anExecution({ metadata: { finalizers: [...finalizers] } });
const { finalizers: _, ...bare } = anExecution().metadata;
const without = { ...anExecution(), metadata: bare };

const written = (value: readonly string[]) => ({
  kind: 'Patch',
  resource: expect.objectContaining({ kind: 'WorkflowExecution' }) as object,
  key: { namespace: 'sickbay-system', name: 'we-rr-1' },
  uid: 'wfe-1',
  resourceVersion: '7',
  operations: [{ op: 'add', path: '/metadata/finalizers', value }],
});

describe.each([
  { name: 'of the execution', finalizer: own ?? OWN, has: hasExecutionFinalizer, put: keep, take: removeExecutionFinalizer },
  { name: 'of what it has in AWX', finalizer: AWX_FINALIZER, has: hasFinalizer, put: addFinalizer, take: removeFinalizer },
])('the finalizer $name', ({ finalizer, has, put, take }) => {
  test('is known among those of others', () => {
    expect([withThese('others/x', finalizer), withThese('others/x'), withThese(), without].map((one) => has(one))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('is put beside those of others, under the version that was seen', () => {
    expect(put(withThese('others/x'))).toEqual(written(['others/x', finalizer]));
    expect(put(without)).toEqual(written([finalizer]));
  });

  test('is taken from among those of others', () => {
    expect(take(withThese('others/x', finalizer, 'others/y'))).toEqual(written(['others/x', 'others/y']));
    expect(take(without)).toEqual(written([]));
  });
});

test('an execution waits for us when it was deleted and has our finalizer', () => {
  const deletionTimestamp = toTime(NOW);
  const gone = (finalizers: string[]) => anExecution({ metadata: { finalizers, deletionTimestamp } });
  expect([gone([own ?? OWN]), gone(['others/x']), withThese(own ?? OWN)].map((one) => isBeingDeleted(one))).toEqual([true, false, false]);
});
