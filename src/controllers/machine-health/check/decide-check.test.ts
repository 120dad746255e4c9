import { describe, expect, test } from 'vitest';
import type { Gate } from '../../../api/machine-health-check/unhealthy-limit.ts';
import type { NormalisedHealthCheck } from '../../../api/machine-health-check/normalise.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { after, MINUTE, SECOND } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { decideCheck } from './decide-check.ts';
import type { CheckObservation, TargetObservation } from './observe-check.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';
import type { HealthVerdict } from '../verdict/verdict.ts';

const UNHEALTHY: HealthVerdict = { kind: 'unhealthy', fault: 'UnhealthyNode', messages: ['Ready is Unknown'] };
const HEALTHY: HealthVerdict = { kind: 'healthy' };
const WAITING: HealthVerdict = { kind: 'waiting', until: after(NOW, MINUTE) };

type Conditions = NonNullable<NonNullable<Machine['status']>['conditions']>;
const failed: Conditions[number] = {
  type: 'HealthCheckSucceeded',
  status: 'False',
  reason: 'UnhealthyNode',
  lastTransitionTime: ago(MINUTE),
};

/** Machines with these verdicts, each marked as it should be. */
const machines = (verdicts: readonly HealthVerdict[], change: Partial<TargetObservation> = {}): readonly TargetObservation[] =>
  verdicts.map((verdict, i) => {
    const conditions = verdict.kind === 'unhealthy' ? [failed] : [];
    const metadata = {
      name: `worker-${i}`,
      uid: `m-${i}`,
      ownerReferences: [{ apiVersion: 'x', kind: 'MachineSet', name: 's', uid: 's' }],
    };
    return { target: aTarget({ machine: aMachine({ metadata, status: { conditions } }) }), verdict, others: [], ...UNREAD, ...change };
  });

const times = (n: number, verdict: HealthVerdict): readonly HealthVerdict[] => Array.from({ length: n }, () => verdict);

const seen = (
  targets: readonly TargetObservation[],
  check: Partial<NormalisedHealthCheck> = {},
  change: Partial<CheckObservation> = {},
): CheckObservation => ({
  object: aHealthCheck(),
  parsed: {
    kind: 'valid',
    check: aCheck(check),
    namespace: 'machine-api',
    name: 'example',
    selects: labelRequirements({ matchLabels: { role: 'worker' } }),
  },
  pausedBy: [],
  targets,
  ...change,
});

const asked = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) =>
    effect.kind === 'PatchStatus' && JSON.stringify(effect.status).includes('OwnerRemediated') ? [effect.key.name] : [],
  );

const percent = (kind: 'atMost' | 'below', share: number): Gate => ({ kind, limit: { unit: 'percent', percent: share } });
const number = (kind: 'atMost' | 'below', count: number): Gate => ({ kind, limit: { unit: 'machines', count } });

