/** What a check says of itself, word by word. */
import { describe, expect, test } from 'vitest';
import type { Gate } from '../../../api/machine-health-check/unhealthy-limit.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { NOT_READ } from '../../../kube/client/read.ts';
import { decideCheck } from './decide-check.ts';
import type { CheckObservation, TargetObservation, TemplateObservation } from './observe-check.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';

const target = (name: string, verdict: TargetObservation['verdict'], mark: 'True' | 'False'): TargetObservation => {
  const said = { type: 'HealthCheckSucceeded', status: mark, reason: 'said', message: '', lastTransitionTime: ago(10 * SECOND) };
  return {
    target: aTarget({ machine: aMachine({ metadata: { name, uid: name }, status: { conditions: [said] } }) }),
    verdict,
    others: [],
    ...UNREAD,
  };
};
const well = (name: string): TargetObservation => target(name, { kind: 'healthy' }, 'True');
const unhealthy = (name: string): TargetObservation => target(name, { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] }, 'False');

const read = (gate: Gate): ParsedCheck => ({
  kind: 'valid',
  check: aCheck({ gate }),
  name: 'example',
  namespace: 'machine-api',
  selects: [],
});
const ANY: Gate = { kind: 'range', min: 0, max: 9 };

const decide = (change: Partial<CheckObservation> = {}) => {
  const decision = decideCheck({ object: aHealthCheck(), parsed: read(ANY), pausedBy: [], targets: [], ...change }, NOW);
  const status = decision.status as NonNullable<MachineHealthCheck['status']>;
  const said = (type: string): string => {
    const found = status.conditions?.find((condition) => condition.type === type);
    return found ? `${found.status} ${found.reason}: ${found.message}` : 'nothing';
  };
  const saidOld = (type: string) => status.deprecated?.v1beta1?.conditions?.find((condition) => condition.type === type);
  return { ...decision, status, said, saidOld };
};

