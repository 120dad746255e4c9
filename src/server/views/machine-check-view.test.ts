import { expect, test } from 'vitest';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { machineCheckView } from './machine-check-view.ts';

const checkWith = (selector: object): MachineHealthCheck => {
  const { sample } = MachineHealthCheck;
  return {
    ...sample,
    metadata: { ...sample.metadata, uid: 'u', resourceVersion: '1' },
    spec: { ...sample.spec, selector },
  } as MachineHealthCheck;
};

test('a check shows its selector as kubectl takes it', () => {
  const selector = { matchLabels: { pool: 'workers' }, matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] };
  expect(machineCheckView(checkWith(selector)).selector).toBe('pool=workers,zone in (a,b)');
});

test('a check whose selector no controller can follow is shown with what is wrong with it', () => {
  const selector = { matchExpressions: [{ key: 'zone', operator: 'Within', values: ['a'] }] };
  expect(machineCheckView(checkWith(selector)).selector).toMatch(/^invalid: /);
});
