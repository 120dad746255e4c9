import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../../base/index.ts';
import type { PowerCycleStatus } from '../status.ts';
import { aDeadNode, agoMicro, aRequest, NOW, OURS, said, seenWith, SILENT } from '../testing/builders.ts';
import { towardsOn } from './restore-power.ts';

const owing = (ms: number): PowerCycleStatus => ({ phase: 'waiting', switchOnOwed: true, powerOffRequestedAt: agoMicro(ms) });
const towards = (status: PowerCycleStatus, change: Parameters<typeof seenWith>[0] = {}) =>
  towardsOn(seenWith({ object: aRequest({ status }), ...change }), NOW);

describe('a host that is owed to be on', () => {
  test('and says so while a command to go off may be on its way stays owed', () =>
    expect(towards(owing(3 * MINUTE - 1))).toEqual({
      set: { taintedNode: undefined },
      effects: [],
      words: { reason: 'PoweringOn', message: 'the host is on; making sure that it stays so' },
    }));

  test('and says so when none can be is owed no more, and nothing is left to say', () =>
    expect(towards(owing(3 * MINUTE))).toEqual({ set: { taintedNode: undefined, switchOnOwed: false }, effects: [] }));

  test('and does not answer is not told, and people are', () =>
    expect(towards(owing(3 * MINUTE), { power: SILENT })).toEqual({
      set: {},
      effects: [],
      words: {
        reason: 'BmcUnreachable',
        message: 'the host has yet to be switched on again: asking https://bmc-0: no answer',
        isWarning: true,
      },
    }));

  test('and is off is told, and that is on record', () =>
    expect(towards(owing(3 * MINUTE), { power: said('Off') })).toMatchObject({
      set: { powerOnRequestedAt: agoMicro(0) },
      effects: [{ kind: 'Call' }],
      words: { reason: 'PoweringOn', message: 'the host has yet to be switched on again' },
    }));
});

describe('a mark that is on record', () => {
  const marked: PowerCycleStatus = { phase: 'waiting', switchOnOwed: false, taintedNode: 'worker-0' };

  test('stays there until it was seen gone', () => {
    const taken = towards(marked, { node: { kind: 'there', node: aDeadNode([OURS]) } });
    expect(taken).toMatchObject({ set: {}, effects: [{ kind: 'Patch', operations: [{ path: '/spec/taints', value: [] }] }] });
    expect(taken.set).not.toHaveProperty('taintedNode');
    expect(towards(marked)).toEqual({ set: { taintedNode: undefined }, effects: [] });
  });

  test('stays there, and people are told, while its Node cannot be read', () =>
    expect(towards(marked, { tainted: { kind: 'unreadable', why: 'no' } })).toEqual({
      set: {},
      effects: [],
      words: { reason: 'NodeUnreadable', message: 'the out-of-service taint has yet to go: no', isWarning: true },
    }));
});
