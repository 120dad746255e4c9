import { expect, test } from 'vitest';
import { instanceOfLabels } from './signal-instance.ts';

test('labels tell signals apart, in whatever order they come', () => {
  const instance = instanceOfLabels({ node: 'n1', machine: 'm' });
  expect(instance).toMatch(/^[0-9a-f]{16}$/);
  expect(instanceOfLabels({ machine: 'm', node: 'n1' })).toBe(instance);
  expect(instanceOfLabels({ machine: 'm', node: 'n2' })).not.toBe(instance);
  expect(instanceOfLabels({ machine: 'm', node: 'n1', alertname: 'x' })).not.toBe(instance);
});