describe('conditions', () => {
  test('report a spec that is invalid', () => {
    const problems = [
      { field: 'spec.a', message: 'is wrong' },
      { field: 'spec.b', message: 'too' },
    ];
    const { said, effects } = decide({ parsed: { kind: 'invalid', problems } });
    expect(said('ConfigurationValid')).toBe('False Invalid: spec.a: is wrong; spec.b: too');
    expect(said('RemediationAllowed')).toBe('False ConfigurationInvalid: its spec is invalid: see the condition ConfigurationValid');
    expect(effects).toEqual([]);
  });

  test('report who pauses the check', () => {
    expect(decide({ pausedBy: ['somebody', 'the cluster'] }).said('Paused')).toBe('True Paused: somebody, the cluster');
    expect(decide().said('Paused')).toBe('False NotPaused: ');
  });

  test('report that the Machines of the check cannot be listed', () => {
    const { said, wakeAt } = decide({ targetsUnknown: 'Machines cannot be read: busy' });
    expect(said('RemediationAllowed')).toBe('False TargetsUnknown: Machines cannot be read: busy');
    expect(wakeAt).toEqual(after(NOW, MINUTE / 2));
  });

  test('report which Machines wait for the Node that is gone to come back', () => {
    const gone = target('a', { kind: 'unhealthy', fault: 'NodeDeleted', messages: [] }, 'False');
    const parsed = { ...read(ANY), check: aCheck({ gate: ANY, missingNodeGraceMs: 5 * MINUTE }) };
    const { said, effects } = decide({ parsed, targets: [gone, well('b')] });
    expect(said('RemediationAllowed')).toBe('True RemediationAllowed: remediation of a waits 5m0s for the Node that is gone to come back');
    expect(effects).toEqual([]);
  });

  test('report which Machines can be called neither healthy nor unhealthy, and that there are none any more', () => {
    const unknown = target('a', { kind: 'unjudged', why: 'its last transition time is missing' }, 'True');
    const { said, status } = decide({ targets: [unknown, well('b')] });
    expect(said('MachinesEvaluated')).toBe(
      'False HealthUnknown: 1 of its Machines can be called neither healthy nor unhealthy, and count as not healthy: a: its last transition time is missing',
    );
    expect(decide({ object: { ...aHealthCheck(), status }, targets: [well('a')] }).said('MachinesEvaluated')).toBe(
      'True MachinesEvaluated: ',
    );
    expect(decide({ targets: [well('a')] }).said('MachinesEvaluated')).toBe('nothing');
  });

  test('name a few of many Machines whose health is unknown', () => {
    const targets = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => target(name, { kind: 'unjudged', why: 'no' }, 'True'));
    expect(decide({ targets }).said('MachinesEvaluated')).toMatch(
      /^False HealthUnknown: 7 of its .*: a: no; b: no; c: no; d: no; e: no; and 2 more$/,
    );
  });

  const reference = { apiVersion: 'a.b/v1', kind: 'Thing', name: 'x' };

  test.each([
    { field: 'spec.remediation.templateRef', spec: { remediation: { templateRef: reference } } },
    { field: 'spec.remediationTemplate', spec: { remediationTemplate: reference } },
    { field: 'spec.externalRemediationTemplate', spec: { externalRemediationTemplate: reference } },
  ])('report a template that yields no requests, in $field', ({ field, spec }) => {
    const { said, effects } = decide({
      object: aHealthCheck(spec),
      targets: [unhealthy('a'), well('b')],
      external: { reference, requests: undefined, template: NOT_READ },
    });
    expect(said('ConfigurationValid')).toBe(`False Invalid: ${field}.kind: the kind of the template, Thing, does not end in Template`);
    expect(said('RemediationAllowed')).toBe('False ConfigurationInvalid: its spec is invalid: see the condition ConfigurationValid');
    expect(effects).toEqual([]);
  });

  describe('of its template', () => {
    const templateRef = { apiVersion: 'a.b/v1', kind: 'ThingTemplate', name: 'x' };
    const requests = { group: 'a.b', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
    const said = { type: 'TemplateAvailable', status: 'False', reason: 'said', message: 'before', lastTransitionTime: ago(MINUTE) };
    const object = { ...aHealthCheck({ remediation: { templateRef } }), status: { conditions: [said] } } as MachineHealthCheck;
    const about = (template: TemplateObservation['template']) =>
      decide({ object, targets: [well('a')], external: { reference: templateRef, requests, template } });

    test.each<{ readonly title: string; readonly template: TemplateObservation['template']; readonly want: string }>([
      {
        title: 'that it is there',
        template: { kind: 'value', value: { apiVersion: 'a.b/v1', kind: 'ThingTemplate', metadata: object.metadata } },
        want: 'True TemplateAvailable: ',
      },
      {
        title: 'that it is not',
        template: { kind: 'absent' },
        want: 'False TemplateNotFound: spec.remediation.templateRef: ThingTemplate machine-api/x does not exist; no request is created without it',
      },
      {
        title: 'that its kind is not defined',
        template: { kind: 'absent', isKindUnknown: true },
        want: "False TemplateKindNotFound: spec.remediation.templateRef: the kind ThingTemplate (a.b/v1) is not defined in this cluster as thingtemplates, the plural that Cluster API's contract requires; no request is created without it",
      },
      {
        title: 'why it cannot be read',
        template: { kind: 'unreadable', reason: 'forbidden' },
        want: 'False TemplateUnreadable: spec.remediation.templateRef: ThingTemplate machine-api/x cannot be read: forbidden; no request is created without it',
      },
      { title: 'what was said before, where it was not looked for', template: NOT_READ, want: 'False said: before' },
    ])('$title', ({ template, want }) => {
      const { said: says, wakeAt } = about(template);
      expect(says('TemplateAvailable')).toBe(want);
      expect([says('ConfigurationValid'), says('RemediationAllowed')]).toEqual(['True Valid: ', 'True RemediationAllowed: ']);
      const isMissing = template.kind === 'absent' || template.kind === 'unreadable';
      expect(wakeAt).toEqual(isMissing ? after(NOW, MINUTE / 2) : undefined);
    });

    test('nothing any more, where it names none or none that could be', () => {
      expect(decide({ object }).said('TemplateAvailable')).toBe('nothing');
      const external = { reference: templateRef, requests: undefined, template: NOT_READ };
      expect(decide({ object, external }).said('TemplateAvailable')).toBe('nothing');
    });
  });

  test.each<{ readonly gate: Gate; readonly want: string }>([
    { gate: { kind: 'range', min: 3, max: 4 }, want: 'does not fall within the range (total: 3, unhealthy: 2, unhealthyRange: [3-4])' },
    {
      gate: { kind: 'atMost', limit: { unit: 'percent', percent: 40 } },
      want: 'exceeds maxUnhealthy (total: 3, unhealthy: 2, maxUnhealthy: 40%)',
    },
    {
      gate: { kind: 'atMost', limit: { unit: 'machines', count: 1 } },
      want: 'exceeds maxUnhealthy (total: 3, unhealthy: 2, maxUnhealthy: 1)',
    },
  ])('begin as Cluster API words it: $want', ({ gate, want }) => {
    const { said } = decide({ parsed: read(gate), targets: [unhealthy('a'), unhealthy('b'), well('c')] });
    const start = 'False TooManyUnhealthy: Remediation is not allowed, the number of not started or unhealthy machines';
    expect(said('RemediationAllowed').startsWith(`${start} ${want}: `)).toBe(true);
  });

  test.each<{ readonly gate: Gate; readonly want: string }>([
    { gate: { kind: 'range', min: 3, max: 4 }, want: 'the allowed range is 3 to 4' },
    { gate: { kind: 'atMost', limit: { unit: 'machines', count: 1 } }, want: 'the limit is 1' },
    { gate: { kind: 'atMost', limit: { unit: 'percent', percent: 40 } }, want: 'the limit is 40% (at most 1 of 3). No further' },
    { gate: { kind: 'below', limit: { unit: 'machines', count: 2 } }, want: 'it must be fewer than 2' },
  ])('of a gate that is closed: $want', ({ gate, want }) => {
    const { said, saidOld, effects } = decide({ parsed: read(gate), targets: [unhealthy('a'), unhealthy('b'), well('c')] });
    expect(said('RemediationAllowed')).toMatch(/^False TooManyUnhealthy: Remediation is not allowed, .*\): 2 of 3 Machines /);
    expect(said('RemediationAllowed')).toContain(want);
    expect(saidOld('RemediationAllowed')).toEqual({
      type: 'RemediationAllowed',
      status: 'False',
      severity: 'Warning',
      reason: 'TooManyUnhealthy',
      message: said('RemediationAllowed').replace('False TooManyUnhealthy: ', ''),
      lastTransitionTime: toTime(NOW),
    });
    expect(effects).toMatchObject([{ kind: 'Event', reason: 'RemediationRestricted' }]);
  });

  test('of a gate that is open, in both styles', () => {
    const { said, saidOld } = decide({ targets: [unhealthy('a'), well('b')] });
    expect(said('RemediationAllowed')).toBe('True RemediationAllowed: ');
    expect(saidOld('RemediationAllowed')).toEqual({ type: 'RemediationAllowed', status: 'True', lastTransitionTime: toTime(NOW) });
  });

  test('a closed gate restricts nothing while no Machine is unhealthy', () => {
    const waiting = target('a', { kind: 'waiting', until: after(NOW, MINUTE) }, 'True');
    expect(decide({ parsed: read({ kind: 'range', min: 3, max: 4 }), targets: [waiting, well('b')] }).effects).toEqual([]);
  });
});

