import { expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import { unhealthyCondition, withConditions } from './cluster-api-conditions.ts';
import { NOW } from '../testing/a-machine.ts';

test("a message is no longer than Cluster API's schema takes, in either style", () => {
  const messages = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(400)}`);
  const nothing: NonNullable<Machine['status']> = {};
  const stated = withConditions(nothing, [unhealthyCondition('UnhealthyNode', messages)], { generation: 1, now: NOW });
  const [now] = stated.conditions ?? [];
  const [old] = stated.deprecated?.v1beta1?.conditions ?? [];
  expect(now?.message).toHaveLength(32_768);
  expect(old?.message).toHaveLength(10_240);
  // What was cut is not taken for something new.
  expect(withConditions(stated, [unhealthyCondition('UnhealthyNode', messages)], { generation: 1, now: NOW })).toBe(stated);
});
