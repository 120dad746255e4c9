import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { aNode, at, nodeCondition as condition, time } from '../testing/builders.ts';
import { scoreNodeHealth } from './node-health.ts';

const TIMING = { now: at(10 * MINUTE), stabilizationMs: 5 * MINUTE, deadline: at(30 * MINUTE) };
const CORDONED = { spec: { unschedulable: true } };
const READY = condition('Ready', 'True', -MINUTE);

const unsettledSince = (ms: number) => ({
  what: `its health: Ready and without pressure only since ${time(ms)}`,
  until: at(ms + 5 * MINUTE),
});

describe('[EM-133] the health of a Node (ruling 114)', () => {
  test.each([
    ['Ready for the whole window', aNode([READY]), { score: 1, message: 'Ready and without pressure' }],
    ['Ready for exactly the window', aNode([condition('Ready', 'True', 5 * MINUTE)]), { score: 1, message: 'Ready and without pressure' }],
    ['Ready a second less', aNode([condition('Ready', 'True', 5 * MINUTE + SECOND)]), unsettledSince(5 * MINUTE + SECOND)],
    [
      'Ready for long, a pressure gone only lately',
      aNode([READY, condition('DiskPressure', 'False', 8 * MINUTE), condition('PIDPressure', 'False', 0)]),
      unsettledSince(8 * MINUTE),
    ],
    [
      'Ready, and something else changed lately that is no fault',
      aNode([READY, condition('FrequentKubeletRestart', 'False', 9 * MINUTE)]),
      { score: 1, message: 'Ready and without pressure' },
    ],
    ['Ready at an unknown time', aNode([{ type: 'Ready', status: 'True' }]), { score: 1, message: 'Ready and without pressure' }],
    ['cordoned', aNode([READY], CORDONED), { score: 0.5, message: 'Ready, but it is cordoned' }],
    [
      'cordoned, and Ready only lately',
      aNode([condition('Ready', 'True', 9 * MINUTE)], CORDONED),
      { score: 0.5, message: 'Ready, but it is cordoned' },
    ],
    ['no longer cordoned', aNode([READY], { spec: { unschedulable: false } }), { score: 1, message: 'Ready and without pressure' }],
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map(
      (type) =>
        [`under ${type}`, aNode([READY, condition(type, 'True', 0)]), { score: 0.5, message: `Ready, but ${type} is True` }] as const,
    ),
    [
      'cordoned and under pressure',
      aNode([READY, condition('DiskPressure', 'True', 0)], CORDONED),
      { score: 0.5, message: 'Ready, but it is cordoned, DiskPressure is True' },
    ],
    [
      'a pressure that is unknown',
      aNode([READY, condition('DiskPressure', 'Unknown', 0)]),
      { score: 1, message: 'Ready and without pressure' },
    ],
    ['not Ready', aNode([condition('Ready', 'False', -MINUTE)]), { score: 0, message: 'not Ready: it is not ready' }],
    ['not reporting', aNode([condition('Ready', 'Unknown', -MINUTE)]), { score: 0, message: 'not Ready: its kubelet does not report' }],
    [
      'not Ready and cordoned',
      aNode([condition('Ready', 'False', -MINUTE), condition('DiskPressure', 'True', 0)], CORDONED),
      { score: 0, message: 'not Ready: it is not ready, DiskPressure is True' },
    ],
    ['without conditions', aNode([]), { score: 0, message: 'not Ready: it has never said that it is ready' }],
    [
      'without a status',
      { ...aNode([]), status: undefined } as never,
      { score: 0, message: 'not Ready: it has never said that it is ready' },
    ],
  ] as const)('%s', (_, node, want) => expect(scoreNodeHealth(node, TIMING)).toEqual(want));

  test.each([
    ['before the deadline', 30 * MINUTE - SECOND, unsettledSince(25 * MINUTE - SECOND)],
    ['at the deadline', 30 * MINUTE, { score: 0, message: 'Ready, but never for 5m0s without a change' }],
  ])('a Node that changes again and again, its window ending %s', (_, settledMs, want) => {
    const node = aNode([condition('Ready', 'True', settledMs - 5 * MINUTE)]);
    expect(scoreNodeHealth(node, { ...TIMING, now: at(29 * MINUTE) })).toEqual(want);
  });
});