describe('the gate', () => {
  const ROWS: readonly { title: string; gate: Gate; total: number; ill: number; remediated: number }[] = [
    { title: '[MH-052] v1alpha3, as many as the threshold', gate: number('below', 2), total: 5, ill: 2, remediated: 0 },
    { title: '[MH-053] v1alpha3, more than the threshold', gate: number('below', 2), total: 5, ill: 3, remediated: 0 },
    { title: '[MH-054] v1alpha3, fewer than the threshold', gate: number('below', 3), total: 5, ill: 2, remediated: 2 },
    { title: '[MH-055] v1beta1, as many as the limit', gate: number('atMost', 2), total: 5, ill: 2, remediated: 2 },
    { title: '[MH-055] v1beta1, one more than the limit', gate: number('atMost', 2), total: 5, ill: 3, remediated: 0 },
    { title: '[MH-056] v1beta2, as many as the limit', gate: percent('atMost', 40), total: 25, ill: 10, remediated: 10 },
    { title: '[MH-056] v1beta2, one more than the limit', gate: percent('atMost', 40), total: 25, ill: 11, remediated: 0 },
    { title: '[MH-065] v1alpha3 40% of 5, one', gate: percent('below', 40), total: 5, ill: 1, remediated: 1 },
    { title: '[MH-065] v1alpha3 40% of 5, two', gate: percent('below', 40), total: 5, ill: 2, remediated: 0 },
    { title: '[MH-066] v1alpha3 40% of 10, three', gate: percent('below', 40), total: 10, ill: 3, remediated: 3 },
    { title: '[MH-066] v1alpha3 40% of 10, four', gate: percent('below', 40), total: 10, ill: 4, remediated: 0 },
    { title: '[MH-067] v1beta1 40% of 5, two', gate: percent('atMost', 40), total: 5, ill: 2, remediated: 2 },
    { title: '[MH-067] v1beta1 40% of 5, three', gate: percent('atMost', 40), total: 5, ill: 3, remediated: 0 },
    { title: 'a range, below it', gate: { kind: 'range', min: 2, max: 3 }, total: 5, ill: 1, remediated: 0 },
    { title: 'a range, inside', gate: { kind: 'range', min: 2, max: 3 }, total: 5, ill: 3, remediated: 3 },
    { title: 'a range, above it', gate: { kind: 'range', min: 2, max: 3 }, total: 5, ill: 4, remediated: 0 },
    { title: '[MH-017] a whole zone out', gate: percent('atMost', 40), total: 10, ill: 10, remediated: 0 },
    { title: 'a limit of 0', gate: number('atMost', 0), total: 5, ill: 1, remediated: 0 },
  ];

  test.each(ROWS)('$title: $remediated', ({ gate, total, ill, remediated }) => {
    const targets = machines([...times(ill, UNHEALTHY), ...times(total - ill, HEALTHY)]);
    const { effects, status } = decideCheck(seen(targets, { gate }), NOW);
    expect(asked(effects)).toHaveLength(remediated);
    expect(status).toMatchObject({ expectedMachines: total, currentHealthy: total - ill });
    const isOpen = remediated > 0;
    expect(status).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'RemediationAllowed', status: isOpen ? 'True' : 'False' }),
      ]) as unknown,
    });
  });

  test('[MH-061] [MH-138] a Machine whose time still runs counts against it', () => {
    const targets = machines([UNHEALTHY, WAITING, HEALTHY, HEALTHY, HEALTHY]);
    expect(asked(decideCheck(seen(targets, { gate: number('atMost', 1) }), NOW).effects)).toEqual([]);
    expect(asked(decideCheck(seen(targets, { gate: number('atMost', 2) }), NOW).effects)).toEqual(['worker-0']);
  });

  test('[MH-139] a closed gate stops all remediation, records an Event and reports why', () => {
    const { effects, status } = decideCheck(seen(machines(times(3, UNHEALTHY)), { gate: number('atMost', 2) }), NOW);
    expect(effects).toEqual([
      { kind: 'Event', type: 'Warning', reason: 'RemediationRestricted', message: expect.stringContaining('3 of 3 Machines') as string },
    ]);
    expect(status).toMatchObject({ remediationsAllowed: 0 });
  });

  test('without Machines the gate is open and no action is planned', () => {
    const { effects, status } = decideCheck(seen([]), NOW);
    expect(effects).toEqual([]);
    expect(status).toMatchObject({ expectedMachines: 0, currentHealthy: 0, remediationsAllowed: 0, targets: [] });
  });
});

describe('figures', () => {
  test('[MH-069] [MH-070] count those that are known to be healthy', () => {
    expect(decideCheck(seen(machines(times(5, HEALTHY))), NOW).status).toMatchObject({ expectedMachines: 5, currentHealthy: 5 });
    expect(decideCheck(seen(machines([UNHEALTHY, ...times(4, HEALTHY)])), NOW).status).toMatchObject({
      expectedMachines: 5,
      currentHealthy: 4,
    });
  });

  test('the next check is due at the first moment at which a result can change', () => {
    expect(decideCheck(seen(machines([WAITING, HEALTHY])), NOW).wakeAt).toBe(after(NOW, MINUTE));
    expect(decideCheck(seen(machines([HEALTHY])), NOW).wakeAt).toBeUndefined();
  });
});

