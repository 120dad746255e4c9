import { describe, expect, test } from 'vitest';
import { MACHINE_FAULT } from '../../../api/remediation-request/signal-source.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { draftMachineRequest, isOurs, type MachineRequestInput } from './draft-request.ts';
import { aMachine, aNode, aRequest, at, NOW, opened, READY } from './testing/builders.ts';

const TEMPLATE = {
  signalName: 'RackDown',
  severity: 'critical',
  signalLabels: { rack: '4' },
  signalAnnotations: { owner: 'hardware' },
} as const;

const draft = (change: Partial<MachineRequestInput> = {}) =>
  draftMachineRequest(
    {
      object: aRequest(),
      machine: aMachine('False'),
      node: aNode(READY),
      settings: DEFAULT_SETTINGS,
      purpose: 'remediate',
      name: 'rr-1',
      ...change,
    },
    NOW,
  ).spec;

describe('a RemediationRequest for a Machine', () => {
  test('is of the type machine, about something in a cluster that has no name unless it is given one', () => {
    expect(draft()).toMatchObject({ signalType: 'machine', targetType: 'kubernetes' });
    expect(draft()).not.toHaveProperty('clusterID');
  });

  test('that opens a Node again is informational, whatever severity the template gives to remediations', () => {
    const spec = draft({ purpose: 'uncordon', object: aRequest(undefined, { spec: TEMPLATE }), machine: aMachine('True') });
    expect(spec).toMatchObject({ signalName: 'MachineRecovered', severity: 'low', signalLabels: { rack: '4' } });
    expect(spec.signalAnnotations).toEqual({ owner: 'hardware' });
  });

  test('that opens a Node again says so itself: no change freeze holds it back, whatever the signal is called', () => {
    const named = aRequest(undefined, { spec: { ...TEMPLATE, signalName: 'MachineRecovered' } });
    const purpose = (spec: ReturnType<typeof draft>) => (JSON.parse(spec.providerData ?? '') as { readonly purpose?: string }).purpose;
    expect(purpose(draft({ purpose: 'uncordon', object: named, machine: aMachine('True') }))).toBe('uncordon');
    expect(purpose(draft({ object: named, machine: aMachine('False') }))).toBeUndefined();
  });

  test.each([
    { name: 'says since when', machine: aMachine('False'), firingTime: at(-60_000), fault: 'it is unhealthy' },
    {
      name: 'says nothing',
      machine: aMachine('False', {}, { conditions: [] }),
      firingTime: at(0),
      fault: 'its Machine fails its health check',
    },
  ])('of a Machine that $name', ({ machine, firingTime, fault }) =>
    expect(draft({ machine })).toMatchObject({ firingTime, signalAnnotations: { [MACHINE_FAULT]: fault } }),
  );
});

describe('a request is ours', () => {
  const { spec } = opened('rr-1');
  const { providerData: _, ...silent } = spec;

  test.each([
    { name: 'where it says so', request: opened('rr-1'), want: true },
    { name: 'not where an alert only looks like it', request: opened('rr-1', {}, { spec: { signalSource: 'prometheus' } }), want: false },
    { name: 'not where it says nothing', request: { ...opened('rr-1'), spec: silent }, want: false },
  ])('$name: $want', ({ request, want }) => expect(isOurs(request, aRequest())).toBe(want));
});