describe('figures', () => {
  test('name the Machines in order, including those recorded in status', () => {
    const { status } = decide({ targets: [unhealthy('b'), well('c'), unhealthy('a')] });
    expect(status.targets).toEqual(['a', 'b', 'c']);
    expect(status).toMatchObject({ expectedMachines: 3, currentHealthy: 1 });
    expect(status.remediations?.map(({ machine, since }) => [machine, since])).toEqual([
      ['a', toTime(NOW)],
      ['b', toTime(NOW)],
    ]);
  });

  test('name no more Machines than a status may hold, and count them all', () => {
    const names = Array.from({ length: 10_001 }, (_, i) => `m${String(i).padStart(5, '0')}`);
    const { status } = decide({ names });
    expect(status.targets).toEqual(names.slice(0, 10_000));
    expect(status).toMatchObject({ expectedMachines: 10_001, currentHealthy: 10_001 });
  });

  test('say nothing of what there is none', () => {
    const { status } = decide({ targets: [well('a')] });
    for (const member of ['remediations', 'storm', 'attempts']) expect(status).not.toHaveProperty(member);
  });

  test('are those of the generation that was looked at', () => {
    const object = { ...aHealthCheck(), metadata: { ...aHealthCheck().metadata, generation: 4 } };
    expect(decide({ object }).status.observedGeneration).toBe(4);
    expect(decide({ object, pausedBy: ['x'] }).status.conditions?.[0]?.observedGeneration).toBe(4);
  });
});

describe('the next look', () => {
  test.each<{ readonly reason: string; readonly targets: readonly TargetObservation[]; readonly want: number | undefined }>([
    { reason: 'none while all is well', targets: [well('a')], want: undefined },
    { reason: 'soon at what cannot be judged', targets: [target('a', { kind: 'unjudged', why: 'no word' }, 'True')], want: MINUTE / 2 },
    {
      reason: 'at the first moment that is ahead',
      targets: [5, 2, 9].map((minutes) => target(`m${minutes}`, { kind: 'waiting', until: after(NOW, minutes * MINUTE) }, 'True')),
      want: 2 * MINUTE,
    },
  ])('$reason', ({ targets, want }) => {
    expect(decide({ targets }).wakeAt).toEqual(want === undefined ? undefined : after(NOW, want));
  });

  test('at all requests when it is time for that', () => {
    const external = { reference: { apiVersion: 'a.b/v1', kind: 'ThingTemplate', name: 'x' }, requests: undefined, template: NOT_READ };
    expect(decide({ external: { ...external, nextFullListAt: after(NOW, SECOND) } }).wakeAt).toEqual(after(NOW, SECOND));
  });
});