describe('asking the owner', () => {
  const one = (conditions: Conditions, metadata = {}, status: Machine['status'] = {}): CheckObservation => {
    const [target] = machines([UNHEALTHY]);
    const { machine } = target!.target;
    const changed: Machine = { ...machine, metadata: { ...machine.metadata, ...metadata }, status: { ...status, conditions } };
    return seen([{ ...target!, target: { ...target!.target, machine: changed } }], { gate: percent('atMost', 100) });
  };
  const owner = (status: 'True' | 'False', reason: string): Conditions[number] => ({
    type: 'OwnerRemediated',
    status,
    reason,
    lastTransitionTime: ago(MINUTE),
  });

  test('[MH-078] [MH-082] in both styles', () => {
    const [effect] = decideCheck(one([failed]), NOW).effects;
    expect(effect).toMatchObject({
      kind: 'PatchStatus',
      status: {
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation' }),
        ]) as unknown,
        deprecated: {
          v1beta1: { conditions: [expect.objectContaining({ type: 'OwnerRemediated', status: 'False', severity: 'Warning' })] },
        },
      },
    });
  });

  test.each([
    { title: 'asks again one that said it was done', conditions: [failed, owner('True', 'Done')], want: 1 },
    {
      title: '[MH-080] [MH-081] leaves alone what the owner says meanwhile',
      conditions: [failed, owner('False', 'CannotBeRemediated')],
      want: 0,
    },
    { title: 'waits until the Machine itself says that it fails', conditions: [], want: 0 },
    { title: 'leaves a Machine alone that is being deleted', conditions: [failed], metadata: { deletionTimestamp: ago(SECOND) }, want: 0 },
  ])('$title', ({ conditions, metadata, want }) => {
    const { effects } = decideCheck(one(conditions, metadata), NOW);
    const patches = effects.filter(
      (effect) => effect.kind === 'PatchStatus' && JSON.stringify(effect.status).includes('WaitingForRemediation'),
    );
    expect(patches).toHaveLength(want);
  });

  test('[MH-080] leaves the severity as it is that the owner raised', () => {
    const raised = { ...owner('False', 'CannotBeRemediated'), severity: 'Error' as const, message: 'no machine left in the rack' };
    const status = { deprecated: { v1beta1: { conditions: [raised] } } };
    const { effects } = decideCheck(one([failed, owner('False', 'CannotBeRemediated')], {}, status), NOW);
    // It says more beside it, and so writes the whole status.
    expect(effects).toMatchObject([{ kind: 'PatchStatus', status }]);
    const [written] = effects.flatMap((effect) => (effect.kind === 'PatchStatus' ? [effect.status as Machine['status']] : []));
    expect(decideCheck(one(written!.conditions!, {}, written), NOW).effects).toEqual([]);
  });

  test('[MH-083] a Machine without an owner reports that', () => {
    const [effect] = decideCheck(one([failed], { ownerReferences: [] }), NOW).effects;
    expect(JSON.stringify(effect)).toContain('no MachineSet or control plane owns it');
  });
});

describe('a Node that is gone', () => {
  const gone: HealthVerdict = { kind: 'unhealthy', fault: 'NodeDeleted', messages: ['gone'] };

  test('[MH-031] v1alpha3 gives it 5 minutes from the mark, and counts it at once', () => {
    const check = { missingNodeGraceMs: 5 * MINUTE, gate: percent('atMost', 100) };
    const { effects, wakeAt, status } = decideCheck(seen(machines([gone]), check), NOW);
    expect(asked(effects)).toEqual([]);
    expect(wakeAt).toBe(after(NOW, 4 * MINUTE));
    expect(status).toMatchObject({ currentHealthy: 0 });
    expect(asked(decideCheck(seen(machines([gone]), check), after(NOW, 4 * MINUTE)).effects)).toEqual(['worker-0']);
  });

  test('the later versions do not wait', () => {
    expect(asked(decideCheck(seen(machines([gone]), { gate: percent('atMost', 100) }), NOW).effects)).toEqual(['worker-0']);
  });
});

