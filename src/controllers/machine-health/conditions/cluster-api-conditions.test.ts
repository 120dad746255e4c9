import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import { toTime } from '../../../base/index.ts';
import {
  unhealthyCondition,
  healthyCondition,
  withConditions,
  conditionOf,
  withoutCondition,
  type DesiredCondition,
} from './cluster-api-conditions.ts';
import { ago, NOW } from '../testing/a-machine.ts';

type Status = NonNullable<Machine['status']>;

const EARLIER = ago(60_000);
const NOTHING: Status = {};
const NEW = { generation: 3, now: NOW };
const UNHEALTHY = unhealthyCondition('UnhealthyNode', ['Ready is Unknown', 'and more']);

const newStyle = (type: string, more: object = {}) => ({
  type,
  status: 'True' as const,
  reason: type,
  message: '',
  observedGeneration: 3,
  lastTransitionTime: EARLIER,
  ...more,
});
const oldStyle = (type: string, more: object = {}) => ({ type, status: 'True' as const, lastTransitionTime: EARLIER, ...more });
const both = (conditions: readonly object[], old?: readonly object[]) =>
  ({ conditions, ...(old && { deprecated: { v1beta1: { conditions: old } } }) }) as Status;

describe('a statement', () => {
  test('that holds is made in both styles, and the old one gives no reason', () => {
    expect(withConditions(NOTHING, [healthyCondition], NEW)).toEqual(
      both(
        [newStyle('HealthCheckSucceeded', { lastTransitionTime: toTime(NOW) })],
        [oldStyle('HealthCheckSucceeded', { lastTransitionTime: toTime(NOW) })],
      ),
    );
  });

  test('that does not hold says why: on lines in the new style, in one line with a severity in the old', () => {
    const status = withConditions(NOTHING, [UNHEALTHY], NEW);
    expect(status.conditions).toEqual([
      newStyle('HealthCheckSucceeded', {
        status: 'False',
        reason: 'UnhealthyNode',
        message: 'Ready is Unknown\nand more',
        lastTransitionTime: toTime(NOW),
      }),
    ]);
    expect(status.deprecated?.v1beta1?.conditions).toEqual([
      oldStyle('HealthCheckSucceeded', {
        status: 'False',
        severity: 'Warning',
        reason: 'UnhealthyNode',
        message: 'Ready is Unknown; and more',
        lastTransitionTime: toTime(NOW),
      }),
    ]);
  });

  test.each([
    ['HasRemediateAnnotation', 'HasRemediateMachineAnnotation'],
    ['NodeDeleted', 'NodeNotFound'],
    ['NodeStartupTimeout', 'NodeStartupTimeout'],
    ['UnhealthyMachine', 'UnhealthyMachine'],
  ] as const)('%s is called %s in the old style', (fault, old) => {
    expect(unhealthyCondition(fault, [])).toMatchObject({ holds: false, reason: fault, old: { reason: old, message: '' } });
  });

  test('that is made already leaves the status as it is', () => {
    const status = withConditions(NOTHING, [UNHEALTHY], NEW);
    expect(withConditions(status, [UNHEALTHY], { ...NEW, now: (NOW + 60_000) as never })).toBe(status);
  });

  test.each<{ readonly reason: string; readonly statement: DesiredCondition }>([
    { reason: 'another reason', statement: unhealthyCondition('UnhealthyMachine', ['Ready is Unknown', 'and more']) },
    { reason: 'another message', statement: unhealthyCondition('UnhealthyNode', ['Ready is False']) },
    {
      reason: 'another reason in the old style alone',
      statement: { ...UNHEALTHY, old: { reason: 'Other', message: UNHEALTHY.old?.message ?? '' } },
    },
    { reason: 'another message in the old style alone', statement: { ...UNHEALTHY, old: { reason: 'UnhealthyNode', message: 'other' } } },
    { reason: 'no message in the old style', statement: { ...UNHEALTHY, old: { reason: 'UnhealthyNode', message: '' } } },
    { reason: 'no reason in the old style', statement: { ...UNHEALTHY, old: { message: UNHEALTHY.old?.message ?? '' } } },
  ])('changes with $reason, and keeps since when it is so', ({ statement }) => {
    const before = withConditions(NOTHING, [UNHEALTHY], NEW);
    const status = withConditions(before, [statement], { ...NEW, now: (NOW + 60_000) as never });
    expect(status).not.toBe(before);
    expect(status.conditions?.[0]?.lastTransitionTime).toBe(toTime(NOW));
    const { reason, message } = statement.old ?? { message: '' };
    expect(status.deprecated?.v1beta1?.conditions).toEqual([
      oldStyle('HealthCheckSucceeded', {
        status: 'False',
        severity: 'Warning',
        ...(reason && { reason }),
        ...(message && { message }),
        lastTransitionTime: toTime(NOW),
      }),
    ]);
  });

  test('a severity that should not be there goes', () => {
    const before = both([newStyle('HealthCheckSucceeded')], [oldStyle('HealthCheckSucceeded', { severity: 'Warning' })]);
    expect(withConditions(before, [healthyCondition], NEW).deprecated?.v1beta1?.conditions).toEqual([oldStyle('HealthCheckSucceeded')]);
  });

  test('that turns is so since now, in both styles, and others stay where they are', () => {
    const before = both(
      [newStyle('Available'), newStyle('HealthCheckSucceeded'), newStyle('Zone')],
      [oldStyle('Available'), oldStyle('HealthCheckSucceeded'), oldStyle('Zone')],
    );
    const status = withConditions(before, [UNHEALTHY], NEW);
    expect(status.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['Available', EARLIER],
      ['HealthCheckSucceeded', toTime(NOW)],
      ['Zone', EARLIER],
    ]);
    expect(status.deprecated?.v1beta1?.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['Available', EARLIER],
      ['HealthCheckSucceeded', toTime(NOW)],
      ['Zone', EARLIER],
    ]);
  });

  test('that the old style does not know leaves the old style alone', () => {
    const paused: DesiredCondition = { type: 'Paused', holds: false, reason: 'NotPaused', message: '' };
    expect(withConditions(NOTHING, [paused], NEW)).not.toHaveProperty('deprecated');
    const before = both([], [oldStyle('Available')]);
    expect(withConditions(before, [paused], NEW).deprecated).toEqual({ v1beta1: { conditions: [oldStyle('Available')] } });
  });

  test('others beside the conditions stay', () => {
    const before = { phase: 'Running', deprecated: { other: 1, v1beta1: { conditions: [] } } } as never;
    expect(withConditions(before, [healthyCondition], NEW)).toMatchObject({ phase: 'Running', deprecated: { other: 1 } });
  });
});

describe('a withdrawn condition', () => {
  const status = withConditions(withConditions(NOTHING, [healthyCondition], NEW), [{ ...UNHEALTHY, type: 'OwnerRemediated' }], NEW);

  test('is removed, and the other conditions stay', () => {
    const left = withoutCondition(status, 'OwnerRemediated');
    expect(left.conditions?.map(({ type }) => type)).toEqual(['HealthCheckSucceeded']);
    expect(conditionOf(left, 'OwnerRemediated')).toBeUndefined();
    expect(conditionOf(left, 'HealthCheckSucceeded')).toEqual(status.conditions?.[0]);
  });

  test('what was not stated leaves the status as it is', () => {
    expect(withoutCondition(status, 'Paused')).toBe(status);
    const empty = {};
    expect(withoutCondition(empty, 'Paused')).toBe(empty);
  });
});
