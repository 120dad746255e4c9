import { describe, expect, test } from 'vitest';
import type { FiringAlert } from '../../../monitoring/index.ts';
import { ALERT, anAssessment, aPod, UNREADABLE } from '../testing/builders.ts';
import { alertLabels, alertsOfTarget, scoreAlert, type AlertTarget } from './alert.ts';

const target = { kind: 'Deployment', name: 'checkout', namespace: 'shop' };
const pods: AlertTarget['pods'] = { kind: 'value', value: [aPod('checkout-a'), aPod('checkout-b')] };
const alert = (labels: Readonly<Record<string, string>> = {}, state = 'active'): FiringAlert => ({
  labels: { alertname: ALERT, ...labels },
  state,
});

describe('an alert is looked for', () => {
  test.each<[string, { kind: string; name: string; namespace?: string }, object]>([
    ['[EM-144] in the namespace of what it is about', { kind: 'Pod', name: 'checkout-a', namespace: 'shop' }, { namespace: 'shop' }],
    ['by its node', { kind: 'Node', name: 'n-1' }, { node: 'n-1' }],
    ['by its volume', { kind: 'PersistentVolume', name: 'pv-1' }, { persistentvolume: 'pv-1' }],
    ['by its name alone, where nothing else is known', { kind: 'ClusterRole', name: 'x' }, {}],
  ])('%s', (_, signalTarget, want) =>
    expect(alertLabels(anAssessment(undefined, { signalTarget }).spec)).toEqual({ alertname: ALERT, ...want }),
  );

  test('not at all, where the signal has no name', () =>
    expect(alertLabels(anAssessment(undefined, { signalName: '' }).spec)).toBeUndefined());
});

describe('of those that fire', () => {
  const scored = (alerts: readonly FiringAlert[], scene: Partial<AlertTarget> = {}) => {
    const ours = alertsOfTarget(alerts, { target, pods, ...scene });
    return ours.kind === 'value' ? scoreAlert(ours.value) : ours.kind;
  };

  test.each<[string, readonly FiringAlert[], Partial<AlertTarget>, 0 | 1 | 'unreadable']>([
    ['[EM-138] none is a success', [], {}, 1],
    ['[EM-139] one is none', [alert()], {}, 0],
    ['one about a pod of the target counts', [alert({ pod: 'checkout-b' })], {}, 0],
    ['one about a pod that is gone does not', [alert({ pod: 'checkout-old' })], {}, 1],
    ['one of each: that of the living pod counts', [alert({ pod: 'checkout-old' }), alert({ pod: 'checkout-a' })], {}, 0],
    ['[EM-145] one that is silenced or inhibited counts', [alert({}, 'suppressed')], {}, 0],
    ['one that is not processed yet counts', [alert({}, 'unprocessed')], {}, 0],
    ['one about the Deployment counts', [alert({ deployment: 'checkout' })], {}, 0],
    ['one about another Deployment does not', [alert({ deployment: 'cart' })], {}, 1],
    ['a label of another kind says nothing', [alert({ statefulset: 'cart' })], {}, 0],
    ['one about a pod, of a target without pods, counts', [alert({ pod: 'x' })], { pods: undefined }, 0],
    ['one about a pod, the pods unreadable, is unknown', [alert({ pod: 'checkout-old' })], { pods: UNREADABLE }, 'unreadable'],
    ['one without a pod, the pods unreadable, counts', [alert()], { pods: UNREADABLE }, 0],
    ['none, the pods unreadable', [], { pods: UNREADABLE }, 1],
    ['of a target whose kind has no label of its own', [alert({ deployment: 'cart' })], { target: { kind: 'Service', name: 'x' } }, 0],
  ])('%s', (_, alerts, scene, want) => expect(scored(alerts, scene)).toBe(want));
});
