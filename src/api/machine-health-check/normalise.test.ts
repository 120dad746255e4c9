import { describe, expect, test } from 'vitest';
import { gateAllows } from './unhealthy-limit.ts';
import type { MachineHealthCheck } from './machine-health-check.ts';
import { normalise, type NormalisedHealthCheck } from './normalise.ts';
import { NO_SAFEGUARDS } from './safeguards.ts';

type Spec = MachineHealthCheck['spec'];

const aCheck = (spec: Partial<Spec>, version = 'v1beta2'): MachineHealthCheck => ({
  apiVersion: `cluster.x-k8s.io/${version}`,
  kind: 'MachineHealthCheck',
  metadata: { name: 'workers', namespace: 'machine-api', uid: '1', resourceVersion: '1', creationTimestamp: '2026-03-02T10:00:00Z' },
  spec: { selector: { matchLabels: { role: 'worker' } }, ...spec },
});

function valid(object: MachineHealthCheck): NormalisedHealthCheck {
  const read = normalise(object);
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems));
  return read.check;
}

const template = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediationTemplate', name: 'workers' };

describe('[MH-048] [MH-049] every spelling means the same', () => {
  const conditions = [
    { type: 'Ready', status: 'Unknown' },
    { type: 'Ready', status: 'False' },
    { type: 'DiskPressure', status: 'True' },
  ] as const;
  const wanted: NormalisedHealthCheck = {
    writtenAs: 'v1beta2',
    clusterName: 'prod',
    selector: { matchLabels: { role: 'worker' } },
    nodeConditions: conditions.map((state, i) => ({ ...state, timeoutMs: (i + 1) * 300_000 })),
    machineConditions: [{ type: 'NodeHealthy', status: 'False', timeoutMs: 90_000 }],
    nodeStartupTimeoutMs: 1_200_000,
    missingNodeGraceMs: 0,
    gate: { kind: 'range', min: 1, max: 3 },
    template,
    safeguards: NO_SAFEGUARDS,
  };

  test('v1beta2', () => {
    const spec: Partial<Spec> = {
      clusterName: 'prod',
      checks: {
        nodeStartupTimeoutSeconds: 1200,
        unhealthyNodeConditions: conditions.map((state, i) => ({ ...state, timeoutSeconds: (i + 1) * 300 })),
        unhealthyMachineConditions: [{ type: 'NodeHealthy', status: 'False', timeoutSeconds: 90 }],
      },
      remediation: { triggerIf: { unhealthyInRange: '[1-3]' }, templateRef: template },
    };
    expect(valid(aCheck(spec))).toEqual(wanted);
  });

  const old: Partial<Spec> = {
    clusterName: 'prod',
    nodeStartupTimeout: '20m',
    unhealthyConditions: conditions.map((state, i) => ({ ...state, timeout: `${(i + 1) * 5}m` })),
    unhealthyMachineConditions: [{ type: 'NodeHealthy', status: 'False', timeout: '1m30s' }],
    unhealthyRange: '[1-3]',
  };

  test('v1beta1', () => {
    const spec = { ...old, writtenAs: 'v1beta1', remediationTemplate: { ...template, namespace: 'machine-api' } } as const;
    expect(valid(aCheck(spec))).toEqual({ ...wanted, writtenAs: 'v1beta1' });
  });

  test('v1alpha3, which also gives a vanished Node five minutes', () => {
    const spec = { ...old, writtenAs: 'v1alpha3', externalRemediationTemplate: template } as const;
    expect(valid(aCheck(spec))).toEqual({ ...wanted, writtenAs: 'v1alpha3', missingNodeGraceMs: 300_000 });
  });
});

test('without anything but a selector there are defaults: ten minutes to start, everything may be remediated, by the owner', () => {
  expect(valid(aCheck({}, 'v1alpha3'))).toEqual({
    writtenAs: 'v1alpha3',
    clusterName: undefined,
    selector: { matchLabels: { role: 'worker' } },
    nodeConditions: [],
    machineConditions: [],
    nodeStartupTimeoutMs: 600_000,
    missingNodeGraceMs: 300_000,
    gate: { kind: 'atMost', limit: { unit: 'percent', percent: 100 } },
    template: undefined,
    safeguards: NO_SAFEGUARDS,
  });
});

