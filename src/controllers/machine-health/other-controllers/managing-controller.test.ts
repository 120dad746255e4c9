import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { aHealthCheck } from '../testing/a-machine.ts';
import { isPausedForSickbay, managerOf, keepPausedCondition, type Definitions } from './managing-controller.ts';

const FILTER = 'cluster.x-k8s.io/watch-filter';
const PAUSED = 'cluster.x-k8s.io/paused';
const check = (labels?: Record<string, string>, annotations?: Record<string, string>): MachineHealthCheck => {
  const object = aHealthCheck();
  return { ...object, metadata: { ...object.metadata, ...(labels && { labels }), ...(annotations && { annotations }) } };
};

describe('the controller that manages a check', () => {
  const forUs = { [FILTER]: 'sickbay' };
  const paused = { [PAUSED]: '' };
  test.each<{ definitions: Definitions; of: MachineHealthCheck; whose: string; isPause: boolean; reason: string }>([
    { definitions: 'sickbay', of: check(), whose: 'ours', isPause: false, reason: 'there is no other controller' },
    { definitions: 'sickbay', of: check({}, paused), whose: 'ours', isPause: true, reason: 'a pause is a pause' },
    { definitions: 'sickbay', of: check(forUs), whose: 'ours', isPause: false, reason: 'it says so' },
    { definitions: 'sickbay', of: check({ [FILTER]: '' }), whose: 'ours', isPause: false, reason: 'an empty filter names no controller' },
    { definitions: 'sickbay', of: check({ [FILTER]: 'team-a' }), whose: 'theirs', isPause: false, reason: 'it is meant for another' },
    { definitions: 'cluster-api', of: check(), whose: 'theirs', isPause: false, reason: 'its own controller works on it' },
    { definitions: 'cluster-api', of: check({}, paused), whose: 'theirs', isPause: true, reason: 'a pause alone is not meant for us' },
    { definitions: 'cluster-api', of: check({ [FILTER]: 'team-a' }, paused), whose: 'theirs', isPause: true, reason: 'meant for another' },
    { definitions: 'cluster-api', of: check(forUs), whose: 'contested', isPause: false, reason: 'its controller may run without a filter' },
    { definitions: 'cluster-api', of: check(forUs, paused), whose: 'ours', isPause: false, reason: 'labelled, and the other kept off' },
    { definitions: 'cluster-api', of: check(forUs, { [PAUSED]: 'false' }), whose: 'ours', isPause: false, reason: 'presence is enough' },
  ])('definitions of $definitions: $whose, as $reason', ({ definitions, of, whose, isPause }) => {
    expect(managerOf(of, definitions)).toBe(whose);
    expect(isPausedForSickbay(of, definitions)).toBe(isPause);
  });
});

describe('what is written about a check of ours', () => {
  const at = '2026-01-10T12:00:00Z';
  const stated = (type: string, status: 'True' | 'False', message = '') => ({
    type,
    status,
    reason: type,
    message,
    lastTransitionTime: at,
  });
  const decided = { expectedMachines: 3, conditions: [stated('Overlapping', 'False'), stated('Paused', 'False')] };

  test('is all that was decided where the definitions are ours', () => {
    expect(keepPausedCondition(decided, aHealthCheck(), 'sickbay')).toBe(decided);
  });

  test('leaves the pause as Cluster API states it, in whichever words', () => {
    const theirs = stated('Paused', 'True', 'MachineHealthCheck has the cluster.x-k8s.io/paused annotation');
    const before = { ...aHealthCheck(), status: { conditions: [theirs] } };
    expect(keepPausedCondition(decided, before, 'cluster-api')).toEqual({
      ...decided,
      conditions: [stated('Overlapping', 'False'), theirs],
    });
  });

  test('says nothing of a pause before Cluster API does', () => {
    expect(keepPausedCondition(decided, aHealthCheck(), 'cluster-api')).toEqual({
      ...decided,
      conditions: [stated('Overlapping', 'False')],
    });
    expect(keepPausedCondition(undefined, aHealthCheck(), 'cluster-api')).toBeUndefined();
  });
});