describe('a Machine that several checks are about', () => {
  const shared = (allows: boolean): readonly TargetObservation[] => machines([UNHEALTHY], { others: [{ name: 'another', allows }] });
  const open = { gate: percent('atMost', 100) };

  test.each([
    [true, ['worker-0']],
    [false, []],
  ])('[MH-150] is remediated only when all gates are open: %s', (allows, want) => {
    expect(asked(decideCheck(seen(shared(allows), open), NOW).effects)).toEqual(want);
  });

  test('[MH-148] is reported', () => {
    expect(decideCheck(seen(shared(true), open), NOW).status).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'Overlapping', status: 'True', message: expect.stringContaining('another') as string }),
      ]) as unknown,
    });
  });
});

describe('nothing is asked for', () => {
  const targets = machines(times(1, UNHEALTHY));
  test.each([
    { title: 'while it is paused', change: { pausedBy: ['Cluster prod is paused'], targets: [] }, says: 'Cluster prod is paused' },
    {
      title: 'by a check that cannot be carried out',
      change: { parsed: { kind: 'invalid', problems: [{ field: 'spec.maxUnhealthy', message: 'no number' }] } as const },
      says: 'spec.maxUnhealthy: no number',
    },
    { title: 'while the Machines cannot be read', change: { targetsUnknown: 'Machines cannot be read: 403' }, says: '403' },
  ])('$title', ({ change, says }) => {
    const { effects, status } = decideCheck(seen(targets, {}, change), NOW);
    expect(effects).toEqual([]);
    expect(JSON.stringify(status)).toContain(says);
    expect(status).not.toHaveProperty('currentHealthy');
  });
});

describe('a storm', () => {
  const UNSEEN: HealthVerdict = { kind: 'unjudged', why: 'its Node cannot be read' };
  const SINCE = { since: ago(MINUTE) };
  const COOLING = { since: ago(2 * MINUTE), calmSince: ago(MINUTE) };
  test.each([
    { what: 'starts when too many Machines are unhealthy', verdicts: times(3, UNHEALTHY), before: undefined, is: { since: ago(0) } },
    {
      what: 'starts when too many Machines are within their timeout',
      verdicts: times(3, WAITING),
      before: undefined,
      is: { since: ago(0) },
    },
    { what: 'does not start when too many Machines cannot be read', verdicts: times(5, UNSEEN), before: undefined, is: undefined },
    {
      what: 'does not start when the unhealthy Machines are within the limit and others cannot be read',
      verdicts: [UNHEALTHY, ...times(4, UNSEEN)],
      is: undefined,
    },
    { what: 'continues while no Machine can be read', verdicts: times(5, UNSEEN), before: SINCE, is: SINCE },
    { what: 'calms down once the Machines are healthy', verdicts: times(5, HEALTHY), before: SINCE, is: { ...SINCE, calmSince: ago(0) } },
    { what: 'stays calm when the Machines cannot be read any more', verdicts: times(5, UNSEEN), before: COOLING, is: COOLING },
  ])('$what', ({ verdicts, before, is }) => {
    const well = times(5 - verdicts.length, HEALTHY);
    const check = { gate: number('atMost', 1), safeguards: { ...aCheck().safeguards, cooldownMs: 15 * MINUTE } };
    const object = { ...aHealthCheck(), ...(before && { status: { storm: before } }) };
    const { status } = decideCheck(seen(machines([...verdicts, ...well]), check, { object }), NOW);
    expect((status as { storm?: unknown }).storm).toEqual(is);
  });
});