describe('which version counts', () => {
  test.each([
    { reason: 'the one it was written in, whatever it is served as', writtenAs: 'v1alpha3', served: 'v1beta2', want: 'v1alpha3' },
    { reason: 'the one it is served as, under a CRD that records nothing', writtenAs: undefined, served: 'v1beta1', want: 'v1beta1' },
    { reason: 'the newest, when it is served as something we do not know', writtenAs: undefined, served: 'v1beta3', want: 'v1beta2' },
  ] as const)('$reason', ({ writtenAs, served, want }) => {
    expect(valid(aCheck(writtenAs ? { writtenAs } : {}, served)).writtenAs).toBe(want);
  });
});

describe('the threshold', () => {
  const gateOf = (spec: Partial<Spec>) => valid(aCheck(spec)).gate;

  test.each([
    {
      reason: 'v1alpha3 stops at the share',
      spec: { writtenAs: 'v1alpha3', maxUnhealthy: '40%' },
      want: { kind: 'below', limit: { unit: 'percent', percent: 40 } },
    },
    {
      reason: 'v1alpha3 stops at the number',
      spec: { writtenAs: 'v1alpha3', maxUnhealthy: 2 },
      want: { kind: 'below', limit: { unit: 'machines', count: 2 } },
    },
    {
      reason: 'v1beta1 goes up to the share',
      spec: { writtenAs: 'v1beta1', maxUnhealthy: '40%' },
      want: { kind: 'atMost', limit: { unit: 'percent', percent: 40 } },
    },
    {
      reason: 'the v1beta2 spelling means at most, even in an object that was once v1alpha3',
      spec: { writtenAs: 'v1alpha3', remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 2 } } },
      want: { kind: 'atMost', limit: { unit: 'machines', count: 2 } },
    },
    {
      reason: 'a range wins over a limit',
      spec: { writtenAs: 'v1beta1', maxUnhealthy: 2, unhealthyRange: '[0-9]' },
      want: { kind: 'range', min: 0, max: 9 },
    },
    {
      reason: 'so it does in v1beta2',
      spec: { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 2, unhealthyInRange: '[2-2]' } } },
      want: { kind: 'range', min: 2, max: 2 },
    },
    {
      reason: 'none in v1alpha3 is 100 %, at most',
      spec: { writtenAs: 'v1alpha3' },
      want: { kind: 'atMost', limit: { unit: 'percent', percent: 100 } },
    },
  ] as const)('$reason', ({ spec, want }) => expect(gateOf(spec)).toEqual(want));

  test.each([
    { id: 'MH-050', version: 'v1alpha3', maxUnhealthy: 2, total: 9, unhealthy: 1, want: true, reason: 'a number is the threshold itself' },
    { id: 'MH-050', version: 'v1alpha3', maxUnhealthy: 2, total: 9, unhealthy: 2, want: false, reason: 'a number is the threshold itself' },
    {
      id: 'MH-051',
      version: 'v1beta1',
      maxUnhealthy: '50%',
      total: 4,
      unhealthy: 2,
      want: true,
      reason: 'a share is taken of all targets',
    },
    {
      id: 'MH-051',
      version: 'v1beta1',
      maxUnhealthy: '50%',
      total: 4,
      unhealthy: 3,
      want: false,
      reason: 'a share is taken of all targets',
    },
  ] as const)(
    '[$id] $version maxUnhealthy $maxUnhealthy, $unhealthy of $total: $reason',
    ({ version, maxUnhealthy, total, unhealthy, want }) => {
      expect(gateAllows(gateOf({ writtenAs: version, maxUnhealthy }), { total, unhealthy })).toBe(want);
    },
  );
});

describe('the start of a Node', () => {
  test.each([
    { reason: '0 switches the check off', spec: { nodeStartupTimeout: '0' }, want: undefined },
    { reason: '0s too', spec: { nodeStartupTimeout: '0s' }, want: undefined },
    { reason: 'and 0 seconds', spec: { checks: { nodeStartupTimeoutSeconds: 0 } }, want: undefined },
    { reason: 'a length of time', spec: { nodeStartupTimeout: '1h30m' }, want: 5_400_000 },
  ])('$reason', ({ spec, want }) => expect(valid(aCheck(spec)).nodeStartupTimeoutMs).toBe(want));
});

