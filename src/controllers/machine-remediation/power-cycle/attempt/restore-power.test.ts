import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../../base/index.ts';
import type { PowerCycleStatus } from '../status.ts';
import { aSilentNode, agoMicro, aRequest, NOW, OURS, powerIs, seenWith, NO_ANSWER } from '../testing/builders.ts';
import { restorePower } from './restore-power.ts';

const owing = (ms: number): PowerCycleStatus => ({ phase: 'waiting', switchOnOwed: true, powerOffRequestedAt: agoMicro(ms) });
const towards = (status: PowerCycleStatus, change: Parameters<typeof seenWith>[0] = {}) =>
  restorePower(seenWith({ object: aRequest({ status }), ...change }), NOW);

describe('a host that must still be switched on', () => {
  test('keeps switchOnOwed if it reports on while a command to switch off may still arrive', () =>
    expect(towards(owing(3 * MINUTE - 1))).toEqual({
      set: { taintedNode: undefined },
      effects: [],
      report: { reason: 'PoweringOn', message: 'the host is on; waiting until no earlier command can switch it off any more' },
    }));

  test('clears switchOnOwed if it reports on when no command can arrive any more', () =>
    expect(towards(owing(3 * MINUTE))).toEqual({ set: { taintedNode: undefined, switchOnOwed: false }, effects: [] }));

  test('is sent no command while it does not answer, and a warning is reported', () =>
    expect(towards(owing(3 * MINUTE), { power: NO_ANSWER })).toEqual({
      set: {},
      effects: [],
      report: {
        reason: 'BmcUnreachable',
        message: 'the host is not switched on again yet: asking https://bmc-0: no answer',
        isWarning: true,
      },
    }));

  test('is ordered to switch on if it is off, which status records', () =>
    expect(towards(owing(3 * MINUTE), { power: powerIs('Off') })).toMatchObject({
      set: { powerOnRequestedAt: agoMicro(0) },
      effects: [{ kind: 'Call' }],
      report: { reason: 'PoweringOn', message: 'the host is not switched on again yet' },
    }));
});

describe('a taint that status records', () => {
  const marked: PowerCycleStatus = { phase: 'waiting', switchOnOwed: false, taintedNode: 'worker-0' };

  test('stays recorded until the Node was read without it', () => {
    const taken = towards(marked, { node: { kind: 'value', value: aSilentNode([OURS]) } });
    expect(taken).toMatchObject({ set: {}, effects: [{ kind: 'Patch', operations: [{ path: '/spec/taints', value: [] }] }] });
    expect(taken.set).not.toHaveProperty('taintedNode');
    expect(towards(marked)).toEqual({ set: { taintedNode: undefined }, effects: [] });
  });

  test('stays recorded, with a warning, while its Node cannot be read', () =>
    expect(towards(marked, { tainted: { kind: 'unreadable', reason: 'no' } })).toEqual({
      set: {},
      effects: [],
      report: { reason: 'NodeUnreadable', message: 'the out-of-service taint cannot be removed yet: no', isWarning: true },
    }));
});
