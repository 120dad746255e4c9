import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import { after, HOUR, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import { ago, aHealthCheck, aMachine, NOW } from '../testing/a-machine.ts';
import {
  withNewAttempts,
  attemptsExpireAt,
  givenUpCondition,
  isAttemptLimitReached,
  attemptsStillCounted,
  type Attempts,
} from './attempt-limit.ts';
import { shortList } from './remediation-block.ts';
import { beingDeleted } from './being-deleted.ts';
import { coolDown, type Storm } from './cool-down.ts';
import { healthyDelayEnd } from './healthy-delay.ts';
import { freeSlots, tooManyInFlight } from './max-in-flight.ts';
import { observeOnly } from './observe-only.ts';
import { pauseRequested } from './pause-requests.ts';

const machine = (status: 'True' | 'False', forMs: number, name = 'worker-0', uid = 'm-0'): Machine =>
  aMachine({
    metadata: { name, uid },
    status: { conditions: [{ type: 'HealthCheckSucceeded', status, reason: 'R', lastTransitionTime: ago(forMs) }] },
  });

describe('a cool-down', () => {
  const cooldownMs = 10 * MINUTE;
  const rows: readonly {
    title: string;
    before: Storm;
    isStorm: boolean;
    cooldownMs?: number;
    storm: Storm;
    until?: Instant;
  }[] = [
    { title: 'is not there unless it is asked for', before: undefined, isStorm: true, cooldownMs: 0, storm: undefined },
    {
      title: 'forgets what was when it is no longer asked for',
      before: { since: ago(HOUR) },
      isStorm: false,
      cooldownMs: 0,
      storm: undefined,
    },
    { title: 'needs a storm', before: undefined, isStorm: false, storm: undefined },
    { title: 'notes when the storm begins', before: undefined, isStorm: true, storm: { since: ago(0) } },
    { title: 'goes by the beginning of the storm', before: { since: ago(HOUR) }, isStorm: true, storm: { since: ago(HOUR) } },
    {
      title: 'begins when the storm is over',
      before: { since: ago(HOUR) },
      isStorm: false,
      storm: { since: ago(HOUR), calmSince: ago(0) },
      until: after(NOW, cooldownMs),
    },
    {
      title: 'lasts to the last second',
      before: { since: ago(HOUR), calmSince: ago(cooldownMs - SECOND) },
      isStorm: false,
      storm: { since: ago(HOUR), calmSince: ago(cooldownMs - SECOND) },
      until: after(NOW, SECOND),
    },
    { title: 'is over after its time', before: { since: ago(HOUR), calmSince: ago(cooldownMs) }, isStorm: false, storm: undefined },
    {
      title: 'starts again after a storm that comes back',
      before: { since: ago(HOUR), calmSince: ago(MINUTE) },
      isStorm: true,
      storm: { since: ago(HOUR) },
    },
    {
      title: 'counts from now where a clock was ahead',
      before: { since: ago(HOUR), calmSince: ago(-HOUR) },
      isStorm: false,
      storm: { since: ago(HOUR), calmSince: ago(0) },
      until: after(NOW, cooldownMs),
    },
  ];

  test.each(rows)('$title', ({ before, isStorm, storm, until, ...row }) => {
    const cooled = coolDown(before, { isStorm, cooldownMs: row.cooldownMs ?? cooldownMs }, NOW);
    expect(cooled.storm).toEqual(storm);
    expect(cooled.block?.until).toBe(until);
    if (until !== undefined)
      expect(cooled.block).toMatchObject({ reason: 'CoolingDown', message: expect.stringContaining('10m') as string });
  });
});

describe('what is in flight', () => {
  test.each([
    [0, 2, 2],
    [1, 2, 1],
    [2, 2, 0],
    [3, 2, 0],
  ])('%i under way of at most %i leave room for %i', (underWay, most, room) => expect(freeSlots(underWay, most)).toBe(room));

  test('is in the way only of those that wait, and says of whom for whom', () => {
    expect(tooManyInFlight({ underWay: ['a', 'b'], waiting: [] }, 2)).toBeUndefined();
    expect(tooManyInFlight({ underWay: ['a', 'b'], waiting: ['c'] }, 2)).toEqual({
      reason: 'TooManyInFlight',
      message: 'at most 2 remediations may run at a time. Running: a, b. Waiting: c',
    });
  });
});

test('a check that is being deleted says since when, and begins nothing', () => {
  const { metadata } = aHealthCheck();
  expect(beingDeleted({ metadata })).toBeUndefined();
  expect(beingDeleted({ metadata: { ...metadata, deletionTimestamp: ago(HOUR) } })).toEqual({
    reason: 'BeingDeleted',
    message: `the check is being deleted since ${ago(HOUR)}; no new remediation starts`,
  });
});

test('the requesters of a pause are named', () => {
  expect(pauseRequested([])).toBeUndefined();
  expect(pauseRequested(['anna: firmware', 'bo: audit'])).toEqual({
    reason: 'PauseRequested',
    message: 'no new remediation starts while spec.safeguards.pauseRequests has entries: anna: firmware; bo: audit',
  });
});

describe('observing only', () => {
  test.each([
    { isOn: false, names: ['a'], says: undefined },
    { isOn: true, names: [], says: 'spec.safeguards.observeOnly is set: no remediation would be requested now' },
    { isOn: true, names: ['a', 'b'], says: 'spec.safeguards.observeOnly is set: remediation would be requested for a, b' },
  ])('$isOn for $names', ({ isOn, names, says }) => expect(observeOnly(isOn, names)?.message).toBe(says));
});

test('of many names the first ten are said', () => {
  const names = Array.from({ length: 12 }, (_, i) => `w${i}`);
  expect(shortList(names.slice(0, 10))).toBe('w0, w1, w2, w3, w4, w5, w6, w7, w8, w9');
  expect(shortList(names)).toBe('w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 2 more');
});

describe('a Machine that is well again', () => {
  test.each([
    { title: 'without a delay', state: machine('True', 0), delayMs: 0, until: undefined },
    { title: 'at once', state: machine('True', 0), delayMs: 5 * MINUTE, until: after(NOW, 5 * MINUTE) },
    { title: 'a second before the end', state: machine('True', 5 * MINUTE - SECOND), delayMs: 5 * MINUTE, until: after(NOW, SECOND) },
    { title: 'at the end', state: machine('True', 5 * MINUTE), delayMs: 5 * MINUTE, until: undefined },
    { title: 'without a delay, by a clock that is ahead', state: machine('True', -SECOND), delayMs: 0, until: undefined },
    { title: 'without a health condition', state: aMachine(), delayMs: 5 * MINUTE, until: undefined },
    { title: 'that is not', state: machine('False', 0), delayMs: 5 * MINUTE, until: undefined },
    { title: 'is not known by a clock that was ahead', state: machine('True', -HOUR), delayMs: 5 * MINUTE, until: undefined },
  ])('$title', ({ state, delayMs, until }) => expect(healthyDelayEnd(state, delayMs, NOW)).toBe(until));
});

describe('attempts', () => {
  const limit = { max: 2, forgottenAfterMs: HOUR };
  const one = (count: number, name = 'worker-0'): Attempts[number] => ({ machine: name, uid: 'm-0', count, last: ago(2 * HOUR) });

  test.each([
    { title: 'are remembered while it fails', machines: [machine('False', 5 * HOUR)], kept: 1 },
    { title: 'are remembered a second before they are forgotten', machines: [machine('True', HOUR - SECOND)], kept: 1 },
    { title: 'are forgotten after an hour in health', machines: [machine('True', HOUR)], kept: 0 },
    { title: 'are forgotten with the Machine', machines: [], kept: 0 },
    { title: 'are not those of a later Machine of the name', machines: [machine('False', 0, 'worker-0', 'm-9')], kept: 0 },
  ])('$title', ({ machines, kept }) => expect(attemptsStillCounted([one(1)], machines, { limit, now: NOW })).toHaveLength(kept));

  test.each([
    { title: 'are remembered while the check is not about the Machine', deselectedWithAttempts: ['m-0'], kept: 1 },
    { title: 'are forgotten where another has come in its place', deselectedWithAttempts: ['m-9'], kept: 0 },
  ])('$title', ({ deselectedWithAttempts, kept }) =>
    expect(attemptsStillCounted([one(1)], [], { limit, now: NOW, deselectedWithAttempts })).toHaveLength(kept),
  );

  test('are counted', () => {
    const twice = withNewAttempts(
      withNewAttempts([], [{ machine: 'worker-0', uid: 'm-0' }], NOW),
      [{ machine: 'worker-0', uid: 'm-0' }],
      NOW,
    );
    expect(twice).toEqual([{ machine: 'worker-0', uid: 'm-0', count: 2, last: ago(0) }]);
    expect(withNewAttempts(twice, [{ machine: 'a', uid: 'm-1' }], NOW).map(({ machine: name }) => name)).toEqual(['a', 'worker-0']);
  });

  test.each([
    [1, false],
    [2, true],
    [3, true],
  ])('%i of 2 are used up: %s', (count, want) => {
    expect(isAttemptLimitReached([one(count)], 'worker-0', limit)).toBe(want);
    expect(isAttemptLimitReached([one(count)], 'worker-1', limit)).toBe(false);
  });

  test('are looked at when they can be forgotten', () => {
    const machines = [machine('True', 10 * MINUTE), machine('True', 0, 'worker-1', 'm-1'), machine('False', 0, 'worker-2', 'm-2')];
    expect(attemptsExpireAt([one(1), one(1, 'worker-2')], machines, limit)).toEqual([after(NOW, 50 * MINUTE)]);
  });

  test('say who is given up', () => {
    expect(givenUpCondition([], limit)).toMatchObject({ holds: false });
    expect(givenUpCondition(['worker-0'], limit)).toMatchObject({
      holds: true,
      reason: 'AttemptsUsedUp',
      message: expect.stringMatching(/2 times.*worker-0.*1h/) as string,
    });
  });
});
