import { describe, expect, test } from 'vitest';
import { NO_SAFEGUARDS, type Safeguards } from '../../../api/machine-health-check/safeguards.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { MINUTE, seededRandom, SECOND, type Random } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { planRemediation, type GateResult } from './plan-remediation.ts';
import type { CheckObservation, TargetObservation } from './observe-check.ts';
import type { RecordedRemediation } from '../requests/observe-requests.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';

const RUNS = 1500;
const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random.next() * values.length)]!;

/** A Machine in any state, recorded in status or not. */
function anyTarget(random: Random, i: number): TargetObservation {
  const name = `worker-${i}`;
  const verdict = pick(random, [
    { kind: 'healthy' },
    { kind: 'unhealthy', fault: 'UnhealthyNode', messages: ['ill'] },
    { kind: 'waiting', until: NOW + MINUTE },
  ] as readonly TargetObservation['verdict'][]);
  const conditions: NonNullable<NonNullable<Machine['status']>['conditions']> = [
    {
      type: 'HealthCheckSucceeded',
      status: verdict.kind === 'unhealthy' ? 'False' : pick(random, ['True', 'False'] as const),
      reason: 'R',
      lastTransitionTime: ago(Math.floor(random.next() * 20) * MINUTE),
    },
  ];
  const ownerReferences = [{ apiVersion: 'x', kind: 'MachineSet', name: 's', uid: 's' }];
  const machine = aMachine({ metadata: { name, uid: `m-${i}`, ownerReferences }, status: { conditions } });
  const entry: RecordedRemediation = { machine: name, uid: `m-${i}`, since: ago(30 * MINUTE) };
  return { target: aTarget({ machine }), verdict, others: [], ...UNREAD, ...(random.next() < 0.3 && { entry }) };
}

const anySafeguards = (random: Random): Safeguards => ({
  ...NO_SAFEGUARDS,
  maxInFlight: pick(random, [undefined, 1, 2, 3]),
  cooldownMs: pick(random, [0, 10 * MINUTE]),
  healthyDelayMs: pick(random, [0, 5 * MINUTE]),
  pauseRequests: pick(random, [[], [], ['anna']]),
  observeOnly: random.next() < 0.2,
  attempts: pick(random, [undefined, { max: 2, forgottenAfterMs: 60 * MINUTE }]),
});

const asks = (effect: Effect): boolean => effect.kind === 'PatchStatus' && JSON.stringify(effect.status).includes('WaitingForRemediation');

function anyCase(seed: number) {
  const random = seededRandom(seed);
  const targets = Array.from({ length: 6 }, (_, i) => anyTarget(random, i));
  const safeguards = anySafeguards(random);
  const object = aHealthCheck();
  const status = {
    remediations: targets.flatMap(({ entry }) => entry ?? []),
    ...(random.next() < 0.3 && { storm: { since: ago(20 * MINUTE), calmSince: ago(5 * MINUTE) } }),
    attempts: [{ machine: 'worker-1', uid: 'm-1', count: 2, last: ago(10 * MINUTE) }],
  };
  const parsed: ParsedCheck = {
    kind: 'valid',
    check: aCheck({ safeguards }),
    namespace: 'machine-api',
    name: 'example',
    selects: labelRequirements({ matchLabels: { role: 'worker' } }),
  };
  const seen: CheckObservation & { readonly parsed: ParsedCheck } = { object: { ...object, status }, parsed, pausedBy: [], targets };
  const gate: GateResult = pick(random, [
    { isOpen: true, isStorm: false },
    { isOpen: false, isStorm: true },
    { isOpen: false, isStorm: false },
  ]);
  return { seen, gate, safeguards, before: status.remediations.map(({ machine }) => machine) };
}

describe('for any Machines and safeguards', () => {
  const cases = Array.from({ length: RUNS }, (_, seed) => anyCase(seed));
  const outcomes = cases.map((one) => ({ ...one, plan: planRemediation(one.seen, one.gate, NOW) }));
  const begun = ({ plan, before }: (typeof outcomes)[number]): readonly string[] =>
    plan.actions.flatMap(({ entry }) => (entry && !before.includes(entry.machine) ? [entry.machine] : []));

  test('the generated cases cover every outcome', () => {
    expect(outcomes.filter((one) => begun(one).length > 0).length).toBeGreaterThan(50);
    expect(new Set(outcomes.map(({ plan }) => plan.block?.reason))).toEqual(
      new Set([undefined, 'CoolingDown', 'PauseRequested', 'ObserveOnly', 'TooManyInFlight']),
    );
  });

  test('no more remediations start than there are free slots', () => {
    for (const one of outcomes) {
      const recorded = one.plan.actions.flatMap(({ entry }) => entry?.machine ?? []);
      expect(new Set(recorded).size).toBe(recorded.length);
      const most = Math.max(one.safeguards.maxInFlight ?? Infinity, one.before.length);
      if (begun(one).length > 0) expect(recorded.length).toBeLessThanOrEqual(most);
    }
  });

  test('no remediation starts while the gate is closed or a safeguard blocks all remediation', () => {
    for (const one of outcomes) {
      const isStopped = !one.gate.isOpen || ['CoolingDown', 'PauseRequested', 'ObserveOnly'].includes(one.plan.block?.reason ?? '');
      if (isStopped) expect(one.plan.actions.flatMap(({ effects }) => effects).filter(asks)).toEqual([]);
    }
  });

  test('every Machine with requested remediation is recorded in status', () => {
    for (const { plan } of outcomes) for (const { effects, entry } of plan.actions) if (effects.some(asks)) expect(entry).toBeDefined();
  });

  test('a recorded Machine that is not healthy stays recorded', () => {
    for (const { plan, seen } of outcomes) {
      const kept = new Set(plan.actions.flatMap(({ entry }) => entry?.machine ?? []));
      for (const { entry, verdict } of seen.targets) if (entry && verdict.kind !== 'healthy') expect(kept).toContain(entry.machine);
    }
  });

  test('no remediation starts for a Machine whose attempts are used up', () => {
    for (const one of outcomes) if (one.safeguards.attempts) expect(begun(one)).not.toContain('worker-1');
  });

  test('the Machine that failed first starts first', () => {
    const failedAt = (seen: CheckObservation, name: string): string =>
      seen.targets.find(({ target }) => target.machine.metadata.name === name)!.target.machine.status!.conditions![0]!.lastTransitionTime;
    for (const one of outcomes) {
      const times = begun(one).map((name) => failedAt(one.seen, name));
      expect(times).toEqual(times.toSorted());
    }
  });

  test('every block by time has an end time', () => {
    for (const { plan } of outcomes)
      if (plan.block?.reason === 'CoolingDown') expect(plan.recheckAt.some((moment) => moment > NOW - SECOND)).toBe(true);
  });
});