describe('what no check can be made of is named by its field', () => {
  const trigger = 'spec.remediation.triggerIf';
  test.each([
    { reason: 'a negative number', spec: { maxUnhealthy: -1 }, field: 'spec.maxUnhealthy' },
    { reason: 'a negative share', spec: { maxUnhealthy: '-10%' }, field: 'spec.maxUnhealthy' },
    { reason: 'more than all', spec: { maxUnhealthy: '150%' }, field: 'spec.maxUnhealthy' },
    { reason: 'a number as text', spec: { maxUnhealthy: '3' }, field: 'spec.maxUnhealthy' },
    { reason: 'half a Machine', spec: { maxUnhealthy: 1.5 }, field: 'spec.maxUnhealthy' },
    {
      reason: 'more than all, in v1beta2',
      spec: { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '101%' } } },
      field: `${trigger}.unhealthyLessThanOrEqualTo`,
    },
    { reason: 'a range backwards', spec: { unhealthyRange: '[3-1]' }, field: 'spec.unhealthyRange' },
    {
      reason: 'a range beyond 32 bits',
      spec: { remediation: { triggerIf: { unhealthyInRange: '[1-2147483648]' } } },
      field: `${trigger}.unhealthyInRange`,
    },
    { reason: 'no range at all', spec: { unhealthyRange: '1-3' }, field: 'spec.unhealthyRange' },
    { reason: 'no length of time', spec: { nodeStartupTimeout: 'soon' }, field: 'spec.nodeStartupTimeout' },
    { reason: 'a negative length of time', spec: { nodeStartupTimeout: '-1m' }, field: 'spec.nodeStartupTimeout' },
    {
      reason: 'no length of time in the second condition',
      spec: {
        unhealthyConditions: [
          { type: 'Ready', status: 'False', timeout: '5m' },
          { type: 'Ready', status: 'Unknown', timeout: '5' },
        ],
      },
      field: 'spec.unhealthyConditions[1].timeout',
    },
    {
      reason: 'a template elsewhere',
      spec: { remediationTemplate: { ...template, namespace: 'other' } },
      field: 'spec.remediationTemplate.namespace',
    },
    {
      reason: 'a template elsewhere, in v1alpha3',
      spec: { externalRemediationTemplate: { ...template, namespace: 'other' } },
      field: 'spec.externalRemediationTemplate.namespace',
    },
  ])('$reason', ({ spec, field }) => {
    expect(normalise(aCheck(spec))).toMatchObject({ kind: 'invalid', problems: [{ field }] });
  });

  test.each([
    { spec: { maxUnhealthy: '150%' }, says: '"150%" is neither a number from 0 nor a share from 0% to 100%' },
    { spec: { maxUnhealthy: '1000%' }, says: '"1000%" is neither a number from 0 nor a share from 0% to 100%' },
    { spec: { maxUnhealthy: ' 40%' }, says: '" 40%" is neither a number from 0 nor a share from 0% to 100%' },
    { spec: { maxUnhealthy: '40%%' }, says: '"40%%" is neither a number from 0 nor a share from 0% to 100%' },
    { spec: { unhealthyRange: 'x[1-3]' }, says: '"x[1-3]" is not a range such as [1-3]' },
    { spec: { unhealthyRange: '[1-3]x' }, says: '"[1-3]x" is not a range such as [1-3]' },
    { spec: { nodeStartupTimeout: 'soon' }, says: '"soon" is not a duration such as 5m' },
    {
      spec: { remediationTemplate: { ...template, namespace: 'other' } },
      says: 'the template must be in the namespace of the check, not in other',
    },
  ])('and explained: $says', ({ spec, says }) => {
    expect(normalise(aCheck(spec))).toMatchObject({ kind: 'invalid', problems: [{ message: says }] });
  });

  test.each([
    { reason: 'the whole width of 32 bits', spec: { unhealthyRange: '[0-2147483647]' } },
    { reason: 'one number as a range', spec: { unhealthyRange: '[3-3]' } },
    { reason: 'none and all', spec: { maxUnhealthy: '0%' } },
    { reason: 'all', spec: { maxUnhealthy: '100%' } },
    { reason: 'no Machine at all', spec: { maxUnhealthy: 0 } },
    { reason: 'an empty namespace stands for that of the check', spec: { remediationTemplate: { ...template, namespace: '' } } },
    { reason: 'a condition that counts at once', spec: { unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '0' }] } },
  ])('but this is fine: $reason', ({ spec }) => expect(normalise(aCheck(spec)).kind).toBe('valid'));

  test('all of it at once', () => {
    const read = normalise(aCheck({ maxUnhealthy: -1, nodeStartupTimeout: 'soon' }));
    expect(read.kind === 'invalid' && read.problems.map(({ field }) => field)).toEqual(['spec.nodeStartupTimeout', 'spec.maxUnhealthy']);
  });
});
