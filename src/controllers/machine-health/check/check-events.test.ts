import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { toTime } from '../../../base/index.ts';
import type { PlannedAction } from '../requests/request-remediation.ts';
import { aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';
import { checkEvents } from './check-events.ts';
import type { TargetObservation } from './observe-check.ts';

type Status = NonNullable<MachineHealthCheck['status']>;

const request = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PowerCycleRemediation.kind };
const entry = (machine: string, change: object = {}) => ({ machine, uid: machine, since: toTime(NOW), ...change });
const target = (name: string, kind: 'healthy' | 'unhealthy'): TargetObservation => ({
  target: aTarget({ machine: aMachine({ metadata: { name, uid: name } }) }),
  verdict: kind === 'healthy' ? { kind } : { kind, fault: 'UnhealthyNode', messages: [] },
  others: [],
  ...UNREAD,
});
const saying = (type: string, status: 'True' | 'False', reason: string, message = ''): Status => ({
  conditions: [{ type, status, reason, message, lastTransitionTime: toTime(NOW) }],
});

const eventsOf = (change: Partial<Parameters<typeof checkEvents>[0]>): readonly string[] =>
  checkEvents({ before: {}, after: {}, actions: [], targets: [], ...change }).map((effect) =>
    effect.kind === 'Event' ? `${effect.type} ${effect.reason}: ${effect.message}` : effect.kind,
  );

describe('the Events of a check', () => {
  test('name the Machines for which remediation begins, once for each remediator', () => {
    const actions: readonly PlannedAction[] = [
      { entry: entry('b', { request }), effects: [], isNewRemediation: true },
      { entry: entry('a', { request }), effects: [], isNewRemediation: true },
      { entry: entry('c'), effects: [], isNewRemediation: true },
      { entry: entry('d'), effects: [] },
    ];
    expect(eventsOf({ actions })).toEqual([
      'Normal RemediationRequested: remediation of a, b was requested from PowerCycleRemediation',
      'Normal RemediationRequested: remediation of c was requested from its owner',
    ]);
  });

  test('name the requests that are withdrawn', () => {
    const key = { namespace: 'machine-api', name: 'a' };
    const effects = [{ kind: 'Delete', resource: PowerCycleRemediation, key, uid: 'r' }] as const;
    expect(eventsOf({ actions: [{ entry: entry('a'), effects }] })).toEqual([
      'Normal RemediationWithdrawn: PowerCycleRemediation of a was withdrawn',
    ]);
  });

  test('name the Machines whose remediation has ended well, and no others that leave the record', () => {
    const before = { remediations: [entry('a'), entry('b'), entry('c')] };
    const targets = [target('a', 'healthy'), target('b', 'unhealthy'), target('c', 'healthy')];
    expect(eventsOf({ before, after: { remediations: [entry('c')] }, targets })).toEqual([
      'Normal RemediationEnded: remediation of a has ended: healthy again',
    ]);
  });

  test.each([
    { type: 'TemplateAvailable', status: 'False', reason: 'TemplateNotFound' },
    { type: 'NodesReachable', status: 'False', reason: 'ClusterNotFound' },
    { type: 'GivenUp', status: 'True', reason: 'AttemptsUsedUp' },
  ] as const)('repeat $type where it calls for an operator, once', ({ type, status, reason }) => {
    const after = saying(type, status, reason, 'because');
    expect(eventsOf({ after })).toEqual([`Warning ${reason}: because`]);
    expect(eventsOf({ before: after, after })).toEqual([]);
    expect(eventsOf({ before: saying(type, status, 'Other'), after })).toEqual([`Warning ${reason}: because`]);
    expect(eventsOf({ before: after, after: saying(type, status === 'True' ? 'False' : 'True', 'Well') })).toEqual([]);
  });

  test('tell of each further Machine that is given up, but not of each that cannot be read', () => {
    const givenUp = (names: string) => saying('GivenUp', 'True', 'AttemptsUsedUp', names);
    expect(eventsOf({ before: givenUp('a'), after: givenUp('a, b') })).toEqual(['Warning AttemptsUsedUp: a, b']);
    const unreadable = (names: string) => saying('NodesReachable', 'False', 'NodesUnreachable', names);
    expect(eventsOf({ before: unreadable('1 of'), after: unreadable('2 of') })).toEqual([]);
  });

  test('are none where nothing happens', () => expect(eventsOf({})).toEqual([]));
});
